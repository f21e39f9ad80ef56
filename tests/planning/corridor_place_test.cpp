#include "planning/corridor_place.h"

#include <gtest/gtest.h>

#include "planning/corridor_world.h"

namespace wend {
namespace {

using corridor::gap;

constexpr double kExact = 1e-4;  // lattice units: 10 nanometres

Environment room(double size, const std::vector<Loops>& obstacles = {}) {
  EnvironmentDraft draft;
  LayerDraft& layer = draft.layers.emplace_back();
  layer.walkable.push_back({{{0, 0}, {size, 0}, {size, size}, {0, size}}});
  layer.obstacles = obstacles;
  return *buildEnvironment(draft);
}

TEST(CorridorGraph, CellsAroundASquareObstacle) {
  const auto world = CorridorWorld::make(room(10, {{{{4, 4}, {6, 4}, {6, 6}, {4, 6}}}}));
  ASSERT_TRUE(world);
  const CorridorGraph& graph = *world->graph;
  EXPECT_EQ(graph.map().edges.size(), 8U);
  EXPECT_EQ(graph.map().vertices.size(), 8U);
  uint32_t arcs = 0;
  for (uint32_t i = 0; i < graph.map().arcs.size(); ++i) {
    if (!graph.isArc(i)) continue;
    ++arcs;
    for (const DirectedArc d : {2 * i, 2 * i + 1}) {
      const DirectedArc next = graph.next(d);
      const CorridorMap::BendingPoint end = graph.to(d);
      if (next == kNone) {
        EXPECT_EQ(end.l, end.p);
        continue;
      }
      EXPECT_EQ(graph.prev(next), d);
      EXPECT_EQ(graph.from(next).p, end.p);
      EXPECT_LT(gap(graph.from(next).l, end.l), kExact);
    }
  }
  EXPECT_EQ(arcs, 16U);
}

TEST(CorridorPlace, RetractsInARoom) {
  const auto world = CorridorWorld::make(room(10));
  ASSERT_TRUE(world);
  // Below the centre: straight up, onto the diagonal cross's middle.
  const auto place = world->place({50000, 20000});
  ASSERT_TRUE(place);
  EXPECT_DOUBLE_EQ(place->clearance, 20000);
  EXPECT_NEAR(place->retraction.p.x, 50000, kExact);
  EXPECT_NEAR(place->retraction.p.y, 50000, kExact);
  const auto aside = world->place({30000, 10000});
  ASSERT_TRUE(aside);
  EXPECT_NEAR(aside->retraction.p.x, 30000, kExact);
  EXPECT_NEAR(aside->retraction.p.y, 30000, kExact);
  // On a wall and in a corner.
  const auto wall = world->place({70000, 0});
  ASSERT_TRUE(wall);
  EXPECT_EQ(wall->clearance, 0);
  EXPECT_NEAR(wall->retraction.p.y, 30000, kExact);
  const auto corner = world->place({0, 0});
  ASSERT_TRUE(corner);
  EXPECT_EQ(corner->clearance, 0);
}

void checkPlaces(bool fine, uint64_t seed, int worlds) {
  Random random(seed);
  int points = 0;
  for (int i = 0; i < worlds; ++i) {
    const auto world = CorridorWorld::random(random, fine);
    if (!world) continue;
    for (int k = 0; k < 20; ++k) {
      const Vec2 q = toVec2(world->randomFree(random));
      const auto place = world->place(q);
      ASSERT_TRUE(place) << "no cell at " << q.x << ", " << q.y << " in world " << i;
      ++points;
      ASSERT_NEAR(place->clearance, world->clearance(q), kExact);
      ASSERT_NEAR(gap(place->nearest, q), place->clearance, kExact);
      const AxisPoint& axis = place->retraction;
      ASSERT_GE(axis.clearance, place->clearance - kExact) << "world " << i << " at " << q.x << ", " << q.y;
      ASSERT_NEAR(axis.clearance, world->clearance(axis.p), 10 * kExact) << "world " << i;
      ASSERT_NEAR(gap(axis.p, q) + place->clearance, axis.clearance, 10 * kExact) << "world " << i;
      // Twice is once.
      const CorridorPlace again = placeInCorridor(*world->graph, axis.p, axis.arc);
      ASSERT_LT(gap(again.retraction.p, axis.p), 10 * kExact) << "world " << i << " at " << q.x << ", " << q.y;
      ASSERT_LE(axis.leastToStart, axis.clearance);
      ASSERT_LE(axis.leastToEnd, axis.clearance);
    }
  }
  EXPECT_GT(points, 10 * worlds);
}

TEST(CorridorPlace, AgreesWithAllWallsOnCoarseWorlds) {
  checkPlaces(false, 1, 150);
}

TEST(CorridorPlace, AgreesWithAllWallsOnFineWorlds) {
  checkPlaces(true, 2, 150);
}

}  // namespace
}  // namespace wend
