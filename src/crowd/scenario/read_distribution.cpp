#include <fmt/format.h>

#include "crowd/scenario/table_reader.h"

namespace wend {
namespace {

constexpr std::array<std::string_view, 7> kNames{"uniform", "normal",      "lognormal", "gamma",
                                                 "weibull", "exponential", "table"};
constexpr Range kPositive{0, 1e9, true};
constexpr Range kFinite{-1e9, 1e9};

void readTable(TableReader& reader, Distribution& out, Range range) {
  out.values = reader.numbers("values", range);
  out.weights = reader.numbers("weights", kWeights);
  if (out.values.empty()) reader.fail("values", "must hold at least one number");
  if (out.weights.empty()) out.weights.assign(out.values.size(), 1.0);
  if (out.weights.size() != out.values.size()) reader.fail("weights", "must be as many as the values");
}

}  // namespace

Distribution TableReader::distribution(std::string_view key, const Distribution& otherwise, Range range) {
  const TomlValue* value = take(key);
  if (value == nullptr) return otherwise;
  if (value->kind == TomlValue::Kind::kTable) return drawn(*value, key, otherwise, range);
  if (!value->isNumber()) {
    fail(key, fmt::format("must be a number or a table with 'dist', not {}", kindName(value->kind)));
    return otherwise;
  }
  return constant(checked(*value, key, otherwise.a, range));
}

Distribution TableReader::drawn(const TomlValue& table, std::string_view key, const Distribution& otherwise,
                                Range range) {
  Distribution out;
  TableReader reader(table, fmt::format("'{}' of {}", key, where_), reading_);
  const size_t kind = reader.requiredChoice("dist", kNames);
  out.kind = static_cast<Distribution::Kind>(kind + 1);
  // What the key does not allow is drawn again, as what min and max exclude.
  out.min = std::max(range.min, -kForever);
  out.max = range.max;
  switch (out.kind) {
    case Distribution::Kind::kUniform:
      out.min = reader.requiredNumber("min", range);
      out.max = reader.requiredNumber("max", range);
      if (out.max == kForever) reader.fail("max", "of a uniform distribution must be finite");
      break;
    case Distribution::Kind::kNormal:
      out.a = reader.requiredNumber("mean", kFinite);
      out.b = reader.requiredNumber("sd", {0, 1e9});
      break;
    case Distribution::Kind::kLognormal:
      out.a = reader.requiredNumber("mu", {-100, 100});
      out.b = reader.requiredNumber("sigma", {0, 100});
      break;
    case Distribution::Kind::kGamma:
    case Distribution::Kind::kWeibull:
      out.a = reader.requiredNumber("shape", kPositive);
      out.b = reader.requiredNumber("scale", kPositive);
      break;
    case Distribution::Kind::kExponential:
      out.a = reader.requiredNumber("mean", kPositive);
      break;
    case Distribution::Kind::kTable:
      readTable(reader, out, range);
      break;
    case Distribution::Kind::kConstant:
      return otherwise;
  }
  out.min = reader.number("min", out.min, range);
  out.max = reader.number("max", out.max, range);
  if (out.min > out.max) reader.fail("min", "is above 'max'");
  return out;
}

}  // namespace wend
