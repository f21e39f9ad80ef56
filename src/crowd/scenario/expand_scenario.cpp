#include "crowd/scenario/expand_scenario.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>

#include <wend/file.h>
#include <wend/scenario.h>

#include <fmt/format.h>

#include "crowd/scenario/parameter_expression.h"

namespace wend {
namespace {

Error wrong(std::string_view file, int line, std::string_view what) {
  return {ErrorCode::kFormat, fmt::format("'{}', line {}: {}", file, line, what)};
}

void shiftLines(TomlValue& value, int by) {
  value.line += by;
  for (TomlValue& item : value.items) shiftLines(item, by);
}

std::optional<TomlValue> take(TomlValue& table, std::string_view key) {
  for (size_t i = 0; i < table.keys.size(); ++i) {
    if (table.keys[i] != key) continue;
    TomlValue taken = std::move(table.items[i]);
    table.items.erase(table.items.begin() + static_cast<ptrdiff_t>(i));
    table.keys.erase(table.keys.begin() + static_cast<ptrdiff_t>(i));
    return taken;
  }
  return {};
}

// Lists of tables are joined, what is included first; tables are joined key by key; else the including file wins.
void merge(TomlValue& into, TomlValue from) {
  std::map<std::string, size_t, std::less<>> places;
  for (size_t i = 0; i < into.keys.size(); ++i) places.emplace(into.keys[i], i);
  for (size_t i = 0; i < from.keys.size(); ++i) {
    const auto place = places.find(from.keys[i]);
    TomlValue* own = place == places.end() ? nullptr : &into.items[place->second];
    if (own == nullptr) {
      into.keys.push_back(from.keys[i]);
      into.items.push_back(std::move(from.items[i]));
    } else if (own->kind == TomlValue::Kind::kTable && from.items[i].kind == TomlValue::Kind::kTable) {
      merge(*own, std::move(from.items[i]));
    } else if (own->kind == TomlValue::Kind::kList && from.items[i].kind == TomlValue::Kind::kList) {
      own->items.insert(own->items.begin(), std::make_move_iterator(from.items[i].items.begin()),
                        std::make_move_iterator(from.items[i].items.end()));
    }
  }
}

class Expander {
 public:
  explicit Expander(std::string_view name) : name_(name) {}

  Status include(TomlValue& root, const std::string& file, const std::string& folder, int depth) {
    std::optional<TomlValue> list = take(root, "include");
    if (!list) return Done{};
    out.isChanged = true;
    std::vector<std::string> files;
    if (list->kind == TomlValue::Kind::kText) files.push_back(list->text);
    for (const TomlValue& item : list->items) {
      if (item.kind == TomlValue::Kind::kText) files.push_back(item.text);
    }
    const bool isNames = list->kind == TomlValue::Kind::kText ||
                         (list->kind == TomlValue::Kind::kList && files.size() == list->items.size());
    if (!isNames) return wrong(file, list->line % kLinesPerFile, "'include' must be the name of a file, or a list");
    TomlValue all;
    for (const std::string& named : files) {
      const std::filesystem::path path = std::filesystem::path(folder) / named;
      if (depth >= 8 || out.included.size() >= kMaxIncluded) {
        return wrong(file, list->line % kLinesPerFile,
                     fmt::format("'{}' is one include too many; does a file include itself?", named));
      }
      const Result<std::vector<std::byte>> bytes = readFile(path.string(), kMaxScenarioBytes);
      if (!bytes.ok()) {
        return wrong(file, list->line % kLinesPerFile, fmt::format("'include': {}", bytes.error().message));
      }
      const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
      Result<TomlValue> part = parseToml(text, path.string());
      if (!part.ok()) return part.error();
      out.included.push_back(path.string());
      includedBytes_ += bytes->size();
      if (includedBytes_ > kMaxScenarioBytes) {
        return wrong(file, list->line % kLinesPerFile,
                     fmt::format("the included files are larger than {} MB together", kMaxScenarioBytes >> 20));
      }
      shiftLines(*part, static_cast<int>(out.included.size()) * kLinesPerFile);
      take(*part, "format");
      if (Status status = include(*part, path.string(), path.parent_path().string(), depth + 1); !status.ok()) {
        return status;
      }
      // A later file of the list wins over an earlier one.
      TomlValue earlier = std::move(all);
      all = std::move(part).value();
      merge(all, std::move(earlier));
    }
    merge(root, std::move(all));
    return Done{};
  }

  Status parameters(TomlValue& root, const std::map<std::string, std::string>& set) {
    std::optional<TomlValue> table = take(root, "parameters");
    if (table && table->kind != TomlValue::Kind::kTable) return fail(table->line, "'parameters' must be a table");
    if (table) {
      out.isChanged = true;
      for (size_t i = 0; i < table->keys.size(); ++i) {
        const TomlValue& value = table->items[i];
        if (!value.isNumber() && value.kind != TomlValue::Kind::kText && value.kind != TomlValue::Kind::kFlag) {
          return fail(value.line,
                      fmt::format("the parameter '{}' must be a number, a string, true or false", table->keys[i]));
        }
        parameters_[table->keys[i]] = value;
      }
    }
    for (const auto& [name, text] : set) {
      if (!parameters_.contains(name)) {
        std::string known;
        for (const auto& [other, value] : parameters_) known += fmt::format("{}'{}'", known.empty() ? "" : ", ", other);
        return Error{ErrorCode::kInvalidSettings,
                     fmt::format("'{}' has no parameter '{}'; it has {}", name_, name, known.empty() ? "none" : known)};
      }
      // As a value of TOML, or else as plain text.
      const Result<TomlValue> parsed = parseToml("value = " + text, name_);
      TomlValue value;
      value.kind = TomlValue::Kind::kText;
      value.text = text;
      if (parsed.ok() && parsed->items.size() == 1 && parsed->items[0].items.empty()) value = parsed->items[0];
      parameters_[name] = value;
    }
    if (Status status = substitute(root); !status.ok()) return status;
    for (const auto& [name, value] : parameters_) {
      if (!used_.contains(name)) out.unused.insert(name);
    }
    return Done{};
  }

