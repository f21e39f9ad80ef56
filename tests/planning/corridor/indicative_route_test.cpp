#include "planning/corridor/indicative_route.h"

#include <gtest/gtest.h>

#include "tests/planning/corridor/checks.h"

namespace wend {
namespace {

TEST(CorridorSearch, ReachesWhatShrunkFreeSpaceJoinsOnCoarseWorlds) {
  EXPECT_GT(checkReach(false, 31, 60), 500);
}

TEST(CorridorSearch, ReachesWhatShrunkFreeSpaceJoinsOnFineWorlds) {
  EXPECT_GT(checkReach(true, 32, 20), 150);
}

// The slow obvious shortest path on the axis: relaxing every edge until nothing changes.
double relaxedLength(const CorridorWorld& world, const AxisPoint& s, const AxisPoint& g, double r) {
  const CorridorMap& map = *world.map;
  const double kFar = std::numeric_limits<double>::infinity();
  std::vector<double> length(map.vertices.size(), kFar);
  const CorridorMap::Edge& a = map.edges[s.edge];
  const CorridorMap::Edge& b = map.edges[g.edge];
  if (s.leastToStart >= r) length[a.from] = std::min(length[a.from], s.along);
  if (s.leastToEnd >= r) length[a.to] = std::min(length[a.to], a.length - s.along);
  for (bool changed = true; changed;) {
    changed = false;
    for (const CorridorMap::Edge& e : map.edges) {
      if (e.minClearance < r) continue;
      for (const auto& [from, to] : {std::pair{e.from, e.to}, {e.to, e.from}}) {
        if (length[from] + e.length < length[to] - 1e-9) {
          length[to] = length[from] + e.length;
          changed = true;
        }
      }
    }
  }
  double best = kFar;
  if (s.edge == g.edge && leastClearanceBetween(*world.graph, s, g) >= r) best = std::abs(s.along - g.along);
  if (g.leastToStart >= r) best = std::min(best, length[b.from] + g.along);
  if (g.leastToEnd >= r) best = std::min(best, length[b.to] + b.length - g.along);
  return best;
}

TEST(CorridorSearch, FindsTheShortestPathOnTheAxis) {
  Random random(33);
  for (int i = 0; i < 80; ++i) {
    const auto world = CorridorWorld::random(random, i % 2 == 0);
    if (!world) continue;
    for (int k = 0; k < 10; ++k) {
      const auto from = world->place(toVec2(world->randomFree(random)));
      const auto to = world->place(toVec2(world->randomFree(random)));
      ASSERT_TRUE(from && to);
      const double r = random.chance(0.3) ? 0 : random.real(0, 0.1) * boundingBox(world->environment).max.x;
      const Planned planned = search(*world, *from, *to, r);
      const double truth = relaxedLength(*world, from->axis, to->axis, r);
      ASSERT_EQ(planned.found, std::isfinite(truth)) << "world " << i;
      if (planned.found) {
        ASSERT_NEAR(planned.path.cost, truth, 1e-6 * truth + 1e-3) << "world " << i;
      }
    }
  }
}

TEST(CorridorBottleneck, IsTheLargestRadiusThatGetsThrough) {
  Random random(34);
  for (int i = 0; i < 60; ++i) {
    const auto world = CorridorWorld::random(random, i % 2 == 0);
    if (!world) continue;
    const CorridorBottleneck bottleneck(*world->graph);
    for (int k = 0; k < 5; ++k) {
      const auto from = world->place(toVec2(world->randomFree(random)));
      const auto to = world->place(toVec2(world->randomFree(random)));
      ASSERT_TRUE(from && to);
      const double widest = bottleneck.between(*world->graph, from->axis, to->axis);
      if (widest < 0) {
        ASSERT_FALSE(search(*world, *from, *to, 0).found);
        continue;
      }
      double low = 0;
      double high = std::min(from->axis.clearance, to->axis.clearance) + 1;
      for (int step = 0; step < 60; ++step) {
        const double middle = 0.5 * (low + high);
        (search(*world, *from, *to, middle).found ? low : high) = middle;
      }
      ASSERT_NEAR(widest, low, 1e-6 * low + 1e-6) << "world " << i;
    }
  }
}

TEST(CorridorRoute, KeepsItsClearanceOnCoarseWorlds) {
  EXPECT_GT(checkRoutes(false, 41, 200), 500);
}

TEST(CorridorRoute, KeepsItsClearanceOnFineWorlds) {
  EXPECT_GT(checkRoutes(true, 42, 200), 500);
}

}  // namespace
}  // namespace wend
