#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <wend/scenario.h>

#include "crowd/scenario/toml_document.h"

// Reads the keys of one table of a scenario file: it checks every value, and a key that the reader never requests is an
// error.
namespace wend {

// The state of reading: the first error. After it every read gives a default value.
struct Reading {
  std::string file;
  std::optional<Error> error;
  std::vector<std::string> included;  // files whose lines are numbered from kLinesPerFile on (expand_scenario.h)
  std::vector<std::string> warnings;  // keys that have no effect

  void fail(int line, std::string_view what, ErrorCode code = ErrorCode::kFormat);
};

struct Range {
  double min = -kForever;
  double max = kForever;
  bool openMin = false;  // min itself is not in it
  bool contains(double value) const;
  std::string text() const;
};
inline constexpr Range kTimes{0, 1e6};
inline constexpr Range kCounts{0, 1e6};
inline constexpr Range kWeights{0, 1e6, true};

class TableReader {
 public:
  // Messages name `where`, for example "source 'west'".
  TableReader(const TomlValue& table, std::string where, Reading& reading);
  // An error for each key that the reader never requested.
  ~TableReader();
  TableReader(const TableReader&) = delete;
  TableReader& operator=(const TableReader&) = delete;

  bool has(std::string_view key) const { return table_.find(key) != nullptr; }
  int line(std::string_view key) const;
  int line() const { return table_.line; }

  double number(std::string_view key, double otherwise, Range range);
  double requiredNumber(std::string_view key, Range range);
  uint64_t whole(std::string_view key, uint64_t otherwise, uint64_t min, uint64_t max);
  bool flag(std::string_view key, bool otherwise);
  std::string text(std::string_view key, std::string otherwise);
  std::string requiredText(std::string_view key);
  std::vector<std::string> texts(std::string_view key);
  // The index of a name.
  size_t choice(std::string_view key, size_t otherwise, std::span<const std::string_view> names);
  size_t requiredChoice(std::string_view key, std::span<const std::string_view> names);
  // A name or several; one name alone counts as a list of it.
  std::vector<Weighted> weighted(std::string_view key);
  std::vector<double> numbers(std::string_view key, Range range);
  std::map<std::string, double> labelled(std::string_view key, Range range);
  Distribution distribution(std::string_view key, const Distribution& otherwise, Range range);
  Vec2 requiredPoint(std::string_view key);
  std::vector<Vec2> points(std::string_view key);
  std::vector<std::pair<double, double>> pairs(std::string_view key, Range first, Range second);
  // Points, WKT, or "all" where that makes sense.
  Area area(std::string_view key, bool mayBeAll = false);
  int32_t layer();
  std::span<const TomlValue> tables(std::string_view key);
  const TomlValue* table(std::string_view key);
  // The values of a list as they are; none for a missing key.
  std::span<const TomlValue> list(std::string_view key);

  void fail(std::string_view key, std::string_view what);
  Reading& reading() { return reading_; }

 private:
  const TomlValue* take(std::string_view key);
  const TomlValue* require(std::string_view key);
  double checked(const TomlValue& value, std::string_view key, double otherwise, Range range);
  bool point(const TomlValue& value, std::string_view key, Vec2& out);
  Distribution drawn(const TomlValue& table, std::string_view key, const Distribution& otherwise, Range range);

  const TomlValue& table_;
  std::string where_;
  Reading& reading_;
  std::vector<std::string_view> asked_;
};

}  // namespace wend
