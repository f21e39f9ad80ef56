#include <algorithm>
#include <cmath>

#include <wend/generate.h>
#include <wend/plan.h>

#include <gtest/gtest.h>

#include "planning/grid_world.h"
#include "planning/random_world.h"
#include "planning/route_check.h"

// Both planners on both generators' meshes of random polygons, against the visibility graph and against each other.
namespace wend {
namespace {

double lengthOf(const Planner& planner, Point from, Point to, PlannerKind kind, PlanScratch& scratch, Route& route) {
  PathQuery query;
  query.from = {static_cast<double>(from.x), static_cast<double>(from.y), 0};
  query.to = {static_cast<double>(to.x), static_cast<double>(to.y), 0};
  query.planner = kind;
  const PathStatus status = planner.plan(query, scratch, route);
  if (status == PathStatus::kFound) return route.length;
  EXPECT_EQ(status, PathStatus::kUnreachable);
  return VisibilityOracle::kNoWay;
}

Planner plannerOf(const Environment& environment, const char* generator) {
  GenerateSettings settings;
  settings.generator = generator;
  Result<NavMesh> mesh = generate(environment, settings);
  EXPECT_TRUE(mesh.ok()) << (mesh.ok() ? "" : mesh.error().message);
  return Planner(mesh.ok() ? *mesh : NavMesh());
}

TEST(Worlds, ThousandRandomOnes) {
  PlanScratch scratch;
  Route route;
  int found = 0;
  for (uint64_t world = 0; world < 1000; ++world) {
    Random random(31, world);
    const std::optional<Environment> environment = randomEnvironment(random);
    if (!environment) continue;
    const Planner delaunay = plannerOf(*environment, "delaunay");
    const Planner merged = plannerOf(*environment, "hertel-mehlhorn");
    const std::vector<OracleWall> walls = wallsOf(environment->layers[0].free);
    const VisibilityOracle oracle(walls);
    for (int i = 0; i < 8; ++i) {
      const Point from = randomFreePoint(random, oracle, walls);
      const Point to = randomFreePoint(random, oracle, walls);
      SCOPED_TRACE("world " + std::to_string(world) + " (" + std::to_string(from.x) + "," + std::to_string(from.y) +
                   ") to (" + std::to_string(to.x) + "," + std::to_string(to.y) + ")");
      const double truth = oracle.length(from, to);
      const double tolerance = truth < VisibilityOracle::kNoWay ? 1e-9 * truth : 0;
      for (const Planner* planner : {&delaunay, &merged}) {
        const double exact = lengthOf(*planner, from, to, PlannerKind::kPolyanya, scratch, route);
        ASSERT_EQ(std::isinf(exact), std::isinf(truth));
        if (std::isinf(truth)) {
          ASSERT_EQ(lengthOf(*planner, from, to, PlannerKind::kAStar, scratch, route), truth);
          continue;
        }
        ++found;
        ASSERT_NEAR(exact, truth, tolerance);
        ASSERT_EQ(findRouteFault(planner->mesh(), route), "");
        const double back = lengthOf(*planner, to, from, PlannerKind::kPolyanya, scratch, route);
        ASSERT_NEAR(back, exact, 1e-12 * exact);
        const double quick = lengthOf(*planner, from, to, PlannerKind::kAStar, scratch, route);
        ASSERT_GE(quick, exact * (1 - 1e-12));
        ASSERT_EQ(findRouteFault(planner->mesh(), route), "");
      }
    }
  }
  EXPECT_GT(found, 8000);
}

// A world of squares in two layers that meet along x = cut. Lattice: kSquare units per square, 1 m each.
EnvironmentDraft cutDraft(const Picture& picture, int cut) {
  const int height = static_cast<int>(picture.size());
  const int width = static_cast<int>(picture.front().size());
  const auto box = [](double x0, double y0, double x1, double y1) {
    return Loops{{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}};
  };
  EnvironmentDraft draft;
  draft.lattice.unit = 1.0 / kSquare;
  for (int i = 0; i < 2; ++i) {
    LayerDraft& layer = draft.layers.emplace_back();
    layer.id = i;
    const int from = i == 0 ? 0 : cut;
    const int to = i == 0 ? cut : width;
    layer.walkable.push_back(box(from, 0, to, height));
    for (int y = 0; y < height; ++y) {
      for (int x = from; x < to; ++x) {
        if (!isFree(picture, x, y)) layer.obstacles.push_back(box(x, y, x + 1, y + 1));
      }
    }
  }
  for (int y = 0; y < height; ++y) {
    const int begin = y;
    while (y < height && isFree(picture, cut - 1, y) && isFree(picture, cut, y)) ++y;
    if (y == begin) continue;
    const double x = cut;
    draft.connections.push_back({0, 1, {{x, static_cast<double>(begin)}, {x, static_cast<double>(y)}}});
  }
  return draft;
}

TEST(Worlds, CutIntoLayers) {
  PlanScratch scratch;
  Route route;
  int crossed = 0;
  for (uint64_t world = 0; world < 200; ++world) {
    Random random(33, world);
    const int width = static_cast<int>(random.between(2, 8));
    const int height = static_cast<int>(random.between(1, 8));
    const Picture picture = randomPicture(random, width, height, 0.25);
    const int cut = static_cast<int>(random.between(1, width - 1));
    const Result<Environment> environment = buildEnvironment(cutDraft(picture, cut));
    if (!environment.ok()) continue;
    const VisibilityOracle oracle(squareWalls(picture));
    for (const char* generator : {"delaunay", "hertel-mehlhorn"}) {
      const Planner planner = plannerOf(*environment, generator);
      for (int i = 0; i < 10; ++i) {
        const Point from{static_cast<int32_t>(random.between(0, width * kSquare)),
                         static_cast<int32_t>(random.between(0, height * kSquare))};
        const Point to{static_cast<int32_t>(random.between(0, width * kSquare)),
                       static_cast<int32_t>(random.between(0, height * kSquare))};
        // On the cut, a point between two parts that only touch belongs to those of one layer.
        if (!oracle.isFree(from) || !oracle.isFree(to) || from.x == cut * kSquare || to.x == cut * kSquare) continue;
        PathQuery query;
        query.from = {from.x * 0.25, from.y * 0.25, 0};
        query.to = {to.x * 0.25, to.y * 0.25, 0};
        const double truth = oracle.length(from, to) * 0.25;
        const PathStatus status = planner.plan(query, scratch, route);
        ASSERT_EQ(status, std::isinf(truth) ? PathStatus::kUnreachable : PathStatus::kFound) << world;
        if (status != PathStatus::kFound) continue;
        ASSERT_NEAR(route.length, truth, 1e-9 * truth) << world;
        ASSERT_EQ(findRouteFault(planner.mesh(), route), "");
        crossed += (from.x < cut * kSquare) != (to.x < cut * kSquare) ? 1 : 0;
        query.planner = PlannerKind::kAStar;
        ASSERT_EQ(planner.plan(query, scratch, route), PathStatus::kFound);
        ASSERT_GE(route.length, truth * (1 - 1e-12));
        ASSERT_EQ(findRouteFault(planner.mesh(), route), "");
      }
    }
  }
  EXPECT_GT(crossed, 300);
}

TEST(Worlds, TriangleInequality) {
  PlanScratch scratch;
  Route route;
  for (uint64_t world = 0; world < 200; ++world) {
    Random random(32, world);
    const std::optional<Environment> environment = randomEnvironment(random);
    if (!environment) continue;
    const Planner planner = plannerOf(*environment, "hertel-mehlhorn");
    const std::vector<OracleWall> walls = wallsOf(environment->layers[0].free);
    const VisibilityOracle oracle(walls);
    for (int i = 0; i < 10; ++i) {
      const Point a = randomFreePoint(random, oracle, walls);
      const Point b = randomFreePoint(random, oracle, walls);
      const Point c = randomFreePoint(random, oracle, walls);
      const double ab = lengthOf(planner, a, b, PlannerKind::kPolyanya, scratch, route);
      const double bc = lengthOf(planner, b, c, PlannerKind::kPolyanya, scratch, route);
      const double ac = lengthOf(planner, a, c, PlannerKind::kPolyanya, scratch, route);
      // Where fans touch in b, one gets to b in one of them and on from another, but never through.
      if (std::count_if(walls.begin(), walls.end(), [&](const OracleWall& w) { return w.a == b; }) > 1) continue;
      ASSERT_LE(ac, (ab + bc) * (1 + 1e-12)) << world;
    }
  }
}

}  // namespace
}  // namespace wend
