#include "planning/density/fundamental_diagram.h"

#include <algorithm>
#include <cmath>

namespace wend {
namespace {

constexpr double kTopSpeed = 1.4;  // m/s, of the linear diagram

// Kladek's form; k persons per m2.
double weidmann(double k) {
  constexpr double kFree = 1.34;    // m/s
  constexpr double kShape = 1.913;  // 1/m2
  constexpr double kJam = 5.4;      // 1/m2
  if (!(k > 0)) return kFree;
  return kFree * (1 - std::exp(-kShape * (1 / k - 1 / kJam)));
}

double unclamped(FundamentalDiagram diagram, double density) {
  const double k = personsPerM2(density);
  switch (diagram) {
    case FundamentalDiagram::kLinear:
      return kTopSpeed * (1 - density);
    case FundamentalDiagram::kWeidmann:
      return weidmann(k);
    case FundamentalDiagram::kFruin:
      return 1.43 - 0.35 * k;
    case FundamentalDiagram::kOlder:
      return 1.32 - 0.34 * k;
    case FundamentalDiagram::kTanaboriboon:
      return 1.23 - 0.26 * k;
    case FundamentalDiagram::kSarkar:
      return 1.46 - 0.35 * k;
    case FundamentalDiagram::kVirkler:
      return 1.01 * std::exp(-k / 4.17);
  }
  return kTopSpeed;
}

}  // namespace

const char* methodName(FundamentalDiagram diagram) {
  switch (diagram) {
    case FundamentalDiagram::kLinear:
      return "linear";
    case FundamentalDiagram::kWeidmann:
      return "weidmann";
    case FundamentalDiagram::kFruin:
      return "fruin";
    case FundamentalDiagram::kOlder:
      return "older";
    case FundamentalDiagram::kTanaboriboon:
      return "tanaboriboon";
    case FundamentalDiagram::kSarkar:
      return "sarkar";
    case FundamentalDiagram::kVirkler:
      return "virkler";
  }
  return "unknown";
}

double speed(FundamentalDiagram diagram, double density) {
  return std::max(0.0, unclamped(diagram, std::clamp(density, 0.0, 1.0)));
}

double slowness(FundamentalDiagram diagram, double density) {
  if (!(density > 0)) return 1;
  const double free = speed(diagram, 0);
  return free / std::max(speed(diagram, density), free / kSlowest);
}

const char* tableName(ServiceTable table) {
  return table == ServiceTable::kSource ? "van Toll 2017" : "Fruin 1971, walkways";
}

std::array<double, 6> levelBounds(ServiceTable table) {
  if (table == ServiceTable::kSource) return {0, 0.2, 0.45, 0.7, 1.1, 2.0};
  return {0, 0.31, 0.43, 0.72, 1.08, 2.15};
}

ServiceLevel serviceLevel(ServiceTable table, double density) {
  const std::array<double, 6> bounds = levelBounds(table);
  // A density given as a multiple of the body area must not fall below its own class by rounding.
  const double k = personsPerM2(density) * (1 + 1e-12);
  size_t level = 0;
  while (level + 1 < bounds.size() && k >= bounds[level + 1]) ++level;
  return static_cast<ServiceLevel>(level);
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

ServiceColour serviceColour(ServiceTable table, double density) {
  constexpr std::array<ServiceColour, 6> kColours{
      {{40, 90, 220}, {60, 170, 75}, {255, 225, 60}, {245, 140, 40}, {215, 40, 40}, {130, 40, 150}}};
  const std::array<double, 6> bounds = levelBounds(table);
  const double k = personsPerM2(std::clamp(density, 0.0, 1.0));
  size_t level = 0;
  while (level + 1 < bounds.size() && k >= bounds[level + 1]) ++level;
  if (level + 1 == bounds.size()) return kColours.back();
  const double t = (k - bounds[level]) / (bounds[level + 1] - bounds[level]);
  const auto blend = [t](uint8_t a, uint8_t b) { return static_cast<uint8_t>(std::lround(a + t * (b - a))); };
  const ServiceColour& a = kColours[level];
  const ServiceColour& b = kColours[level + 1];
  return {blend(a.red, b.red), blend(a.green, b.green), blend(a.blue, b.blue)};
}

}  // namespace wend
