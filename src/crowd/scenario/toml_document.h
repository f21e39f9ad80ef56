#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <wend/result.h>

// A TOML file as a plain tree, so that only one source file includes the parser.
namespace wend {

inline constexpr int kMaxTomlLines = 10'000'000;

struct TomlValue {
  enum class Kind : uint8_t { kText, kWhole, kNumber, kFlag, kList, kTable, kDate };
  Kind kind = Kind::kTable;
  int line = 0;  // of the file, from 1
  std::string text;
  int64_t whole = 0;
  double number = 0;  // of a whole number too
  bool flag = false;
  std::vector<TomlValue> items;   // of a list or a table
  std::vector<std::string> keys;  // of a table, one per item, in alphabetical order

  bool isNumber() const { return kind == Kind::kWhole || kind == Kind::kNumber; }
  const TomlValue* find(std::string_view key) const;
};
// "a list", for messages.
const char* kindName(TomlValue::Kind kind);

// An Error with file and line for text that is not TOML, and for what no scenario needs: keys of more than 16 parts,
// strings over several lines, more than 10 million values.
Result<TomlValue> parseToml(std::string_view text, std::string_view name);

}  // namespace wend
