#include "mesh/weld.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"

namespace wend {
namespace {

constexpr double kTolerance = 1e-3;

TEST(Weld, NothingIsNothing) {
  const Welding welding = weld({}, kTolerance);
  EXPECT_TRUE(welding.positions.empty());
  EXPECT_TRUE(welding.allWhole);
}

TEST(Weld, EqualPointsShareAPosition) {
  const std::vector<Vec2> points{{1, 2}, {2, 1}, {1, 2}, {0.0, -0.0}, {-0.0, 0.0}};
  const Welding welding = weld(points, kTolerance);
  EXPECT_EQ(welding.position, (std::vector<uint32_t>{0, 1, 0, 2, 2}));
  EXPECT_TRUE(welding.allWhole);
}

TEST(Weld, FractionalPointsJoinTheLattice) {
  const std::vector<Vec2> points{{5.0005, 7}, {5, 7}, {5.0005, 7.0011}};
  const Welding welding = weld(points, kTolerance);
  EXPECT_EQ(welding.position[0], welding.position[1]);
  EXPECT_EQ(welding.positions[welding.position[0]], (Vec2{5, 7}));
  EXPECT_NE(welding.position[2], welding.position[1]);
  EXPECT_FALSE(welding.allWhole);
}

TEST(Weld, PointsOnTheLatticeNeverJoinEachOther) {
  const std::vector<Vec2> points{{0, 0}, {1, 0}, {0.5, 0}};
  const Welding welding = weld(points, 0.6);
  EXPECT_NE(welding.position[0], welding.position[1]);
}

TEST(Weld, NoPointMovesFurtherThanTheTolerance) {
  Random random(2);
  std::vector<Vec2> points;
  for (int i = 0; i < 3000; ++i) points.push_back({random.real(0, 0.03), random.real(-0.03, 0.03)});
  const Welding welding = weld(points, kTolerance);
  std::vector<Vec2> used;
  for (size_t i = 0; i < points.size(); ++i) {
    const Vec2 p = welding.positions[welding.position[i]];
    EXPECT_LE(std::hypot(p.x - points[i].x, p.y - points[i].y), kTolerance);
    used.push_back(p);
  }
  // What is left is apart.
  for (size_t i = 0; i < used.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (used[i] == used[j]) continue;
      ASSERT_GT(std::hypot(used[i].x - used[j].x, used[i].y - used[j].y), kTolerance);
    }
  }
}

}  // namespace
}  // namespace wend
