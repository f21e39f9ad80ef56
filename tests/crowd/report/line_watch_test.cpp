#include "crowd/report/line_watch.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"

namespace wend {
namespace {

// Turned, so that no coordinate is round.
Vec2 turned(Vec2 p) {
  constexpr double kAngle = 0.713;
  return {std::cos(kAngle) * p.x - std::sin(kAngle) * p.y + 3.7, std::sin(kAngle) * p.x + std::cos(kAngle) * p.y - 1.9};
}

// From (0, 0) to (2, 0): its left is above.
MeasuringLine line() {
  MeasuringLine l;
  l.from = turned({0, 0});
  l.to = turned({2, 0});
  return l;
}

// The number of the move that crosses, 0 for none.
size_t crossingOf(const std::vector<Vec2>& way, bool leavesAtEnd = false, bool* forward = nullptr) {
  LineWatch watch;
  size_t at = 0;
  for (size_t i = 1; i < way.size(); ++i) {
    const bool isLast = leavesAtEnd && i + 1 == way.size();
    if (!watch.crosses(line(), turned(way[i - 1]), turned(way[i]), isLast)) continue;
    EXPECT_EQ(at, 0U) << "only the first crossing counts";
    at = i;
  }
  if (forward != nullptr) *forward = watch.isForward();
  return at;
}

TEST(LineWatch, AMoveOverTheLineCrossesIt) {
  bool forward = false;
  EXPECT_EQ(crossingOf({{1, -2}, {1, -1}, {1, 1}, {1, -1}}, false, &forward), 2U);
  EXPECT_TRUE(forward);
  EXPECT_EQ(crossingOf({{1, 1}, {1, -1}}, false, &forward), 1U);
  EXPECT_FALSE(forward);
  EXPECT_EQ(crossingOf({{3, -1}, {3, 1}}), 0U) << "beside its end";
}

// A step that ends exactly on the line is followed by one that leaves it. In both directions one of the two counts.
TEST(LineWatch, AStepThatEndsOnTheLineIsNotLost) {
  for (const double sign : {-1.0, 1.0}) {
    for (const double off : {0.0, 2e-6, -2e-6}) {
      bool forward = false;
      EXPECT_EQ(crossingOf({{1, -sign}, {1, off}, {1, sign}}, false, &forward), 2U) << sign << ' ' << off;
      EXPECT_EQ(forward, sign > 0);
      EXPECT_EQ(crossingOf({{1, -sign}, {1, off}, {1.2, -off}, {1.3, off}, {1.3, sign}}, false, &forward), 4U);
      EXPECT_EQ(forward, sign > 0);
    }
  }
}

TEST(LineWatch, ATouchIsNoCrossing) {
  for (const double sign : {-1.0, 1.0}) {
    EXPECT_EQ(crossingOf({{1, sign}, {1, 0}, {1, sign}}), 0U) << sign;
    EXPECT_EQ(crossingOf({{1, sign}, {1, 0}, {1, sign}, {1, -sign}}), 3U) << sign;
    EXPECT_EQ(crossingOf({{1, sign}, {1, 0}}), 0U) << "it stands there yet";
  }
}

// The line of an exit may be the place where persons leave.
TEST(LineWatch, WhoLeavesTheWorldOnTheLineHasCrossedIt) {
  bool forward = false;
  EXPECT_EQ(crossingOf({{1, -2}, {1, -1}, {1, 0}}, true, &forward), 2U);
  EXPECT_TRUE(forward);
  EXPECT_EQ(crossingOf({{1, -1}, {1, 0}, {1.5, 0}}, true, &forward), 2U);
  EXPECT_EQ(crossingOf({{1, 1}, {1, 0}}, true, &forward), 1U);
  EXPECT_FALSE(forward);
  EXPECT_EQ(crossingOf({{3, -1}, {3, 0}}, true), 0U) << "beside its end";
}

TEST(LineWatch, WhoAppearsOnTheLineCrossesItWhenItLeaves) {
  EXPECT_EQ(crossingOf({{1, 0}, {1, 1}}), 1U);
  EXPECT_EQ(crossingOf({{1, 0}, {1, -1}}), 1U);
  LineWatch watch;
  EXPECT_FALSE(watch.crosses(line(), turned({1, -1}), turned({1, 0}), false));
  watch.interrupt();  // it jumped onto the line, from nowhere
  EXPECT_TRUE(watch.crosses(line(), turned({1, 0}), turned({1, -1}), false));
}

// A slow obvious version: the way is on one side, then on the other one, and never jumps. Steps are multiples of 1/4,
// so many of them end on the line.
TEST(LineWatch, AnyWayEndsOnTheSideThatItsCrossingsSay) {
  Random random(5);
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<Vec2> way{{1, random.real() < 0.5 ? -0.5 : 0.5}};
    for (int i = 0; i < 12; ++i) way.push_back({1, way.back().y + 0.25 * std::floor(random.real(-1, 2))});
    size_t expected = 0;
    double side = way.front().y;
    for (size_t i = 1; expected == 0 && i < way.size(); ++i) {
      if (way[i].y * side < 0) expected = i;
    }
    ASSERT_EQ(crossingOf(way), expected) << trial;
  }
}

}  // namespace
}  // namespace wend
