#pragma once

#include <array>
#include <string_view>

#include <wend/density.h>

// Fundamental diagrams: how fast a crowd walks at a density; and the levels of service by which a density is judged.
//
// Density is the covered share of the ground, 0 to 1; a person covers kBodyArea, so that 1 m2 holds density / kBodyArea
// persons.
namespace wend {

inline constexpr double kBodyArea = 0.18;  // m2: a disk of radius 0.24 m
constexpr double personsPerM2(double density) {
  return density / kBodyArea;
}

// Walking speed in m/s, falling with the density, never negative. kLinear is that of van Toll 2017 (chapter 9), 1.4 m/s
// times (1 - density); kWeidmann is Weidmann 1993 in Kladek's form; the others are fits of their authors' curves over
// persons per m2.
double speed(FundamentalDiagram diagram, double density);

// The time a crowd of this density needs for a way, over the time without crowd: 1 to kSlowest. Jams cost a bounded
// time, so that routes through them can still be compared.
inline constexpr double kSlowest = 20;
double slowness(FundamentalDiagram diagram, double density);

enum class ServiceLevel : uint8_t { kA, kB, kC, kD, kE, kF };
enum class ServiceTable : uint8_t {
  kSource,    // the classes of van Toll 2017, in round numbers
  kWalkways,  // Fruin 1971, walkways: from square feet per person
};
const char* tableName(ServiceTable table);
// Persons per m2 at which each level begins; A begins at 0.
std::array<double, 6> levelBounds(ServiceTable table);
ServiceLevel serviceLevel(ServiceTable table, double density);
char levelLetter(ServiceLevel level);
std::string_view levelMeaning(ServiceLevel level);

struct ServiceColour {
  uint8_t red = 0;
  uint8_t green = 0;
  uint8_t blue = 0;
  bool operator==(const ServiceColour&) const = default;
};
// Blue, green, yellow, orange, red, purple at the lower bounds of A to F, blended between them; purple from there on.
ServiceColour serviceColour(ServiceTable table, double density);

}  // namespace wend
