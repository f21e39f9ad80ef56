#include "planning/replan/changed_part.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/vec2.h"

namespace wend {
namespace {

TEST(ChangedPart, NothingIsInfinitelyFarAway) {
  const ChangedPart part;
  EXPECT_EQ(part.distance({1, 2}), HUGE_VAL);
  EXPECT_EQ(part.lengthThrough({1, 2}, {3, 4}), HUGE_VAL);
  EXPECT_TRUE(part.isBeyond({1, 2}, {3, 4}, 1e300));
}

TEST(ChangedPart, AnEndInTheBoxOrASegmentThroughIt) {
  const ChangedBox box{{2, 2}, {4, 3}};
  EXPECT_DOUBLE_EQ(lengthThroughBox(box, {3, 2.5}, {10, 2.5}), 7);
  EXPECT_DOUBLE_EQ(lengthThroughBox(box, {0, 2.5}, {10, 2.5}), 10);
  EXPECT_DOUBLE_EQ(lengthThroughBox(box, {0, 0}, {4, 4}), std::sqrt(32.0));
  // Beside it: there and back.
  EXPECT_DOUBLE_EQ(lengthThroughBox(box, {3, 0}, {3, 0}), 4);
  EXPECT_DOUBLE_EQ(lengthThroughBox(box, {2, 0}, {4, 0}), 2 * std::sqrt(5.0));
}

// Against many points of the box; never more than the truth, and at least what the source's two distances give.
TEST(ChangedPart, TheBoundIsTheLeastOverTheBox) {
  Random random(7);
  for (int trial = 0; trial < 2000; ++trial) {
    const auto place = [&] { return Vec2{random.real(-5, 5), random.real(-5, 5)}; };
    const Vec2 a = place();
    const bool isPoint = random.chance(0.2);
    const ChangedBox box{a, isPoint ? a : Vec2{a.x + random.real(0, 4), a.y + random.real(0, 4)}};
    const Vec2 p = place();
    const Vec2 q = place();
    const double bound = lengthThroughBox(box, p, q);
    double truth = HUGE_VAL;
    constexpr int kSteps = 60;
    for (int i = 0; i <= kSteps; ++i) {
      for (int j = 0; j <= kSteps; ++j) {
        const Vec2 over{box.low.x + (box.high.x - box.low.x) * i / kSteps,
                        box.low.y + (box.high.y - box.low.y) * j / kSteps};
        truth = std::min(truth, distance(p, over) + distance(over, q));
      }
    }
    ASSERT_LE(bound, truth + 1e-12);
    ASSERT_GE(bound, truth - 0.15);  // the points stand 0.07 apart at most
    ASSERT_GE(bound, distanceToBox(box, p) + distanceToBox(box, q) - 1e-12);
    ASSERT_GE(bound, distance(p, q) - 1e-12);
  }
}

TEST(ChangedPart, BoxesAreMergedAndStillCoverAllPoints) {
  Random random(8);
  for (int trial = 0; trial < 300; ++trial) {
    ChangedPart part;
    std::vector<Vec2> points;
    for (uint64_t i = random.below(40); i > 0; --i) {
      points.push_back({random.real(), random.real()});
      part.add(points.back());
    }
    part.merge(random.real(0, 0.1));
    EXPECT_LE(part.boxes().size(), ChangedPart::kMaxBoxes);
    for (const Vec2 p : points) EXPECT_EQ(part.distance(p), 0);
    const Vec2 p{random.real(-1, 2), random.real(-1, 2)};
    const Vec2 q{random.real(-1, 2), random.real(-1, 2)};
    const double length = random.real(0, 4);
    EXPECT_EQ(part.isBeyond(p, q, length), part.lengthThrough(p, q) >= length);
  }
}

}  // namespace
}  // namespace wend
