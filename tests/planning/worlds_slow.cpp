#include <cmath>

#include <wend/generate.h>
#include <wend/route.h>

#include <gtest/gtest.h>

#include "planning/point/point_planner.h"
#include "tests/planning/cut_world.h"
#include "tests/planning/random_world.h"
#include "tests/planning/route_check.h"

namespace wend {
namespace {

// What worlds_test.cpp does on a thousand worlds, on many.
TEST(WorldsSlow, PolyanyaEqualsTheVisibilityGraph) {
  Context serial;
  serial.threads = 1;
  PlanScratch scratch;
  Route route;
  for (uint64_t world = 0; world < 30000; ++world) {
    Random random(34, world);
    const std::optional<Environment> environment = randomEnvironment(random);
    if (!environment) continue;
    const std::vector<OracleWall> walls = wallsOf(environment->layers[0].free);
    const VisibilityOracle oracle(walls);
    for (const char* generator : {"delaunay", "hertel-mehlhorn"}) {
      const Result<NavMesh> mesh = generate(*environment, {.generator = generator}, serial);
      ASSERT_TRUE(mesh.ok()) << mesh.error().message;
      const PointPlanner planner(*mesh);
      for (int i = 0; i < 10; ++i) {
        const Point from = randomFreePoint(random, oracle, walls);
        const Point to = randomFreePoint(random, oracle, walls);
        PathQuery query;
        query.from = {static_cast<double>(from.x), static_cast<double>(from.y), 0};
        query.to = {static_cast<double>(to.x), static_cast<double>(to.y), 0};
        const PathStatus status = planner.plan(query, scratch, route);
        const double truth = oracle.length(from, to);
        ASSERT_EQ(status, std::isinf(truth) ? PathStatus::kUnreachable : PathStatus::kFound) << world;
        if (status != PathStatus::kFound) continue;
        ASSERT_NEAR(route.length, truth, 1e-9 * truth) << world << " " << generator;
        ASSERT_EQ(findRouteFault(planner.mesh(), route), "") << world << " " << generator;
      }
    }
  }
}

TEST(WorldsSlow, CutIntoLayers) {
  EXPECT_GT(checkCutWorlds(35, 15000), 30000);
}

}  // namespace
}  // namespace wend
