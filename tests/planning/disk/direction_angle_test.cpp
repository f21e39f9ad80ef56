#include "planning/disk/direction_angle.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "base/random.h"

namespace wend {
namespace {

TEST(DirectionAngle, Axes) {
  EXPECT_NEAR(angleOfDirection({1, 0}), 0, 1e-15);
  EXPECT_NEAR(angleOfDirection({0, 1}), 0.5 * std::numbers::pi, 1e-15);
  EXPECT_NEAR(angleOfDirection({-1, 0}), std::numbers::pi, 1e-15);
  EXPECT_NEAR(angleOfDirection({0, -1}), -0.5 * std::numbers::pi, 1e-15);
}

TEST(DirectionAngle, AgreesWithTheLibrary) {
  Random random(5);
  double worst = 0;
  for (int i = 0; i < 200000; ++i) {
    const double angle = random.real(-std::numbers::pi, std::numbers::pi);
    const double x = std::cos(angle);
    const double y = std::sin(angle);
    worst = std::max(worst, std::abs(angleOfDirection({x, y}) - std::atan2(y, x)));
  }
  EXPECT_LT(worst, 1e-15);
}

}  // namespace
}  // namespace wend