  ExpandedScenario out;

 private:
  Error fail(int line, std::string_view what) const {
    const auto file = static_cast<size_t>(line / kLinesPerFile);
    return wrong(file == 0 ? name_ : out.included[file - 1], line % kLinesPerFile, what);
  }

  Status substitute(TomlValue& value) {
    for (TomlValue& item : value.items) {
      if (Status status = substitute(item); !status.ok()) return status;
    }
    if (value.kind != TomlValue::Kind::kText || value.text.find("${") == std::string::npos) return Done{};
    out.isChanged = true;
    std::string text;
    for (size_t i = 0; i < value.text.size();) {
      const size_t begin = value.text.find("${", i);
      text += value.text.substr(i, std::min(begin, value.text.size()) - i);
      if (begin == std::string::npos) break;
      const size_t end = value.text.find('}', begin);
      if (end == std::string::npos) return fail(value.line, fmt::format("'{}': '}}' is missing", value.text));
      const std::string_view inner = std::string_view(value.text).substr(begin + 2, end - begin - 2);
      const Result<TomlValue> result = parameterValue(inner, parameters_, used_);
      if (!result.ok()) return fail(value.line, result.error().message);
      // A long parameter may be named often.
      insertedBytes_ += result->text.size();
      if (insertedBytes_ > kMaxScenarioBytes) {
        return fail(value.line, fmt::format("the parameters add more than {} MB of text", kMaxScenarioBytes >> 20));
      }
      if (begin == 0 && end + 1 == value.text.size()) {
        const int line = value.line;
        value = *result;
        value.line = line;
        return Done{};
      }
      text += result->kind == TomlValue::Kind::kText   ? result->text
              : result->kind == TomlValue::Kind::kFlag ? (result->flag ? "true" : "false")
                                                       : fmt::format("{}", result->number);
      i = end + 1;
    }
    value.text = text;
    return Done{};
  }

  std::string name_;
  std::map<std::string, TomlValue> parameters_;
  std::set<std::string> used_;
  size_t includedBytes_ = 0;
  size_t insertedBytes_ = 0;  // by parameters
};

std::string inQuotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<int>(c));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

void writeValue(const TomlValue& value, std::string& out) {
  switch (value.kind) {
    case TomlValue::Kind::kText:
      out += inQuotes(value.text);
      return;
    case TomlValue::Kind::kWhole:
      out += fmt::format("{}", value.whole);
      return;
    case TomlValue::Kind::kNumber: {
      std::string text = fmt::format("{}", value.number);
      // A float of TOML has a point or an exponent.
      if (std::isfinite(value.number) && text.find_first_of(".e") == std::string::npos) text += ".0";
      out += text;
      return;
    }
    case TomlValue::Kind::kFlag:
      out += value.flag ? "true" : "false";
      return;
    case TomlValue::Kind::kDate:
      out += "\"a date\"";
      return;
    case TomlValue::Kind::kList:
      out += "[";
      for (size_t i = 0; i < value.items.size(); ++i) {
        if (i > 0) out += ", ";
        writeValue(value.items[i], out);
      }
      out += "]";
      return;
    case TomlValue::Kind::kTable:
      out += "{";
      for (size_t i = 0; i < value.items.size(); ++i) {
        out += i == 0 ? " " : ", ";
        out += inQuotes(value.keys[i]) + " = ";
        writeValue(value.items[i], out);
      }
      out += " }";
      return;
  }
}

}  // namespace

Result<ExpandedScenario> expandScenario(TomlValue root, std::string_view name, std::string_view folder,
                                        const std::map<std::string, std::string>& set) {
  Expander expander(name);
  if (Status status = expander.include(root, std::string(name), std::string(folder), 0); !status.ok()) {
    return status.error();
  }
  if (Status status = expander.parameters(root, set); !status.ok()) return status.error();
  expander.out.root = std::move(root);
  return std::move(expander.out);
}

std::string formatToml(const TomlValue& root) {
  std::string out;
  for (size_t i = 0; i < root.items.size(); ++i) {
    const TomlValue& value = root.items[i];
    // Long lists of tables take a line per table.
    const bool isLong =
        value.kind == TomlValue::Kind::kList && !value.items.empty() && value.items[0].kind == TomlValue::Kind::kTable;
    out += inQuotes(root.keys[i]) + " = ";
    if (isLong) {
      out += "[\n";
      for (const TomlValue& item : value.items) {
        out += "  ";
        writeValue(item, out);
        out += ",\n";
      }
      out += "]";
    } else {
      writeValue(value, out);
    }
    out += "\n";
  }
  return out;
}

}  // namespace wend
