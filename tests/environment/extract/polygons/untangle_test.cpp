#include "environment/extract/polygons/untangle.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/polygon_check.h"

namespace wend::extraction {
namespace {

Rings ringsOf(const std::vector<std::vector<Point>>& walks) {
  Rings rings;
  for (const std::vector<Point>& walk : walks) rings.add(walk);
  return rings;
}

std::vector<std::vector<Point>> walksOf(const Rings& rings) {
  std::vector<std::vector<Point>> walks;
  for (size_t r = 0; r < rings.count(); ++r) walks.emplace_back(rings.ring(r).begin(), rings.ring(r).end());
  return walks;
}

// How often walks wind around the middle of the unit square with this lower left corner.
int windingAt(const Rings& rings, Point corner) {
  int winding = 0;
  for (size_t r = 0; r < rings.count(); ++r) {
    const auto ring = rings.ring(r);
    for (size_t i = 0; i < ring.size(); ++i) {
      const Point a = ring[i];
      const Point b = ring[i + 1 == ring.size() ? 0 : i + 1];
      // Sides are level or upright.
      if (a.x <= corner.x || a.x != b.x) continue;
      if (std::min(a.y, b.y) > corner.y || std::max(a.y, b.y) <= corner.y) continue;
      winding += b.y > a.y ? 1 : -1;
    }
  }
  return winding;
}

TEST(Untangle, NothingStaysNothing) {
  Rings rings;
  EXPECT_TRUE(untangle(rings));
  EXPECT_EQ(rings.count(), 0U);
}

TEST(Untangle, LeavesWalksThatMeetInVertices) {
  const std::vector<std::vector<Point>> walks{{{10, 0}, {10, 10}, {0, 10}, {0, 0}}, {{10, 10}, {20, 10}, {20, 20}}};
  Rings rings = ringsOf(walks);
  EXPECT_TRUE(untangle(rings));
  EXPECT_EQ(walksOf(rings), walks);
}

TEST(Untangle, CutsCrossings) {
  Rings rings = ringsOf({{{0, 0}, {10, 10}, {10, 0}, {0, 10}}});
  EXPECT_TRUE(untangle(rings));
  EXPECT_EQ(walksOf(rings), (std::vector<std::vector<Point>>{{{0, 0}, {5, 5}, {0, 10}}}));
}

// Two floors that overlap in a wedge: their union, not what only one of them covers.
TEST(Untangle, KeepsWhatIsCoveredTwiceWhereSidesCross) {
  Rings rings = ringsOf({{{0, 0}, {100, 0}, {100, 56}, {0, 44}}, {{0, 50}, {100, 50}, {100, 99}, {0, 99}}});
  EXPECT_TRUE(untangle(rings));
  EXPECT_EQ(walksOf(rings),
            (std::vector<std::vector<Point>>{
                {{0, 0}, {100, 0}, {100, 50}, {100, 56}, {100, 99}, {0, 99}, {0, 50}, {50, 50}, {0, 44}}}));
}

TEST(Untangle, TakesSpikesOff) {
  Rings rings = ringsOf({{{0, 0}, {10, 0}, {14, 0}, {10, 0}, {10, 10}, {0, 10}}});
  EXPECT_TRUE(untangle(rings));
  EXPECT_EQ(walksOf(rings), (std::vector<std::vector<Point>>{{{0, 0}, {10, 0}, {10, 10}, {0, 10}}}));
  rings = ringsOf({{{0, 0}, {14, 0}, {10, 0}, {10, 10}, {0, 10}}});
  EXPECT_TRUE(untangle(rings));
  EXPECT_EQ(walksOf(rings), (std::vector<std::vector<Point>>{{{0, 0}, {10, 0}, {10, 10}, {0, 10}}}));
}

// A needle of rounding that shares a side with the walk.
TEST(Untangle, TakesNeedlesOff) {
  Rings rings = ringsOf({{{0, 0}, {1, 0}, {-40, 90}, {0, 0}, {1, 0}, {20, 0}, {20, 100}, {-100, 100}, {-100, 0}}});
  EXPECT_TRUE(untangle(rings));
  EXPECT_EQ(walksOf(rings),
            (std::vector<std::vector<Point>>{{{-100, 0}, {0, 0}, {1, 0}, {20, 0}, {20, 100}, {-100, 100}}}));
}

// Two treads that overlap along their common line: the strip is floor, not a slit in it.
TEST(Untangle, KeepsWhatIsCoveredTwice) {
  Rings rings = ringsOf({{{0, 0}, {100, 0}, {100, 56}, {20, 56}, {20, 50}, {100, 50}, {100, 99}, {0, 99}}});
  EXPECT_TRUE(untangle(rings));
  EXPECT_EQ(walksOf(rings),
            (std::vector<std::vector<Point>>{{{0, 0}, {100, 0}, {100, 50}, {100, 56}, {100, 99}, {0, 99}}}));
}

TEST(Untangle, SplitsSidesAtVerticesOfOthers) {
  Rings rings = ringsOf({{{0, 0}, {10, 0}, {10, 10}, {0, 10}}, {{10, 4}, {15, 0}, {15, 8}}});
  EXPECT_TRUE(untangle(rings));
  EXPECT_TRUE(findPolygonFaults(polygonsOf(rings), 1).empty());
  EXPECT_EQ(rings.points.size(), 8U);
}

// Whatever way a walk takes from vertex to vertex, what is left bounds what it goes around.
TEST(Untangle, BoundsWhatIsWoundAround) {
  Random random(7);
  int refused = 0;
  for (int round = 0; round < 2000; ++round) {
    constexpr int32_t kReach = 6;
    Rings rings;
    for (int64_t walks = random.between(1, 2); walks > 0; --walks) {
      const Point start{static_cast<int32_t>(random.between(0, kReach)),
                        static_cast<int32_t>(random.between(0, kReach))};
      std::vector<Point> walk{start};
      const auto go = [&](Point to) {
        // Unit steps meet in vertices only; longer ones have vertices of others inside them.
        const bool straight = walk.size() > 1 && orient(walk[walk.size() - 2], walk.back(), to) == 0 &&
                              (walk[walk.size() - 2] < walk.back()) == (walk.back() < to);
        if (straight && random.chance(0.1)) walk.pop_back();
        walk.push_back(to);
      };
      for (int64_t steps = random.between(3, 30); steps > 0; --steps) {
        const Point at = walk.back();
        const int32_t by = random.chance(0.5) ? 1 : -1;
        const Point to = random.chance(0.5) ? Point{at.x + by, at.y} : Point{at.x, at.y + by};
        if (to.x >= 0 && to.y >= 0 && to.x <= kReach && to.y <= kReach) go(to);
      }
      while (walk.back().x != start.x) go({walk.back().x + (walk.back().x < start.x ? 1 : -1), walk.back().y});
      while (walk.back().y != start.y) go({walk.back().x, walk.back().y + (walk.back().y < start.y ? 1 : -1)});
      if (walk.size() > 1) walk.pop_back();
      rings.add(walk);
    }
    Rings result = rings;
    if (!untangle(result)) {
      ++refused;
      continue;
    }
    const bool changed = walksOf(result) != walksOf(rings);
    for (int32_t x = 0; x < kReach; ++x) {
      for (int32_t y = 0; y < kReach; ++y) {
        const int before = windingAt(rings, {x, y});
        const int after = windingAt(result, {x, y});
        ASSERT_EQ(changed ? (before > 0 ? 1 : 0) : before, after) << "round " << round << " at " << x << ", " << y;
      }
    }
  }
  EXPECT_LT(refused, 1000);
}

}  // namespace
}  // namespace wend::extraction
