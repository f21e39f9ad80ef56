#include "crowd/scenario/table_reader.h"

#include <wend/environment_file.h>

#include <fmt/format.h>

#include "base/kind_parameters.h"
#include "base/text_cursor.h"
#include "crowd/scenario/expand_scenario.h"

namespace wend {
namespace {

// Coordinates beyond this are beyond every lattice.
constexpr double kFarthest = 1e9;
constexpr size_t kMaxPoints = 1'000'000;

std::string quotedList(std::span<const std::string_view> names) {
  std::string list;
  for (size_t i = 0; i < names.size(); ++i) {
    list += fmt::format("{}'{}'", i == 0 ? "" : i + 1 == names.size() ? " or " : ", ", names[i]);
  }
  return list;
}

std::string article(TomlValue::Kind kind) {
  return kindName(kind);
}

}  // namespace

void Reading::fail(int line, std::string_view what, ErrorCode code) {
  if (error) return;
  const auto part = static_cast<size_t>(line / kLinesPerFile);
  const std::string& where = part > 0 && part <= included.size() ? included[part - 1] : file;
  line %= kLinesPerFile;
  error = Error{code,
                line > 0 ? fmt::format("'{}', line {}: {}", where, line, what) : fmt::format("'{}': {}", where, what)};
}

bool Range::contains(double value) const {
  return (openMin ? value > min : value >= min) && value <= max;
}

std::string Range::text() const {
  if (max == kForever) return fmt::format("{} {:g}", openMin ? "above" : "at least", min);
  return fmt::format("{}{:g} to {:g}", openMin ? "above " : "", min, max);
}

TableReader::TableReader(const TomlValue& table, std::string where, Reading& reading)
    : table_(table), where_(std::move(where)), reading_(reading) {}

TableReader::~TableReader() {
  if (reading_.error) return;
  for (size_t i = 0; i < table_.keys.size(); ++i) {
    const std::string& key = table_.keys[i];
    const TomlValue& value = table_.items[i];
    if (std::find(asked_.begin(), asked_.end(), key) != asked_.end()) continue;
    const std::vector<std::string> names(asked_.begin(), asked_.end());
    reading_.fail(value.line,
                  fmt::format("{} has no key '{}'; did you mean {}?", where_, excerpt(key), nearestNames(key, names)));
    return;
  }
}

int TableReader::line(std::string_view key) const {
  const TomlValue* value = table_.find(key);
  return value == nullptr ? table_.line : value->line;
}

void TableReader::fail(std::string_view key, std::string_view what) {
  reading_.fail(line(key), fmt::format("'{}' of {} {}", key, where_, what));
}

const TomlValue* TableReader::take(std::string_view key) {
  asked_.push_back(key);
  return reading_.error ? nullptr : table_.find(key);
}

const TomlValue* TableReader::require(std::string_view key) {
  const TomlValue* value = take(key);
  if (value == nullptr) reading_.fail(table_.line, fmt::format("{} needs the key '{}'", where_, key));
  return value;
}

double TableReader::checked(const TomlValue& value, std::string_view key, double otherwise, Range range) {
  if (!value.isNumber()) {
    fail(key, fmt::format("must be a number, not {}", article(value.kind)));
    return otherwise;
  }
  if (!range.contains(value.number)) {
    fail(key, fmt::format("is {:g}; it must be {}", value.number, range.text()));
    return otherwise;
  }
  return value.number;
}

double TableReader::number(std::string_view key, double otherwise, Range range) {
  const TomlValue* value = take(key);
  return value == nullptr ? otherwise : checked(*value, key, otherwise, range);
}

double TableReader::requiredNumber(std::string_view key, Range range) {
  const TomlValue* value = require(key);
  return value == nullptr ? range.min : checked(*value, key, range.min, range);
}

uint64_t TableReader::whole(std::string_view key, uint64_t otherwise, uint64_t min, uint64_t max) {
  const TomlValue* value = take(key);
  if (value == nullptr) return otherwise;
  if (value->kind == TomlValue::Kind::kNumber && value->number == kForever &&
      max == std::numeric_limits<uint64_t>::max()) {
    return max;
  }
  if (value->kind != TomlValue::Kind::kWhole) {
    fail(key, fmt::format("must be a whole number, not {}", value->kind == TomlValue::Kind::kNumber
                                                                ? fmt::format("{:g}", value->number)
                                                                : article(value->kind)));
    return otherwise;
  }
  if (value->whole < 0 || static_cast<uint64_t>(value->whole) < min || static_cast<uint64_t>(value->whole) > max) {
    fail(key, max == std::numeric_limits<uint64_t>::max()
                  ? fmt::format("is {}; it must be at least {}", value->whole, min)
                  : fmt::format("is {}; it must be {} to {}", value->whole, min, max));
    return otherwise;
  }
  return static_cast<uint64_t>(value->whole);
}

bool TableReader::flag(std::string_view key, bool otherwise) {
  const TomlValue* value = take(key);
  if (value == nullptr) return otherwise;
  if (value->kind != TomlValue::Kind::kFlag)
    fail(key, fmt::format("must be true or false, not {}", article(value->kind)));
  return value->flag;
}

std::string TableReader::text(std::string_view key, std::string otherwise) {
  const TomlValue* value = take(key);
  if (value == nullptr) return otherwise;
  if (value->kind != TomlValue::Kind::kText) {
    fail(key, fmt::format("must be a string in quotes, not {}", article(value->kind)));
  } else if (value->text.find('\0') != std::string::npos) {
    fail(key, "holds a zero character");
  }
  return value->text;
}

std::string TableReader::requiredText(std::string_view key) {
  if (!has(key)) return require(key), std::string();
  std::string value = text(key, {});
  if (value.empty()) fail(key, "is empty");
  return value;
}

std::vector<std::string> TableReader::texts(std::string_view key) {
  std::vector<std::string> result;
  const TomlValue* value = take(key);
  if (value == nullptr) return result;
  if (value->kind == TomlValue::Kind::kText) return {value->text};
  if (value->kind != TomlValue::Kind::kList) {
    fail(key, fmt::format("must be a list of strings, not {}", article(value->kind)));
    return result;
  }
  for (const TomlValue& item : value->items) {
    if (item.kind != TomlValue::Kind::kText) fail(key, fmt::format("holds {} among its strings", article(item.kind)));
    result.push_back(item.text);
  }
  return result;
}

size_t TableReader::choice(std::string_view key, size_t otherwise, std::span<const std::string_view> names) {
  if (!has(key)) return take(key), otherwise;
  const std::string value = text(key, {});
  const auto found = std::find(names.begin(), names.end(), value);
  if (found == names.end()) {
    fail(key, fmt::format("is '{}'; it must be {}", excerpt(value), quotedList(names)));
    return otherwise;
  }
  return static_cast<size_t>(found - names.begin());
}

size_t TableReader::requiredChoice(std::string_view key, std::span<const std::string_view> names) {
  if (!has(key)) return require(key), 0;
  return choice(key, 0, names);
}

std::vector<Weighted> TableReader::weighted(std::string_view key) {
  const TomlValue* value = take(key);
  if (value == nullptr) return {};
  if (value->kind == TomlValue::Kind::kText) return {{value->text, 1.0}};
  std::vector<Weighted> result;
  if (value->kind != TomlValue::Kind::kTable) {
    fail(key, fmt::format("must be a name or a table of names with weights, not {}", article(value->kind)));
    return result;
  }
  for (size_t i = 0; i < value->keys.size(); ++i) {
    result.emplace_back(value->keys[i], checked(value->items[i], key, 1, kWeights));
  }
  if (result.empty()) fail(key, "names nothing");
  return result;
}

std::vector<double> TableReader::numbers(std::string_view key, Range range) {
  const TomlValue* value = take(key);
  std::vector<double> result;
  if (value == nullptr) return result;
  if (value->kind != TomlValue::Kind::kList) {
    fail(key, fmt::format("must be a list of numbers, not {}", article(value->kind)));
    return result;
  }
  for (const TomlValue& item : value->items) result.push_back(checked(item, key, range.max, range));
  return result;
}

std::map<std::string, double> TableReader::labelled(std::string_view key, Range range) {
  std::map<std::string, double> result;
  const TomlValue* value = take(key);
  if (value == nullptr) return result;
  if (value->kind != TomlValue::Kind::kTable) {
    fail(key, fmt::format("must be a table of labels, not {}", article(value->kind)));
    return result;
  }
  for (size_t i = 0; i < value->keys.size(); ++i) result[value->keys[i]] = checked(value->items[i], key, 1, range);
  return result;
}

bool TableReader::point(const TomlValue& value, std::string_view key, Vec2& out) {
  if (value.kind != TomlValue::Kind::kList || value.items.size() != 2 || !value.items[0].isNumber() ||
      !value.items[1].isNumber()) {
    fail(key, "must be a place [x, y] in metres, or a list of such");
    return false;
  }
  out = {value.items[0].number, value.items[1].number};
  if (!(std::abs(out.x) <= kFarthest) || !(std::abs(out.y) <= kFarthest)) {
    fail(key, "holds a coordinate that is not a number or beyond 1e9 m");
    return false;
  }
  return true;
}

Vec2 TableReader::requiredPoint(std::string_view key) {
  Vec2 result;
  if (const TomlValue* value = require(key)) point(*value, key, result);
  return result;
}

std::vector<Vec2> TableReader::points(std::string_view key) {
  std::vector<Vec2> result;
  const TomlValue* value = take(key);
  if (value == nullptr) return result;
  if (value->kind != TomlValue::Kind::kList || value->items.size() > kMaxPoints) {
    fail(key, fmt::format("must be a list of at most {} places [x, y]", kMaxPoints));
    return result;
  }
  for (const TomlValue& item : value->items) {
    Vec2 p;
    if (!point(item, key, p)) return {};
    result.push_back(p);
  }
  return result;
}

std::vector<std::pair<double, double>> TableReader::pairs(std::string_view key, Range first, Range second) {
  std::vector<std::pair<double, double>> result;
  for (const Vec2 p : points(key)) {
    if (!first.contains(p.x)) fail(key, fmt::format("holds {:g}; the first number must be {}", p.x, first.text()));
    if (!second.contains(p.y)) fail(key, fmt::format("holds {:g}; the second number must be {}", p.y, second.text()));
    if (!result.empty() && p.x <= result.back().first) fail(key, "must be in ascending order of time");
    result.emplace_back(p.x, p.y);
  }
  return result;
}

Area TableReader::area(std::string_view key, bool mayBeAll) {
  Area result;
  const TomlValue* value = table_.find(key);
  if (value != nullptr && value->kind == TomlValue::Kind::kText) {
    take(key);
    if (value->text == "all") {
      if (!mayBeAll) fail(key, "cannot be 'all'; sources and way points can");
      result.everywhere = true;
      return result;
    }
    const Result<std::vector<Loops>> polygons =
        parseWktPolygons(value->text, fmt::format("{} of {}", key, where_), kMaxPoints);
    if (!polygons.ok()) {
      fail(key, fmt::format("is not a list of places, 'all' or WKT: {}", polygons.error().message));
      return result;
    }
    for (const Loops& loops : *polygons) {
      result.loops.insert(result.loops.end(), loops.begin(), loops.end());
    }
  } else {
    std::vector<Vec2> ring = points(key);
    if (value == nullptr) return result;
    if (ring.size() < 3) fail(key, "needs at least three places");
    result.loops.push_back(std::move(ring));
  }
  if (result.loops.empty() && !reading_.error) fail(key, "is empty");
  return result;
}

int32_t TableReader::layer() {
  const TomlValue* value = take("layer");
  if (value == nullptr) return 0;
  if (value->kind != TomlValue::Kind::kWhole || std::abs(value->whole) > 1'000'000'000) {
    fail("layer", "must be the whole number of a layer");
    return 0;
  }
  return static_cast<int32_t>(value->whole);
}

std::span<const TomlValue> TableReader::tables(std::string_view key) {
  const TomlValue* value = take(key);
  if (value == nullptr) return {};
  if (value->kind != TomlValue::Kind::kList) {
    reading_.fail(value->line, fmt::format("'{0}' must be written as [[{0}]], once for each", key));
    return {};
  }
  for (const TomlValue& item : value->items) {
    if (item.kind != TomlValue::Kind::kTable) fail(key, fmt::format("holds {} among its tables", article(item.kind)));
  }
  if (reading_.error) return {};
  return value->items;
}

std::span<const TomlValue> TableReader::list(std::string_view key) {
  const TomlValue* value = take(key);
  if (value == nullptr) return {};
  if (value->kind != TomlValue::Kind::kList) {
    fail(key, fmt::format("must be a list, not {}", article(value->kind)));
    return {};
  }
  return value->items;
}

const TomlValue* TableReader::table(std::string_view key) {
  const TomlValue* value = take(key);
  if (value == nullptr) return nullptr;
  if (value->kind != TomlValue::Kind::kTable) {
    reading_.fail(value->line, fmt::format("'{0}' must be a table [{0}], not {1}", key, article(value->kind)));
    return nullptr;
  }
  return value;
}

}  // namespace wend
