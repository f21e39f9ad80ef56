#pragma once

#include <cmath>

#include <wend/environment.h>
#include <wend/generate.h>
#include <wend/route.h>

#include <gtest/gtest.h>

#include "planning/point/point_planner.h"
#include "tests/planning/grid_world.h"
#include "tests/planning/route_check.h"

// Worlds of squares cut into two layers, which must not change any length.
namespace wend {

// A world of squares in two layers that meet along x = cut. Lattice: kSquare units per square, 1 m each.
inline EnvironmentDraft cutDraft(const Picture& picture, int cut) {
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

// Both planners on both generators' meshes of random worlds. Returns how many paths crossed the cut.
inline int checkCutWorlds(uint64_t seed, uint64_t worlds) {
  Context serial;
  serial.threads = 1;  // small worlds, many of them
  PlanScratch scratch;
  Route route;
  int crossed = 0;
  for (uint64_t world = 0; world < worlds; ++world) {
    SCOPED_TRACE(world);
    Random random(seed, world);
    const int width = static_cast<int>(random.between(2, 8));
    const int height = static_cast<int>(random.between(1, 8));
    const Picture picture = randomPicture(random, width, height, 0.25);
    const int cut = static_cast<int>(random.between(1, width - 1));
    const Result<Environment> environment = buildEnvironment(cutDraft(picture, cut), serial);
    if (!environment.ok()) continue;
    const VisibilityOracle oracle(squareWalls(picture));
    for (const char* generator : {"delaunay", "hertel-mehlhorn"}) {
      const Result<NavMesh> mesh = generate(*environment, {.generator = generator}, serial);
      EXPECT_TRUE(mesh.ok()) << (mesh.ok() ? "" : mesh.error().message);
      if (!mesh.ok()) return crossed;
      const PointPlanner planner(*mesh);
      for (int i = 0; i < 10; ++i) {
        const auto draw = [&](int size) {
          const auto c = static_cast<int32_t>(random.between(0, size * kSquare));
          return random.chance(0.5) ? c / kSquare * kSquare : c;
        };
        const Point from{draw(width), draw(height)};
        const Point to{draw(width), draw(height)};
        // On the cut, a point between two parts that only touch belongs to those of one layer.
        if (!oracle.isFree(from) || !oracle.isFree(to) || from.x == cut * kSquare || to.x == cut * kSquare) continue;
        PathQuery query;
        query.from = {from.x * 0.25, from.y * 0.25, 0};
        query.to = {to.x * 0.25, to.y * 0.25, 0};
        const double truth = oracle.length(from, to) * 0.25;
        const PathStatus expected = std::isinf(truth) ? PathStatus::kUnreachable : PathStatus::kFound;
        for (const PathMethod kind : {PathMethod::kPolyanya, PathMethod::kAStar}) {
          query.method = kind;
          const PathStatus status = planner.plan(query, scratch, route);
          EXPECT_EQ(status, expected);
          if (status != PathStatus::kFound || expected != PathStatus::kFound) continue;
          EXPECT_EQ(findRouteFault(planner.mesh(), route), "");
          EXPECT_GE(route.length, truth * (1 - 1e-12));
          if (kind == PathMethod::kPolyanya) {
            EXPECT_LE(route.length, truth * (1 + 1e-9));
          }
        }
        if (::testing::Test::HasFailure()) return crossed;
        crossed += (from.x < cut * kSquare) != (to.x < cut * kSquare) ? 1 : 0;
      }
    }
  }
  return crossed;
}

}  // namespace wend
