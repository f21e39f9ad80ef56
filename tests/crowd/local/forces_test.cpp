#include "crowd/local/forces.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace wend {
namespace {

Vec2 randomVec2(Random& random, double size) {
  return {random.real(-size, size), random.real(-size, size)};
}

double energy(Vec2 x, Vec2 v, double reach) {
  const double a = dot(v, v);
  const double b = -dot(x, v);
  const double c = dot(x, x) - reach * reach;
  const double time = (b - std::sqrt(b * b - a * c)) / a;
  return power_law::kStrength * std::exp(-time / power_law::kDecay) / (time * time);
}

TEST(Forces, PowerLawIsTheGradientOfItsEnergy) {
  Random random(15);
  int checked = 0;
  for (int n = 0; n < 20000; ++n) {
    const Vec2 x = randomVec2(random, 4);
    const Vec2 v = randomVec2(random, 2);
    const double reach = 0.5;
    const double a = dot(v, v);
    const double b = -dot(x, v);
    const double c = dot(x, x) - reach * reach;
    const double d = b * b - a * c;
    if (a < 0.1 || c <= 0 || b <= 0 || d < 0.01 * a || (b - std::sqrt(d)) / a < 0.2) continue;
    ++checked;
    const double h = 1e-6;
    const Vec2 gradient{(energy({x.x + h, x.y}, v, reach) - energy({x.x - h, x.y}, v, reach)) / (2 * h),
                        (energy({x.x, x.y + h}, v, reach) - energy({x.x, x.y - h}, v, reach)) / (2 * h)};
    const Vec2 force = power_law::disk(x, v, reach);
    EXPECT_LT(length(force + gradient), 1e-3 * length(gradient) + 1e-9);
    // Newton's third law: the other's x and v are the negatives.
    const Vec2 other = power_law::disk(-x, -v, reach);
    EXPECT_NEAR(length(force + other), 0, 1e-12);
  }
  EXPECT_GT(checked, 500);
}

TEST(Forces, PowerLawAtASideIsTheGradientToo) {
  Random random(16);
  for (int n = 0; n < 1000; ++n) {
    const double angle = random.real(0, 6.28);
    const Vec2 normal{std::cos(angle), std::sin(angle)};
    const Vec2 v = randomVec2(random, 2);
    const double gap = random.real(0.3, 3);
    if (dot(v, normal) < 0.1) continue;
    const auto at = [&](double g) {
      const double time = g / dot(v, normal);
      return power_law::kStrength * std::exp(-time / power_law::kDecay) / (time * time);
    };
    const double h = 1e-6;
    // The gap shrinks along the normal.
    const double slope = -(at(gap + h) - at(gap - h)) / (2 * h);
    const Vec2 force = power_law::side(normal, v, gap / dot(v, normal));
    EXPECT_NEAR(dot(force, normal), -slope, 1e-3 * std::abs(slope) + 1e-9);
    EXPECT_NEAR(cross(force, normal), 0, 1e-9);
  }
}

TEST(Forces, PowerLawIsBoundedWhereItsFormulaIsNot) {
  EXPECT_GT(power_law::disk({0.4, 0}, {-1, 0}, 0.5).x, 0);       // overlapping and pressing on
  EXPECT_EQ(length(power_law::disk({0.4, 0}, {1, 0}, 0.5)), 0);  // and leaving
  EXPECT_EQ(length(power_law::disk({2, 0}, {0, 0}, 0.5)), 0);
  EXPECT_EQ(length(power_law::disk({0, 0}, {0, 0}, 0.5)), 0);
  EXPECT_TRUE(std::isfinite(length(power_law::disk({0.5 + 1e-12, 0}, {-1, 0}, 0.5))));
  EXPECT_TRUE(std::isfinite(length(power_law::disk({2, 0.5 - 1e-14}, {-1, 0}, 0.5))));
}

TEST(Forces, SocialRepulsionIsTheGradientOfItsPotential) {
  Random random(17);
  for (int n = 0; n < 1000; ++n) {
    const Vec2 x = randomVec2(random, 1);
    const double reach = 0.48;
    if (length(x) < 0.1) continue;
    const auto potential = [&](Vec2 at) {
      const double overlap = std::max(reach - length(at), 0.0);
      return social_force::kRepulsion * social_force::kRange * std::exp((reach - length(at)) / social_force::kRange) +
             0.5 * social_force::kBody * overlap * overlap;
    };
    const double h = 1e-6;
    const Vec2 gradient{(potential({x.x + h, x.y}) - potential({x.x - h, x.y})) / (2 * h),
                        (potential({x.x, x.y + h}) - potential({x.x, x.y - h})) / (2 * h)};
    const Vec2 force = social_force::normal(direction(x, {}), reach, length(x));
    EXPECT_LT(length(force + gradient), 1e-3 * length(gradient) + 1e-6);
  }
}

TEST(Forces, FrictionTakesEnergyAndIsMutual) {
  Random random(18);
  for (int n = 0; n < 1000; ++n) {
    const Vec2 x = randomVec2(random, 0.3);
    const Vec2 mine = randomVec2(random, 2);
    const Vec2 other = randomVec2(random, 2);
    const double reach = 0.48;
    const Vec2 away = direction(x, {1, 0});
    const Vec2 onMe = social_force::friction(away, mine - other, reach, length(x));
    const Vec2 onOther = social_force::friction(-away, other - mine, reach, length(x));
    EXPECT_LE(dot(onMe, mine) + dot(onOther, other), 1e-9);
    EXPECT_NEAR(length(onMe + onOther), 0, 1e-9 * length(onMe));
    const Vec2 pushMe = social_force::normal(away, reach, length(x));
    const Vec2 pushOther = social_force::normal(-away, reach, length(x));
    EXPECT_NEAR(length(pushMe + pushOther), 0, 1e-9 * length(pushMe));
    // A wall: brakes, never drives.
    EXPECT_LE(dot(social_force::friction(away, mine, reach, length(x)), mine), 1e-9);
  }
}

}  // namespace
}  // namespace wend
