#include "planning/disk/direction_angle.h"

namespace wend {
namespace {

std::array<KnownAngle, kAngleSteps> findAngles() {
  std::array<KnownAngle, kAngleSteps> known{};
  for (size_t i = 0; i < kAngleSteps; ++i) {
    const double angle = std::asin((static_cast<double>(i) + 0.5) / kAngleScale);
    known[i] = {angle, std::sin(angle), std::cos(angle)};
  }
  return known;
}

}  // namespace

const std::array<KnownAngle, kAngleSteps> kKnownAngles = findAngles();

}  // namespace wend
