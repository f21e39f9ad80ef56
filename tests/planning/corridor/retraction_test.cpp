#include "planning/corridor/retraction.h"

#include <gtest/gtest.h>

#include "tests/planning/corridor/checks.h"

namespace wend {
namespace {

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
      EXPECT_LT(distance(graph.from(next).l, end.l), kExact);
    }
  }
  EXPECT_EQ(arcs, 16U);
}

TEST(Retraction, RetractsInARoom) {
  const auto world = CorridorWorld::make(room(10));
  ASSERT_TRUE(world);
  // Below the centre: straight up, onto the diagonal cross's middle.
  const auto place = world->place({50000, 20000});
  ASSERT_TRUE(place);
  EXPECT_DOUBLE_EQ(place->clearance, 20000);
  EXPECT_NEAR(place->axis.p.x, 50000, kExact);
  EXPECT_NEAR(place->axis.p.y, 50000, kExact);
  const auto aside = world->place({30000, 10000});
  ASSERT_TRUE(aside);
  EXPECT_NEAR(aside->axis.p.x, 30000, kExact);
  EXPECT_NEAR(aside->axis.p.y, 30000, kExact);
  // On a wall and in a corner.
  const auto wall = world->place({70000, 0});
  ASSERT_TRUE(wall);
  EXPECT_EQ(wall->clearance, 0);
  EXPECT_NEAR(wall->axis.p.y, 30000, kExact);
  const auto corner = world->place({0, 0});
  ASSERT_TRUE(corner);
  EXPECT_EQ(corner->clearance, 0);
}

TEST(Retraction, AgreesWithAllWallsOnCoarseWorlds) {
  checkPlaces(false, 1, 150);
}

TEST(Retraction, AgreesWithAllWallsOnFineWorlds) {
  checkPlaces(true, 2, 150);
}

}  // namespace
}  // namespace wend
