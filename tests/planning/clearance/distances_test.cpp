#include "planning/clearance/distances.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace wend {
namespace {

// Found on the medial axis of a random world: both lie on x + y = 900 up to rounding, one behind the other.
TEST(ClearanceGeometry, SegmentsOnOneLineDoNotCross) {
  const Vec2 a{665.68542494923804, 234.31457505076199};
  const Vec2 b{502, 398};
  EXPECT_NEAR(closestBetween(a, b, {100, 800}, {500, 400}).distance, std::sqrt(8.0), 1e-9);
  EXPECT_FALSE(isNearer(a, b, {100, 800}, {500, 400}, 2.8));
  EXPECT_TRUE(isNearer(a, b, {100, 800}, {500, 400}, 2.9));
}

// Four points in a row on a line through two places of the lattice, each rounded.
TEST(ClearanceGeometry, GapsBetweenSegmentsOnOneLineAreKept) {
  Random random(11);
  const auto place = [&] { return static_cast<double>(random.between(-1000, 1000)); };
  for (int i = 0; i < 20000; ++i) {
    const Vec2 from{place(), place()};
    const Vec2 to{place(), place()};
    if (distance(from, to) < 10) continue;
    std::array<double, 4> t{};
    for (double& u : t) u = random.real(0, 1);
    std::sort(t.begin(), t.end());
    const Vec2 a = between(from, to, t[0]);
    const Vec2 b = between(from, to, t[1]);
    const Vec2 c = between(from, to, t[2]);
    const Vec2 d = between(from, to, t[3]);
    const double gap = distance(b, c);
    ASSERT_NEAR(closestBetween(a, b, c, d).distance, gap, 1e-9) << i;
    ASSERT_NEAR(closestBetween(d, c, a, b).distance, gap, 1e-9) << i;
    if (gap < 1e-6) continue;
    ASSERT_FALSE(isNearer(a, b, c, d, gap * (1 - 1e-6))) << i;
    ASSERT_TRUE(isNearer(b, a, c, d, gap * (1 + 1e-6))) << i;
  }
}

// Against many points of one segment.
TEST(ClearanceGeometry, ClosestBetweenSegments) {
  Random random(12);
  const auto place = [&] { return Vec2{random.real(-10, 10), random.real(-10, 10)}; };
  int crossings = 0;
  for (int i = 0; i < 500; ++i) {
    const Vec2 a = place();
    const Vec2 b = place();
    const Vec2 c = place();
    const Vec2 d = place();
    double least = 1e300;
    for (int k = 0; k <= 1000; ++k) least = std::min(least, distanceToSegment(between(a, b, 0.001 * k), c, d));
    const Closest found = closestBetween(a, b, c, d);
    EXPECT_LE(found.distance, least + 1e-12);
    EXPECT_GE(found.distance, least - 0.001 * distance(a, b));
    crossings += found.distance == 0 ? 1 : 0;
    EXPECT_EQ(isNearer(a, b, c, d, 0.5), found.distance < 0.5) << i;
  }
  EXPECT_GT(crossings, 50);
}

}  // namespace
}  // namespace wend
