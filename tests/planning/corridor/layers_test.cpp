#include <gtest/gtest.h>

#include "tests/generators/random_worlds.h"
#include "tests/planning/corridor/ecm_navigator.h"

// Cutting a world into layers and joining them again must not change any answer.
namespace wend {
namespace {

TEST(CorridorLayers, CuttingChangesNoAnswer) {
  PlanScratch scratch;
  Route route;
  Corridor whole;
  Corridor pieces;
  VisibilityPolygon view;
  int compared = 0;
  int crossed = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    SquaresSettings settings;
    settings.columns = 4 + static_cast<int32_t>(seed % 5);
    settings.rows = 3 + static_cast<int32_t>(seed % 4);
    settings.density = 0.8;
    settings.pitch = 10000;
    settings.jitter = seed % 3 == 0 ? 0 : 2000;
    Random random(seed);
    Random same(seed);
    const auto uncut = navigatorOf(SquaresWorld(random, settings).environment());
    settings.layers = 2 + static_cast<uint32_t>(seed % 2);
    const auto cut = navigatorOf(SquaresWorld(same, settings).environment());
    if (uncut == nullptr || cut == nullptr) continue;
    const CorridorMap& map = *cut->mesh().corridorMap();
    if (map.simpleOpenings + map.sweptOpenings == 0) continue;
    for (int i = 0; i < 30; ++i) {
      PathQuery query;
      query.from = {random.real(0, settings.columns), random.real(0, settings.rows), 0};
      query.to = {random.real(0, settings.columns), random.real(0, settings.rows), 0};
      query.clearance = random.real(0, 0.5);
      const double radius = uncut->largestRadius(query, scratch);
      ASSERT_NEAR(cut->largestRadius(query, scratch), radius, 1e-6);
      if (radius < 0) continue;
      ++compared;
      const CellId a = cut->locate(query.from);
      const CellId b = cut->locate(query.to);
      crossed += cut->mesh().layerOf(a) != cut->mesh().layerOf(b) ? 1 : 0;
      ASSERT_NEAR(cut->nearestObstacle(query.from, scratch)->distance,
                  uncut->nearestObstacle(query.from, scratch)->distance, 1e-6);
      const double sight = uncut->straightClearance(query.from, query.to, scratch);
      if (std::abs(sight) > 1e-6) {
        ASSERT_NEAR(cut->straightClearance(query.from, query.to, scratch), sight, 1e-6);
      }
      ASSERT_TRUE(uncut->visibility(query.from, 0, scratch, view));
      const double area = areaOf(view);
      ASSERT_TRUE(cut->visibility(query.from, 0, scratch, view));
      ASSERT_NEAR(areaOf(view), area, 1e-4);
      query.radius = 0.9 * radius;
      ASSERT_EQ(uncut->corridor(query, scratch, whole), PathStatus::kFound);
      ASSERT_EQ(cut->corridor(query, scratch, pieces), PathStatus::kFound);
      ASSERT_NEAR(pieces.length, whole.length, 1e-6);
      ASSERT_EQ(cut->plan(query, scratch, route), PathStatus::kFound);
      ASSERT_GE(route.clearance, query.radius - 1e-6);
      ASSERT_EQ(route.portals.size() + 1, route.cells.size());
      ASSERT_EQ(cut->mesh().layerOf(route.cells.back()), cut->mesh().layerOf(b));
    }
  }
  if (compared == 0) GTEST_SKIP() << "skipped: connections stay closed";
  EXPECT_GT(compared, 500);
  EXPECT_GT(crossed, 100);
}

}  // namespace
}  // namespace wend
