#pragma once

#include <array>
#include <cstdint>
#include <string_view>

// Levels of service: six classes, A to F, by which a density is judged. Densities are persons per m2.
namespace wend {

enum class ServiceLevel : uint8_t { kA, kB, kC, kD, kE, kF };

enum class ServiceTable : uint8_t {
  kFruin,    // Fruin 1971, walkways: from square feet per person
  kDisplay,  // van Toll 2017: in round numbers, for displays
  kStairs,   // Fruin 1971, stairways
  kQueues,   // Fruin 1971, waiting areas
};
std::string_view tableName(ServiceTable table);

// The densities at which levels B to F begin.
std::array<double, 5> serviceLimits(ServiceTable table);
ServiceLevel serviceLevel(double density, ServiceTable table);
char levelLetter(ServiceLevel level);
std::string_view levelMeaning(ServiceLevel level);

struct ServiceColour {
  uint8_t red = 0;
  uint8_t green = 0;
  uint8_t blue = 0;
  bool operator==(const ServiceColour&) const = default;
};
// Blue, green, yellow, orange, red, purple for A to F.
ServiceColour levelColour(ServiceLevel level);
// The colours of the levels at the densities where they begin, blended between them; purple from F on.
ServiceColour serviceColour(double density, ServiceTable table);

}  // namespace wend
