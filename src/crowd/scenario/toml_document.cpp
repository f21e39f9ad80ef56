// The parser tells the compiler to rely on assumptions that some files break (3.3.0: "[{", "x = [1 ="). Here they are
// checked and end the parsing like any other error.
#undef NDEBUG
#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_FORMATTERS 0
#define TOML_ASSERT(expr)                          \
  do {                                             \
    if (!(expr)) throw ::wend::BrokenAssumption(); \
  } while (false)
namespace wend {
struct BrokenAssumption {};
}  // namespace wend

#include "crowd/scenario/toml_document.h"

#include <algorithm>

#include <fmt/format.h>
// Assumptions of functions that promise not to throw: there the program ends, as with a failed assertion.
#pragma GCC diagnostic push
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wexceptions"
#else
#pragma GCC diagnostic ignored "-Wterminate"
#endif
#include <toml++/toml.h>
#pragma GCC diagnostic pop

namespace wend {
namespace {

constexpr size_t kMaxValues = 10'000'000;
constexpr int kMaxKeyParts = 16;

Error errorAt(std::string_view name, int line, std::string_view what) {
  return {ErrorCode::kFormat, fmt::format("'{}', line {}: {}", name, line, what)};
}

// What the parser must not see, since it would end the program: a table nested per part of a dotted key and freed by
// recursion, so that a key of a million parts fills the stack; letters outside ASCII, for which its tables have holes;
// control characters. With no strings over several lines, each line can be scanned by itself.
class Precheck {
 public:
  Precheck(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  Status check() {
    for (size_t i = text_.starts_with("\xef\xbb\xbf") ? 3 : 0; i < text_.size(); ++i) {
      const auto byte = static_cast<unsigned char>(text_[i]);
      if ((byte < 0x20 && text_[i] != '\t' && text_[i] != '\n' && text_[i] != '\r') || byte == 0x7f) {
        return wrong("a control character; a scenario is plain text");
      }
      const size_t begin = i;
      if (const char* fault = look(i)) return wrong(fault);
      if (byte < 0x80) clean_ += text_.substr(begin, i - begin + 1);
    }
    return Done{};
  }
  // The same file in ASCII: letters of strings as escapes, those of comments left out.
  const std::string& clean() const { return clean_; }

 private:
  Status wrong(std::string_view what) const { return errorAt(name_, line_, what); }

  // Looks at the character at i, and passes over a string or comment that begins there.
  const char* look(size_t& i) {
    const char c = text_[i];
    if (static_cast<unsigned char>(c) >= 0x80) return lookAtLetter(i);
    if (inString_ != 0) {
      if (c == '\n' || c == inString_)
        inString_ = 0;
      else if (c == '\\' && inString_ == '"' && i + 1 < text_.size() && text_[i + 1] != '\n')
        ++i;
    } else if (inComment_) {
      inComment_ = c != '\n';
    } else if (c == '"' || c == '\'') {
      if (text_.substr(i).starts_with("\"\"\"") || text_.substr(i).starts_with("'''")) {
        return "strings over several lines (three quotes) are not read; write the string on one line";
      }
      inString_ = c;
    } else if (c == '#') {
      inComment_ = true;
    } else if (c == '.') {
      if (++dots_ >= kMaxKeyParts) return "a key has more than 16 parts";
    } else if (c == ',' || c == '=' || c == '[' || c == ']' || c == '{' || c == '}') {
      dots_ = 0;
    }
    if (c == '\n') {
      if (++line_ >= kMaxTomlLines) return "a file has at most 10,000,000 lines";
      dots_ = 0;
    }
    return nullptr;
  }

  // A letter outside ASCII, in UTF-8.
  const char* lookAtLetter(size_t& i) {
    if (inComment_) return nullptr;
    if (inString_ == 0) return "a character other than ASCII stands outside of quotes";
    if (inString_ != '"') return "letters outside ASCII need double quotes";
    const auto first = static_cast<unsigned char>(text_[i]);
    const int more = first >= 0xf0 && first < 0xf5 ? 3 : first >= 0xe0 ? 2 : first >= 0xc2 ? 1 : 0;
    if (more == 0 || first >= 0xf5 || i + static_cast<size_t>(more) >= text_.size()) return "the text is not UTF-8";
    uint32_t code = first & (0x3fU >> more);
    for (int k = 0; k < more; ++k) {
      const auto next = static_cast<unsigned char>(text_[++i]);
      if ((next & 0xc0U) != 0x80U) return "the text is not UTF-8";
      code = code << 6 | (next & 0x3fU);
    }
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return "the text is not UTF-8";
    clean_ += fmt::format("\\U{:08X}", code);
    return nullptr;
  }

  std::string_view text_;
  std::string_view name_;
  std::string clean_;
  int line_ = 1;
  int dots_ = 0;
  char inString_ = 0;
  bool inComment_ = false;
};

class Converter {
 public:
  bool convert(const toml::node& node, TomlValue& out) {
    if (++count_ > kMaxValues) return false;
    out.line = static_cast<int>(node.source().begin.line);
    switch (node.type()) {
      case toml::node_type::table:
        out.kind = TomlValue::Kind::kTable;
        for (const auto& [key, value] : *node.as_table()) {
          out.keys.emplace_back(key.str());
          if (!convert(value, out.items.emplace_back())) return false;
        }
        return true;
      case toml::node_type::array:
        out.kind = TomlValue::Kind::kList;
        for (const toml::node& item : *node.as_array()) {
          if (!convert(item, out.items.emplace_back())) return false;
        }
        return true;
      case toml::node_type::string:
        out.kind = TomlValue::Kind::kText;
        out.text = node.as_string()->get();
        return true;
      case toml::node_type::integer:
        out.kind = TomlValue::Kind::kWhole;
        out.whole = node.as_integer()->get();
        out.number = static_cast<double>(out.whole);
        return true;
      case toml::node_type::floating_point:
        out.kind = TomlValue::Kind::kNumber;
        out.number = node.as_floating_point()->get();
        return true;
      case toml::node_type::boolean:
        out.kind = TomlValue::Kind::kFlag;
        out.flag = node.as_boolean()->get();
        return true;
      default:
        out.kind = TomlValue::Kind::kDate;
        return true;
    }
  }

