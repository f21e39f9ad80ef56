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

// The parser nests a table per part of a dotted key, and frees them by recursion: a key of a million parts would end
// the program. With no strings over several lines, each line can be scanned by itself.
Status checkKeys(std::string_view text, std::string_view name) {
  if (text.find("\"\"\"") != std::string_view::npos || text.find("'''") != std::string_view::npos) {
    const size_t at = std::min(text.find("\"\"\""), text.find("'''"));
    return errorAt(name, 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(at), '\n')),
                   "strings over several lines (three quotes) are not read; write the string on one line");
  }
  int line = 1;
  int dots = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      for (++i; i < text.size() && text[i] != c && text[i] != '\n'; ++i) {
        if (text[i] == '\\' && c == '"' && i + 1 < text.size() && text[i + 1] != '\n') ++i;
      }
      if (i < text.size() && text[i] == '\n') --i;
    } else if (c == '#') {
      while (i + 1 < text.size() && text[i + 1] != '\n') ++i;
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      // The parser's tables of letters run into undefined behaviour here; bare keys have none anyway.
      if (i < 3 && text.starts_with("\xef\xbb\xbf")) continue;
      return errorAt(name, line, "a character other than ASCII stands outside of quotes");
    } else if (c == '\n') {
      ++line;
      dots = 0;
    } else if (c == '.') {
      if (++dots >= kMaxKeyParts) {
        return errorAt(name, line, fmt::format("a key has more than {} parts", kMaxKeyParts));
      }
    } else if (c == ',' || c == '=' || c == '[' || c == ']' || c == '{' || c == '}') {
      dots = 0;
    }
  }
  return Done{};
}

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
  if (const Status status = checkKeys(text, name); !status.ok()) return status.error();
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
