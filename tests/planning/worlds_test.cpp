#include <algorithm>
#include <cmath>

#include <wend/generate.h>
#include <wend/route.h>

#include <gtest/gtest.h>

#include "planning/point/point_planner.h"
#include "tests/planning/cut_world.h"
#include "tests/planning/random_world.h"
#include "tests/planning/route_check.h"

// Both planners on both generators' meshes of random polygons, against the visibility graph and against each other.
namespace wend {
namespace {

double lengthOf(const PointPlanner& planner, Point from, Point to, PathMethod kind, PlanScratch& scratch,
                Route& route) {
  PathQuery query;
  query.from = {static_cast<double>(from.x), static_cast<double>(from.y), 0};
  query.to = {static_cast<double>(to.x), static_cast<double>(to.y), 0};
  query.method = kind;
  const PathStatus status = planner.plan(query, scratch, route);
  if (status == PathStatus::kFound) return route.length;
  EXPECT_EQ(status, PathStatus::kUnreachable);
  return VisibilityOracle::kNoWay;
}

PointPlanner plannerOf(const Environment& environment, const char* generator) {
  GenerateSettings settings;
  settings.generator = generator;
  Context serial;
  serial.threads = 1;
  Result<NavMesh> mesh = generate(environment, settings, serial);
  EXPECT_TRUE(mesh.ok()) << (mesh.ok() ? "" : mesh.error().message);
  return PointPlanner(mesh.ok() ? *mesh : NavMesh());
}

TEST(Worlds, ThousandRandomOnes) {
  PlanScratch scratch;
  Route route;
  int found = 0;
  for (uint64_t world = 0; world < 1000; ++world) {
    Random random(31, world);
    const std::optional<Environment> environment = randomEnvironment(random);
    if (!environment) continue;
    const PointPlanner delaunay = plannerOf(*environment, "delaunay");
    const PointPlanner merged = plannerOf(*environment, "hertel-mehlhorn");
    const std::vector<OracleWall> walls = wallsOf(environment->layers[0].free);
    const VisibilityOracle oracle(walls);
    for (int i = 0; i < 8; ++i) {
      const Point from = randomFreePoint(random, oracle, walls);
      const Point to = randomFreePoint(random, oracle, walls);
      SCOPED_TRACE("world " + std::to_string(world) + " (" + std::to_string(from.x) + "," + std::to_string(from.y) +
                   ") to (" + std::to_string(to.x) + "," + std::to_string(to.y) + ")");
      const double truth = oracle.length(from, to);
      const double tolerance = truth < VisibilityOracle::kNoWay ? 1e-9 * truth : 0;
      for (const PointPlanner* planner : {&delaunay, &merged}) {
        const double exact = lengthOf(*planner, from, to, PathMethod::kPolyanya, scratch, route);
        ASSERT_EQ(std::isinf(exact), std::isinf(truth));
        if (std::isinf(truth)) {
          ASSERT_EQ(lengthOf(*planner, from, to, PathMethod::kAStar, scratch, route), truth);
          continue;
        }
        ++found;
        ASSERT_NEAR(exact, truth, tolerance);
        ASSERT_EQ(findRouteFault(planner->mesh(), route), "");
        const double back = lengthOf(*planner, to, from, PathMethod::kPolyanya, scratch, route);
        ASSERT_NEAR(back, exact, 1e-12 * exact);
        const double quick = lengthOf(*planner, from, to, PathMethod::kAStar, scratch, route);
        ASSERT_GE(quick, exact * (1 - 1e-12));
        ASSERT_EQ(findRouteFault(planner->mesh(), route), "");
      }
    }
  }
  EXPECT_GT(found, 8000);
}

TEST(Worlds, CutIntoLayers) {
  EXPECT_GT(checkCutWorlds(33, 200), 300);
}

TEST(Worlds, TriangleInequality) {
  PlanScratch scratch;
  Route route;
  for (uint64_t world = 0; world < 200; ++world) {
    Random random(32, world);
    const std::optional<Environment> environment = randomEnvironment(random);
    if (!environment) continue;
    const PointPlanner planner = plannerOf(*environment, "hertel-mehlhorn");
    const std::vector<OracleWall> walls = wallsOf(environment->layers[0].free);
    const VisibilityOracle oracle(walls);
    for (int i = 0; i < 10; ++i) {
      const Point a = randomFreePoint(random, oracle, walls);
      const Point b = randomFreePoint(random, oracle, walls);
      const Point c = randomFreePoint(random, oracle, walls);
      const double ab = lengthOf(planner, a, b, PathMethod::kPolyanya, scratch, route);
      const double bc = lengthOf(planner, b, c, PathMethod::kPolyanya, scratch, route);
      const double ac = lengthOf(planner, a, c, PathMethod::kPolyanya, scratch, route);
      // Where fans touch in b, one gets to b in one of them and on from another, but never through.
      if (std::count_if(walls.begin(), walls.end(), [&](const OracleWall& w) { return w.a == b; }) > 1) continue;
      ASSERT_LE(ac, (ab + bc) * (1 + 1e-12)) << world;
    }
  }
}

}  // namespace
}  // namespace wend
