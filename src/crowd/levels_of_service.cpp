#include <algorithm>
#include <cmath>

#include <wend/levels_of_service.h>

namespace wend {

std::string_view tableName(ServiceTable table) {
  switch (table) {
    case ServiceTable::kDisplay:
      return "van Toll 2017";
    case ServiceTable::kStairs:
      return "Fruin 1971, stairways";
    case ServiceTable::kQueues:
      return "Fruin 1971, waiting areas";
    case ServiceTable::kFruin:
      break;
  }
  return "Fruin 1971, walkways";
}

std::array<double, 5> serviceLimits(ServiceTable table) {
  if (table == ServiceTable::kDisplay) return {0.2, 0.45, 0.7, 1.1, 2.0};
  // Stairs: 20, 15, 10, 7, 4 square feet per person; waiting: 13, 10, 7, 3, 2.
  if (table == ServiceTable::kStairs) return {0.54, 0.72, 1.08, 1.54, 2.69};
  if (table == ServiceTable::kQueues) return {0.83, 1.08, 1.54, 3.59, 5.38};
  return {0.31, 0.43, 0.72, 1.08, 2.15};
}

ServiceLevel serviceLevel(double density, ServiceTable table) {
  // A density that was computed as a limit must not fall below it by rounding.
  constexpr double kRounding = 1e-12;
  const std::array<double, 5> limits = serviceLimits(table);
  return static_cast<ServiceLevel>(std::upper_bound(limits.begin(), limits.end(), density * (1 + kRounding)) -
                                   limits.begin());
}

char levelLetter(ServiceLevel level) {
  return static_cast<char>('A' + static_cast<int>(level));
}

std::string_view levelMeaning(ServiceLevel level) {
  constexpr std::array<std::string_view, 6> kMeaning{
      "free movement, conflicts improbable",
      "free, others are noticed, paths may be adapted",
      "normal walking; conflicts possible in two-way flow",
      "own speed restricted, friction very probable",
      "slowing and shuffling, overtaking and crossing hard",
      "shuffling only, crossing or two-way flow nearly impossible",
  };
  return kMeaning[static_cast<size_t>(level)];
}

ServiceColour levelColour(ServiceLevel level) {
  constexpr std::array<ServiceColour, 6> kColours{
      {{40, 90, 220}, {60, 170, 75}, {255, 225, 60}, {245, 140, 40}, {215, 40, 40}, {130, 40, 150}}};
  return kColours[static_cast<size_t>(level)];
}

ServiceColour serviceColour(double density, ServiceTable table) {
  const ServiceLevel level = serviceLevel(density, table);
  const ServiceColour a = levelColour(level);
  if (level == ServiceLevel::kF) return a;
  const auto i = static_cast<size_t>(level);
  const ServiceColour b = levelColour(static_cast<ServiceLevel>(i + 1));
  const std::array<double, 5> limits = serviceLimits(table);
  const double begin = i == 0 ? 0 : limits[i - 1];
  const double t = std::clamp((density - begin) / (limits[i] - begin), 0.0, 1.0);
  const auto blend = [t](uint8_t from, uint8_t to) {
    return static_cast<uint8_t>(std::lround(from + t * (to - from)));
  };
  return {blend(a.red, b.red), blend(a.green, b.green), blend(a.blue, b.blue)};
}

}  // namespace wend
