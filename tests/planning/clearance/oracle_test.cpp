#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "planning/disk/disk_navigator.h"
#include "tests/planning/clearance/check.h"

namespace wend {
namespace {

Environment boxWithHole() {
  EnvironmentDraft draft;
  draft.lattice.unit = 1;
  LayerDraft& layer = draft.layers.emplace_back();
  layer.walkable.push_back({{{0, 0}, {1000, 0}, {1000, 1000}, {0, 1000}}});
  layer.obstacles.push_back({{{400, 400}, {600, 400}, {600, 600}, {400, 600}}});
  return buildEnvironment(draft).value();
}

TEST(DiskOracle, KnowsTheSpecFigures) {
  const std::vector<OracleWall> walls = wallsOf(boxWithHole().layers[0].free);
  EXPECT_NEAR(DiskOracle(walls, 50).length({300, 500}, {700, 500}), 579.251660, 1e-5);
  EXPECT_NEAR(DiskOracle(walls, 100).length({300, 500}, {700, 500}), 400 + 100 * std::numbers::pi, 1e-6);
  EXPECT_EQ(DiskOracle(walls, 201).length({300, 500}, {700, 500}), DiskOracle::kNoWay);
}

TEST(ClearanceRoutes, KnowTheSpecFigures) {
  for (const GenerateSettings& settings : clearanceGenerators()) {
    SCOPED_TRACE(settings.generator);
    const DiskNavigator navigator(generate(boxWithHole(), settings).value());
    PlanScratch scratch;
    Route route;
    PathQuery query;
    query.from = {300, 500, 0};
    query.to = {700, 500, 0};
    query.radius = 50;
    ASSERT_EQ(navigator.plan(query, scratch, route), PathStatus::kFound);
    EXPECT_NEAR(route.length, 579.251660, 1e-5);
    ASSERT_EQ(route.arcs.size(), 2U);
    EXPECT_EQ(route.arcs[0].radius, 50 * (1 - 1e-9));
    query.radius = 100;
    ASSERT_EQ(navigator.plan(query, scratch, route), PathStatus::kFound);
    EXPECT_NEAR(route.length, 400 + 100 * std::numbers::pi, 1e-5);
    query.radius = 101;  // start nearer than the radius to the hole
    EXPECT_EQ(navigator.plan(query, scratch, route), PathStatus::kStartTooNear);
    query.radius = 0;
    ASSERT_EQ(navigator.plan(query, scratch, route), PathStatus::kFound);
    EXPECT_NEAR(route.length, 200 + 200 * std::sqrt(2.0), 1e-9);
  }
}

TEST(ClearanceRoutes, EqualTheOracle) {
  ClearanceCount count;
  for (uint64_t world = 0; world < 300 && !HasFailure(); ++world) {
    checkClearance(77, world, 5, clearanceGenerators(), count);
  }
  EXPECT_GT(count.found, 1000U);
  // Most corridors hold the shortest path.
  EXPECT_LT(static_cast<double>(count.missed), 0.06 * static_cast<double>(count.found));
}

// Found by searches on random worlds.
TEST(ClearanceRoutes, GoalOnACutThroughTheStart) {
  ClearanceCount count;
  for (const uint64_t world : {2873, 2896, 3970, 3980}) checkClearance(77, world, 6, clearanceGenerators(), count);
}
TEST(ClearanceRoutes, CornersOutOfOrder) {
  ClearanceCount count;
  for (const uint64_t world : {70, 86, 115, 131, 143, 152, 221, 281, 333, 369, 483, 487, 546, 1167, 1405}) {
    checkClearance(77, world, 6, clearanceGenerators(), count);
  }
}
TEST(ClearanceRoutes, PortalThatEndsAtTheFarEndOfALeaningWall) {
  ClearanceCount count;
  checkClearance(101, 3825, 6, clearanceGenerators(), count);
  EXPECT_GT(count.found, 5U);
  EXPECT_LT(count.worst, 0.3);
}

}  // namespace
}  // namespace wend
