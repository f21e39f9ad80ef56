#include <cmath>

#include <wend/route.h>

#include <gtest/gtest.h>

#include "planning/point/point_planner.h"
#include "tests/planning/grid_world.h"
#include "tests/planning/route_check.h"

// Multi-layered meshes: the same lengths as without layers, and surfaces that no single layer could hold.
namespace wend {
namespace {

constexpr PathMethod kBoth[] = {PathMethod::kPolyanya, PathMethod::kAStar};

LooseCell square(LayerId layer, int x, int y) {
  const double s = kSquare;
  return {layer, {{x * s, y * s}, {(x + 1) * s, y * s}, {(x + 1) * s, (y + 1) * s}, {x * s, (y + 1) * s}}};
}

NavMesh layered(const std::vector<LooseCell>& cells, const std::vector<std::pair<LayerId, LayerId>>& across,
                double storey) {
  MeshArrays arrays = joinCells(cells, across);
  arrays.lattice.unit = 1.0 / kSquare;
  for (size_t i = 0; i < arrays.layerHeights.size(); ++i) {
    arrays.layerHeights[i].base = storey * static_cast<double>(i);
  }
  return NavMesh(std::move(arrays));
}

// Two free squares that touch in this corner only: which of them a point there belongs to depends on the layers.
bool isPinch(const Picture& picture, Point p) {
  if (p.x % kSquare != 0 || p.y % kSquare != 0) return false;
  const int x = p.x / kSquare;
  const int y = p.y / kSquare;
  const bool a = isFree(picture, x - 1, y - 1);
  const bool b = isFree(picture, x, y - 1);
  return a != b && isFree(picture, x, y) == a && isFree(picture, x - 1, y) == b;
}

TEST(Layers, CutWorldsKeepTheirLengths) {
  PlanScratch scratch;
  Route route;
  int found = 0;
  for (uint64_t world = 0; world < 200; ++world) {
    Random random(12, world);
    const int width = static_cast<int>(random.between(2, 8));
    const int height = static_cast<int>(random.between(2, 8));
    const Picture picture = randomPicture(random, width, height, 0.25);
    std::vector<LooseCell> cells;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        if (isFree(picture, x, y)) cells.push_back(square(static_cast<LayerId>(random.below(3)), x, y));
      }
    }
    const PointPlanner planner(layered(cells, {{0, 1}, {0, 2}, {1, 2}}, 0.0));
    const VisibilityOracle oracle(squareWalls(picture));
    for (int i = 0; i < 12; ++i) {
      const Point from{static_cast<int32_t>(random.below(static_cast<uint64_t>(width) * kSquare + 1)),
                       static_cast<int32_t>(random.below(static_cast<uint64_t>(height) * kSquare + 1))};
      const Point to{static_cast<int32_t>(random.below(static_cast<uint64_t>(width) * kSquare + 1)),
                     static_cast<int32_t>(random.below(static_cast<uint64_t>(height) * kSquare + 1))};
      if (!oracle.isFree(from) || !oracle.isFree(to) || isPinch(picture, from) || isPinch(picture, to)) continue;
      const double truth = oracle.length(from, to) * 0.25;
      for (const PathMethod kind : kBoth) {
        const PathStatus status = planner.plan(
            {.from = {from.x * 0.25, from.y * 0.25, 0}, .to = {to.x * 0.25, to.y * 0.25, 0}, .method = kind}, scratch,
            route);
        ASSERT_EQ(status, truth < VisibilityOracle::kNoWay ? PathStatus::kFound : PathStatus::kUnreachable);
        if (status != PathStatus::kFound) continue;
        ++found;
        ASSERT_EQ(findRouteFault(planner.mesh(), route), "");
        if (kind == PathMethod::kPolyanya) {
          ASSERT_NEAR(route.length, truth, 1e-9 * truth) << world;
        } else {
          ASSERT_GE(route.length, truth * (1 - 1e-12)) << world;
        }
      }
    }
  }
  EXPECT_GT(found, 500);
}

