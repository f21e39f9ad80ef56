#include "base/kind_parameters.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace wend {
namespace {

size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t change = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

Error invalid(std::string message) {
  return {ErrorCode::kInvalidSettings, std::move(message)};
}

}  // namespace

std::string nearestNames(std::string_view typed, std::span<const std::string> names) {
  // Long nonsense needs no exact ranking.
  typed = typed.substr(0, 64);
  std::vector<std::pair<size_t, std::string>> ranked;
  for (const std::string& name : names) {
    const bool part = !typed.empty() && name.find(typed) != std::string::npos;
    ranked.emplace_back(part ? 0 : editDistance(typed, name), name);
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  ranked.resize(std::min<size_t>(ranked.size(), 3));
  std::string list;
  for (const auto& [distance, candidate] : ranked) list += (list.empty() ? "" : ", ") + candidate;
  return list;
}

Status checkParameters(std::string_view owner, std::span<const MakeParameter> known, const GivenParameters& given) {
  for (size_t i = 0; i < given.size(); ++i) {
    const auto& [name, value] = given[i];
    const auto parameter =
        std::find_if(known.begin(), known.end(), [&](const MakeParameter& p) { return p.name == given[i].first; });
    if (parameter == known.end()) {
      std::string names;
      for (const MakeParameter& p : known) names += (names.empty() ? "" : ", ") + p.name;
      return invalid(fmt::format("{} has no parameter '{}'; it has {}", owner, name, names.empty() ? "none" : names));
    }
    if (!(value >= parameter->min && value <= parameter->max)) {
      return invalid(fmt::format("parameter '{}' of {} is {:g}; it must lie between {:g} and {:g}", name, owner, value,
                                 parameter->min, parameter->max));
    }
    if (parameter->whole && value != std::floor(value)) {
      return invalid(fmt::format("parameter '{}' of {} is {:g}; it must be a whole number", name, owner, value));
    }
    for (size_t j = 0; j < i; ++j) {
      if (given[j].first == name) {
        return invalid(fmt::format("parameter '{}' of {} is given twice; keep one", name, owner));
      }
    }
  }
  return Done{};
}

double parameterValue(std::span<const MakeParameter> known, const GivenParameters& given, std::string_view name) {
  for (const auto& [key, value] : given) {
    if (key == name) return value;
  }
  for (const MakeParameter& p : known) {
    if (p.name == name) return p.defaultValue;
  }
  return 0;
}

}  // namespace wend
