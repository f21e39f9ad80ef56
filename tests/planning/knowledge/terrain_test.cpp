#include <cmath>

#include <wend/game/terrain.h>
#include <wend/generate.h>

#include <gtest/gtest.h>

#include "tests/generators/random_worlds.h"

namespace wend {
namespace {

constexpr int32_t kMetre = 10000;

Polygon box(int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
  return {
      {{x0 * kMetre, y0 * kMetre}, {x1 * kMetre, y0 * kMetre}, {x1 * kMetre, y1 * kMetre}, {x0 * kMetre, y1 * kMetre}},
      {}};
}

// Two pavements with a road between them, and a crossing on the road.
Environment street() {
  Environment world = oneLayer({box(0, 0, 60, 30)});
  world.layers[0].regions = {{"pavement", {box(0, 0, 60, 10), box(0, 20, 60, 30)}},
                             {"road", {box(0, 10, 50, 20), box(54, 10, 60, 20)}},
                             {"crossing", {box(50, 10, 54, 20)}}};
  return world;
}

TerrainMap terrainOf(const NavMesh& mesh, const Environment& world) {
  auto map = TerrainMap::of(mesh, world, {{"walk", {"pavement", "crossing"}}, {"drive", {"road", "crossing"}}});
  EXPECT_TRUE(map.ok());
  return *map;
}

double lengthOf(const NavigationGraph& graph, const GraphCosts& costs, Place from, Place to) {
  Route route;
  PathQuery query;
  query.from = from;
  query.to = to;
  if (graph.plan(query, route, costs) != PathStatus::kFound) return INFINITY;
  return route.length;
}

TEST(Terrain, GatewaysJoinOneClassAndBoundariesTwo) {
  const Environment world = street();
  const auto mesh = generate(world, {.generator = "pasfv"});
  ASSERT_TRUE(mesh.ok());
  const TerrainMap map = terrainOf(*mesh, world);
  int boundaries = 0;
  for (SideId s = 0; s < mesh->sideCount(); ++s) {
    if (mesh->isWall(s)) continue;
    EXPECT_EQ(map.isBoundary(s), map.methodsOf(mesh->cellOf(s)) != map.methodsOf(mesh->neighbour(s)));
    boundaries += map.isBoundary(s) ? 1 : 0;
  }
  EXPECT_GT(boundaries, 0);
  uint32_t seen = 0;
  for (CellId cell = 0; cell < mesh->cellCount(); ++cell) seen |= 1U << map.methodsOf(cell);
  EXPECT_EQ(seen, 1U << 1 | 1U << 2 | 1U << 3);  // walk, drive, both
}

TEST(Terrain, BoundariesNeedATraverseType) {
  const Environment world = street();
  const auto mesh = generate(world, {.generator = "pasfv"});
  ASSERT_TRUE(mesh.ok());
  const TerrainMap map = terrainOf(*mesh, world);
  const NavigationGraph graph(*mesh);
  const Place south{5, 5};
  const Place north{5, 25};
  const Place road{5, 15};
  // Who walks takes the crossing; who may drive too has no way onto the road without a type.
  const auto walking = map.costsOf({{{"walk"}}, {}});
  ASSERT_TRUE(walking.ok());
  EXPECT_GT(lengthOf(graph, *walking, south, north), 80);
  EXPECT_TRUE(std::isinf(lengthOf(graph, *walking, south, road)));
  const auto both = map.costsOf({{{"walk"}, {"drive"}}, {}});
  ASSERT_TRUE(both.ok());
  const double around = lengthOf(graph, *both, south, road);
  EXPECT_GT(around, 80);  // over the crossing, which is both
  // A bicycle hops over the kerb.
  const auto hop = map.costsOf({{{"walk"}, {"drive"}}, {{"hop", "walk", "drive", 3}}});
  ASSERT_TRUE(hop.ok());
  EXPECT_LT(lengthOf(graph, *hop, south, road), around);
  EXPECT_TRUE(std::isfinite(lengthOf(graph, *hop, road, south)));
  // One way only: down the kerb, not up.
  const auto down = map.costsOf({{{"walk"}, {"drive"}}, {{"hop", "walk", "drive", 3, false}}});
  ASSERT_TRUE(down.ok());
  EXPECT_LT(lengthOf(graph, *down, south, road), around);
  EXPECT_NEAR(lengthOf(graph, *down, road, south), around, 1e-6);
}

TEST(Terrain, CostsPerMethodChooseTheWay) {
  const Environment world = street();
  const auto mesh = generate(world, {.generator = "pasfv"});
  ASSERT_TRUE(mesh.ok());
  const TerrainMap map = terrainOf(*mesh, world);
  const auto cheap = map.costsOf({{{"walk", 1}, {"drive", 4}}, {}});
  ASSERT_TRUE(cheap.ok());
  for (CellId cell = 0; cell < mesh->cellCount(); ++cell) {
    EXPECT_EQ(cheap->cellCosts[cell], (map.methodsOf(cell) & 1U) != 0 ? 1.0 : 4.0);
  }
}

TEST(Terrain, RefusesNonsense) {
  const Environment world = street();
  const auto mesh = generate(world, {.generator = "pasfv"});
  EXPECT_FALSE(TerrainMap::of(*mesh, world, {}).ok());
  EXPECT_FALSE(TerrainMap::of(*mesh, world, {{"walk", {}}}).ok());
  EXPECT_FALSE(TerrainMap::of(*mesh, world, {{"walk", {"a"}}, {"walk", {"b"}}}).ok());
  const TerrainMap map = terrainOf(*mesh, world);
  EXPECT_FALSE(map.costsOf({{{"swim"}}, {}}).ok());
  EXPECT_FALSE(map.costsOf({{{"walk", 0}}, {}}).ok());
  EXPECT_FALSE(map.costsOf({{{"walk"}}, {{"hop", "walk", "swim"}}}).ok());
  EXPECT_FALSE(map.costsOf({{{"walk"}}, {{"hop", "walk", "drive", -1}}}).ok());
}

}  // namespace
}  // namespace wend