// A ramp around a pillar: squares 0 to 7 go around it once, 8 to 15 lie above them.
TEST(Layers, SpiralRamp) {
  const Point ring[] = {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
  std::vector<LooseCell> cells;
  std::vector<std::pair<LayerId, LayerId>> across;
  for (LayerId i = 0; i < 16; ++i) {
    cells.push_back(square(i, ring[i % 8].x, ring[i % 8].y));
    if (i > 0) across.emplace_back(i - 1, i);
  }
  const PointPlanner planner(layered(cells, across, 3.0));
  PlanScratch scratch;
  Route route;
  for (const PathMethod kind : kBoth) {
    // Straight above: once around the pillar's corners.
    ASSERT_EQ(planner.plan({.from = {0.5, 0.5, 0}, .to = {0.5, 0.5, 24}, .method = kind}, scratch, route),
              PathStatus::kFound);
    EXPECT_EQ(findRouteFault(planner.mesh(), route), "");
    // Sees corner (2,1) over (1,1)?  (0.5,0.5) -> (1,1) -> (2,1) -> (2,2) -> (1,2) -> (1,1) -> (0.5,0.5) is not taut at
    // the first (1,1): the way goes below the pillar to (2,1) at once.
    const double out = std::hypot(1.5, 0.5);
    EXPECT_NEAR(route.length, out + 1 + 1 + std::hypot(0.5, 1.5), 1e-12);
    EXPECT_EQ(route.cells.size(), 9U);
    EXPECT_EQ(route.points.back().z, 24);
    // Without heights both ends are on the lowest storey.
    ASSERT_EQ(planner.plan({.from = {0.5, 0.5}, .to = {0.5, 0.5}, .method = kind}, scratch, route), PathStatus::kFound);
    EXPECT_EQ(route.length, 0);
    EXPECT_EQ(route.points.back().z, 0);
    // A height that is given counts for its end alone.
    ASSERT_EQ(planner.plan({.from = {0.5, 0.5}, .to = {0.5, 0.5, 24}, .method = kind}, scratch, route),
              PathStatus::kFound);
    EXPECT_EQ(route.cells.size(), 9U);
    // So does its tolerance.
    EXPECT_EQ(planner.plan({.from = {0.5, 0.5, 1.4, 1.5}, .to = {0.5, 0.5, 24}, .method = kind}, scratch, route),
              PathStatus::kFound);
    // Between two storeys there is no floor.
    EXPECT_EQ(planner.plan({.from = {0.5, 0.5, 1.5}, .to = {0.5, 0.5, 24}, .method = kind}, scratch, route),
              PathStatus::kStartOffMesh);
    EXPECT_EQ(planner.plan({.from = {0.5, 0.5, 0}, .to = {0.5, 0.5, 27}, .method = kind}, scratch, route),
              PathStatus::kGoalOffMesh);
  }
}

// Twelve quarters wound three times around one point, closed: an inner vertex with a free angle of 6 pi. Between two
// quarters further apart than a half turn, the shortest way leads through it.
TEST(Layers, ConePoint) {
  const Point quarter[] = {{1, 1}, {0, 1}, {0, 0}, {1, 0}};
  std::vector<LooseCell> cells;
  std::vector<std::pair<LayerId, LayerId>> across;
  for (LayerId i = 0; i < 12; ++i) {
    cells.push_back(square(i, quarter[i % 4].x, quarter[i % 4].y));
    across.emplace_back(i, (i + 1) % 12);
  }
  const PointPlanner planner(layered(cells, across, 3.0));
  PlanScratch scratch;
  Route route;
  const auto centre = [&](LayerId i) { return Vec3{quarter[i % 4].x + 0.5, quarter[i % 4].y + 0.5, 3.0 * i}; };
  for (const PathMethod kind : kBoth) {
    for (LayerId i = 0; i < 12; ++i) {
      ASSERT_EQ(planner.plan({.from = centre(0), .to = centre(i), .method = kind}, scratch, route), PathStatus::kFound);
      EXPECT_EQ(findRouteFault(planner.mesh(), route), "");
      const double apart = std::min(i, 12 - i);
      const double truth = apart >= 2 ? std::sqrt(2.0) : apart;
      EXPECT_NEAR(route.length, truth, 1e-12) << i;
    }
  }
}

TEST(Layers, AQueryOnAConnectionBelongsToBothLayers) {
  const PointPlanner planner(layered({square(0, 0, 0), square(1, 1, 0)}, {{0, 1}}, 0.5));
  PlanScratch scratch;
  Route route;
  for (const PathMethod kind : kBoth) {
    for (const double y : {0.0, 0.25, 1.0}) {
      ASSERT_EQ(planner.plan({.from = {1, y, 0}, .to = {1.5, y, 0}, .method = kind}, scratch, route),
                PathStatus::kFound);
      EXPECT_EQ(route.cells.size(), 1U);
      EXPECT_DOUBLE_EQ(route.length, 0.5);
    }
  }
}

}  // namespace
}  // namespace wend
