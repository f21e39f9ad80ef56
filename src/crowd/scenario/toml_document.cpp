#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include "crowd/scenario/toml_document.h"

#include <algorithm>

#include <fmt/format.h>
#include <toml++/toml.h>

namespace wend {
namespace {

constexpr size_t kMaxValues = 10'000'000;
constexpr int kMaxKeyParts = 16;

Error errorAt(std::string_view name, int line, std::string_view what) {
  return {ErrorCode::kFormat, fmt::format("'{}', line {}: {}", name, line, what)};
}

bool isKeyLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '"' || c == '\'';
}

// What the parser must not see, since it would end the program: a table nested per part of a dotted key and freed by
// recursion, so that a key of a million parts fills the stack; letters outside ASCII, control characters and missing
// names, on which it relies never to meet them. With no strings over several lines, each line can be scanned by itself.
class Precheck {
 public:
  Precheck(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  Status check() {
    for (size_t i = text_.starts_with("\xef\xbb\xbf") ? 3 : 0; i < text_.size(); ++i) {
      const auto byte = static_cast<unsigned char>(text_[i]);
      if ((byte < 0x20 && text_[i] != '\t' && text_[i] != '\n' && text_[i] != '\r') || byte == 0x7f) {
        return wrong("a control character; a scenario is plain text");
      }
      if (const char* fault = look(i)) return wrong(fault);
    }
    return Done{};
  }

 private:
  Status wrong(std::string_view what) const { return errorAt(name_, line_, what); }

  // Looks at the character at i, and passes over a string or comment that begins there.
  const char* look(size_t& i) {
    const char c = text_[i];
    if (inString_ != 0) {
      if (c == '\n')
        inString_ = 0;
      else if (c == '\\' && inString_ == '"' && i + 1 < text_.size() && text_[i + 1] != '\n')
        ++i;
      else if (c == inString_)
        inString_ = 0;
    } else if (inComment_) {
      inComment_ = c != '\n';
    } else if (c == '"' || c == '\'') {
      if (text_.substr(i).starts_with("\"\"\"") || text_.substr(i).starts_with("'''")) {
        return "strings over several lines (three quotes) are not read; write the string on one line";
      }
      inString_ = c;
    } else if (c == '#') {
      inComment_ = true;
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      return "a character other than ASCII stands outside of quotes";
    } else if (c == '.') {
      if (++dots_ >= kMaxKeyParts) return "a key has more than 16 parts";
    } else if (c == '[' && atLineStart_ && depth_ == 0 && !isHeader(i)) {
      return "a name must follow the bracket of a table";
    } else if (c == ',' || c == '=' || c == '[' || c == ']' || c == '{' || c == '}') {
      dots_ = 0;
      depth_ += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    }
    if (c == '\n') {
      ++line_;
      dots_ = 0;
      atLineStart_ = true;
    } else if (c != ' ' && c != '\t') {
      atLineStart_ = false;
    }
    return nullptr;
  }

  bool isHeader(size_t at) const {
    ++at;
    if (at < text_.size() && text_[at] == '[') ++at;
    while (at < text_.size() && (text_[at] == ' ' || text_[at] == '\t')) ++at;
    return at == text_.size() || text_[at] == ']' || isKeyLetter(text_[at]);
  }

  std::string_view text_;
  std::string_view name_;
  int line_ = 1;
  int dots_ = 0;
  int depth_ = 0;
  char inString_ = 0;
  bool inComment_ = false;
  bool atLineStart_ = true;
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
  if (const Status status = Precheck(text, name).check(); !status.ok()) return status.error();
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return errorAt(name, static_cast<int>(error.source().begin.line),
                   fmt::format("not TOML: {}", std::string(error.description())));
  }
  TomlValue root;
  if (!Converter().convert(parsed.table(), root)) {
    return Error{ErrorCode::kLimit, fmt::format("'{}' has more than {} values", name, kMaxValues)};
  }
  return root;
}

}  // namespace wend