 private:
  size_t count_ = 0;
};

}  // namespace

const TomlValue* TomlValue::find(std::string_view key) const {
  for (size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] == key) return &items[i];
  }
  return nullptr;
}

const char* kindName(TomlValue::Kind kind) {
  switch (kind) {
    case TomlValue::Kind::kText:
      return "a string";
    case TomlValue::Kind::kWhole:
    case TomlValue::Kind::kNumber:
      return "a number";
    case TomlValue::Kind::kFlag:
      return "true or false";
    case TomlValue::Kind::kList:
      return "a list";
    case TomlValue::Kind::kTable:
      return "a table";
    case TomlValue::Kind::kDate:
      return "a date or time";
  }
  return "something else";
}

Result<TomlValue> parseToml(std::string_view text, std::string_view name) {
  Precheck precheck(text, name);
  if (const Status status = precheck.check(); !status.ok()) return status.error();
  toml::table table;
  try {
    table = toml::parse(precheck.clean());
  } catch (const toml::parse_error& error) {
    return errorAt(name, static_cast<int>(error.source().begin.line),
                   fmt::format("not TOML: {}", std::string(error.description())));
  } catch (const BrokenAssumption&) {
    return Error{ErrorCode::kFormat, fmt::format("'{}': not TOML; look for a bracket or value too many", name)};
  }
  TomlValue root;
  if (!Converter().convert(table, root)) {
    return Error{ErrorCode::kLimit, fmt::format("'{}' has more than {} values", name, kMaxValues)};
  }
  return root;
}

}  // namespace wend
