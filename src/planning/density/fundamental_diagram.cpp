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

}  // namespace wend
