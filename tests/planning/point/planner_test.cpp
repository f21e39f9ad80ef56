#include <algorithm>
#include <cmath>
#include <limits>

#include <wend/route.h>

#include <gtest/gtest.h>

#include "planning/point/point_planner.h"
#include "tests/planning/grid_world.h"
#include "tests/planning/route_check.h"

namespace wend {
namespace {

struct Answer {
  PathStatus status;
  Route route;
};

Answer ask(const PointPlanner& planner, Vec2 from, Vec2 to, PathMethod kind = PathMethod::kPolyanya) {
  PlanScratch scratch;
  Answer answer;
  PathQuery query;
  query.from = {from.x, from.y, 0};
  query.to = {to.x, to.y, 0};
  query.method = kind;
  answer.status = planner.plan(query, scratch, answer.route);
  if (answer.status == PathStatus::kFound) {
    EXPECT_EQ(findRouteFault(planner.mesh(), answer.route), "");
  }
  return answer;
}

TEST(PointPlanner, EmptyMesh) {
  const PointPlanner planner{NavMesh()};
  EXPECT_EQ(ask(planner, {0, 0}, {1, 1}).status, PathStatus::kStartOffMesh);
}

TEST(PointPlanner, BadQueries) {
  const PointPlanner planner(squareMesh({".."}));
  PlanScratch scratch;
  Route route;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {nan, infinity, -infinity}) {
    EXPECT_EQ(planner.plan({.from = {bad, 0, 0}, .to = {1, 0, 0}}, scratch, route), PathStatus::kBadQuery);
    EXPECT_EQ(planner.plan({.from = {0, 0, 0}, .to = {1, bad, 0}}, scratch, route), PathStatus::kBadQuery);
    EXPECT_EQ(planner.plan({.from = {0, 0, bad}, .to = {1, 0, 0}}, scratch, route), PathStatus::kBadQuery);
  }
  for (const double radius : {nan, infinity, -infinity, -1.0}) {
    EXPECT_EQ(planner.plan({.from = {0, 0, 0}, .to = {1, 0, 0}, .radius = radius}, scratch, route),
              PathStatus::kBadQuery);
  }
  EXPECT_EQ(planner.plan({.from = {0, 0, 0}, .to = {1, 0, 0}, .radius = 0.1}, scratch, route),
            PathStatus::kUnsupported);
  EXPECT_EQ(planner.plan({.from = {1e300, 0, 0}, .to = {1, 0, 0}}, scratch, route), PathStatus::kStartOffMesh);
  EXPECT_EQ(planner.plan({.from = {1, 0, 0}, .to = {-1e9, 0, 0}}, scratch, route), PathStatus::kGoalOffMesh);
}

TEST(PointPlanner, AFailedQueryLeavesNothingBehind) {
  const PointPlanner planner(squareMesh({".#."}));
  PlanScratch scratch;
  Route route;
  ASSERT_EQ(planner.plan({.from = {0, 0, 0}, .to = {1, 1, 0}}, scratch, route), PathStatus::kFound);
  ASSERT_EQ(planner.plan({.from = {0, 0, 0}, .to = {2, 1, 0}}, scratch, route), PathStatus::kUnreachable);
  EXPECT_TRUE(route.cells.empty() && route.portals.empty() && route.points.empty());
  EXPECT_EQ(route.length, 0);
}

TEST(PointPlanner, TraitsDecideWhatIsSupported) {
  MeshArrays arrays = joinCells(gridCells({".."}, 0, kSquare));
  arrays.lattice.unit = 1.0 / kSquare;
  arrays.traits.disjoint = false;
  const PointPlanner overlapping{NavMesh(arrays)};
  EXPECT_EQ(ask(overlapping, {0.5, 0.5}, {1.5, 0.5}).status, PathStatus::kUnsupported);
  EXPECT_EQ(ask(overlapping, {0.5, 0.5}, {1.5, 0.5}, PathMethod::kAStar).status, PathStatus::kFound);
  arrays.traits = {.convex = false};
  const PointPlanner bent{NavMesh(arrays)};
  EXPECT_EQ(ask(bent, {0.5, 0.5}, {1.5, 0.5}).status, PathStatus::kUnsupported);
  EXPECT_EQ(ask(bent, {0.5, 0.5}, {1.5, 0.5}, PathMethod::kAStar).status, PathStatus::kUnsupported);
}

TEST(PointPlanner, SamePointAndSameCell) {
  const PointPlanner planner(squareMesh({"..", ".."}));
  for (const PathMethod kind : {PathMethod::kPolyanya, PathMethod::kAStar}) {
    const Answer same = ask(planner, {1, 1}, {1, 1}, kind);
    ASSERT_EQ(same.status, PathStatus::kFound);
    EXPECT_EQ(same.route.length, 0);
    EXPECT_EQ(same.route.points.size(), 2U);
    const Answer cell = ask(planner, {0, 0}, {1, 1}, kind);
    ASSERT_EQ(cell.status, PathStatus::kFound);
    EXPECT_EQ(cell.route.cells.size(), 1U);
    EXPECT_DOUBLE_EQ(cell.route.length, std::sqrt(2.0));
  }
}

TEST(PointPlanner, AroundOneCorner) {
  const PointPlanner planner(squareMesh({".#", ".."}));
  for (const PathMethod kind : {PathMethod::kPolyanya, PathMethod::kAStar}) {
    const Answer answer = ask(planner, {0.5, 2}, {2, 0.5}, kind);
    ASSERT_EQ(answer.status, PathStatus::kFound);
    EXPECT_DOUBLE_EQ(answer.route.length, 2 * std::sqrt(1.25));
    ASSERT_EQ(answer.route.points.size(), 3U);
    EXPECT_EQ(answer.route.points[1], (Vec3{1, 1, 0}));
    EXPECT_EQ(answer.route.cells.size(), 3U);
  }
}

TEST(PointPlanner, AroundABlock) {
  // Spec: box [0,1000]^2, hole [400,600]^2, (300,500) -> (700,500): 200 + 200 sqrt 2. Here in squares of 200.
  const PointPlanner planner(squareMesh({".....", ".....", "..#..", ".....", "....."}));
  const Answer answer = ask(planner, {1.5, 2.5}, {3.5, 2.5});
  ASSERT_EQ(answer.status, PathStatus::kFound);
  EXPECT_DOUBLE_EQ(answer.route.length * 200, 200 + 200 * std::sqrt(2.0));
  EXPECT_EQ(answer.route.points.size(), 4U);
}

TEST(PointPlanner, OnWallsAndCorners) {
  const PointPlanner planner(squareMesh({"...", ".#.", "..."}));
  const Answer along = ask(planner, {1, 1}, {1, 2});
  ASSERT_EQ(along.status, PathStatus::kFound);
  EXPECT_EQ(along.route.length, 1);
  const Answer opposite = ask(planner, {1, 1}, {2, 2});
  ASSERT_EQ(opposite.status, PathStatus::kFound);
  EXPECT_DOUBLE_EQ(opposite.route.length, 2);
  const Answer past = ask(planner, {0, 1}, {3, 1});
  ASSERT_EQ(past.status, PathStatus::kFound);
  EXPECT_DOUBLE_EQ(past.route.length, 3);
  EXPECT_EQ(past.route.points.size(), 2U);
  EXPECT_EQ(ask(planner, {1.5, 1.5}, {0, 0}).status, PathStatus::kStartOffMesh);
  EXPECT_EQ(ask(planner, {0, 0}, {1.5, 1.5}).status, PathStatus::kGoalOffMesh);
}

// The way runs along a straight wall, past a vertex at which no path bends, to a corner in line with both: the portal
// there is seen edge-on. Both orientations.
TEST(PointPlanner, AlongAStraightWallToACorner) {
  for (const double flip : {1.0, -1.0}) {
    std::vector<LooseCell> cells{{0, {{0, 4}, {5, 4}, {5, 8}, {0, 8}}},
                                 {0, {{0, 0}, {5, 0}, {5, 4}, {0, 4}, {0, 2}}},
                                 {0, {{-2, 0}, {0, 0}, {0, 2}, {-2, 2}}}};
    for (LooseCell& cell : cells) {
      for (Vec2& p : cell.loop) p.x *= flip;
      if (flip < 0) std::reverse(cell.loop.begin(), cell.loop.end());
    }
    MeshArrays arrays = joinCells(cells);
    arrays.lattice.unit = 1;
    const PointPlanner planner{NavMesh(std::move(arrays))};
    for (const PathMethod kind : {PathMethod::kPolyanya, PathMethod::kAStar}) {
      const Answer there = ask(planner, {0, 8}, {-flip, 1}, kind);
      ASSERT_EQ(there.status, PathStatus::kFound);
      EXPECT_DOUBLE_EQ(there.route.length, 6 + std::sqrt(2.0));
      const Answer back = ask(planner, {-flip, 1}, {0, 8}, kind);
      ASSERT_EQ(back.status, PathStatus::kFound);
      EXPECT_DOUBLE_EQ(back.route.length, 6 + std::sqrt(2.0));
    }
  }
}

// Squares that touch in a corner only: no way through the point, but a start or goal there belongs to both.
TEST(PointPlanner, PinchPoints) {
  const PointPlanner apart(squareMesh({"#.", ".#"}));
  for (const PathMethod kind : {PathMethod::kPolyanya, PathMethod::kAStar}) {
    EXPECT_EQ(ask(apart, {0.5, 0.5}, {1.5, 1.5}, kind).status, PathStatus::kUnreachable);
    EXPECT_EQ(ask(apart, {1, 1}, {1.5, 1.5}, kind).status, PathStatus::kFound);
    EXPECT_EQ(ask(apart, {0.5, 0.5}, {1, 1}, kind).status, PathStatus::kFound);
    EXPECT_EQ(ask(apart, {1, 1}, {1, 1}, kind).status, PathStatus::kFound);
  }
  const PointPlanner around(squareMesh({"#..", ".#.", "..."}));
  const Answer answer = ask(around, {0.5, 1.5}, {1.5, 2.5});
  ASSERT_EQ(answer.status, PathStatus::kFound);
  // Down around the lower left corner of the block, its lower right and its upper right corner.
  EXPECT_DOUBLE_EQ(answer.route.length, std::sqrt(0.5) + 2 + std::sqrt(0.5));
}

// A point given in metres is meant to be the lattice point that it misses by rounding.
TEST(PointPlanner, MetresMeetTheLattice) {
  MeshArrays arrays = joinCells(gridCells({"...", ".#.", "..."}, 0, 3000));
  arrays.lattice.unit = 1e-4;
  const PointPlanner planner{NavMesh(std::move(arrays))};
  const Answer answer = ask(planner, {0.3, 0.3}, {0.6, 0.6});
  ASSERT_EQ(answer.status, PathStatus::kFound);
  EXPECT_NEAR(answer.route.length, 0.6, 1e-15);
  EXPECT_EQ(answer.route.points.size(), 3U);
}

// No double lies on this wall at a third of its length; within a thousandth of a unit the point is on the mesh.
TEST(PointPlanner, PointsOnSlantedWalls) {
  MeshArrays arrays = joinCells({{0, {{0, 0}, {70000, 30001}, {0, 30001}}}});
  arrays.lattice.unit = 1e-4;
  const PointPlanner planner{NavMesh(std::move(arrays))};
  for (int i = 0; i <= 100; ++i) {
    const double t = i / 100.0;
    const Answer answer = ask(planner, {7.0 * t, 3.0001 * t}, {0, 0.5});
    EXPECT_EQ(answer.status, PathStatus::kFound) << t;
  }
  EXPECT_EQ(ask(planner, {3.5, 1.5}, {0, 0.5}).status, PathStatus::kStartOffMesh);
}

// One scratch for meshes of different sizes, in any order.
TEST(PointPlanner, ScratchServesSeveralMeshes) {
  const PointPlanner small(squareMesh({".#", ".."}));
  const PointPlanner large(squareMesh(Picture(20, std::string(20, '.'))));
  PlanScratch scratch;
  Route route;
  for (int i = 0; i < 3; ++i) {
    for (const PathMethod kind : {PathMethod::kPolyanya, PathMethod::kAStar}) {
      ASSERT_EQ(small.plan({.from = {0.5, 2, 0}, .to = {2, 0.5, 0}, .method = kind}, scratch, route),
                PathStatus::kFound);
      EXPECT_DOUBLE_EQ(route.length, 2 * std::sqrt(1.25));
      ASSERT_EQ(large.plan({.from = {0, 0, 0}, .to = {20, 20, 0}, .method = kind}, scratch, route), PathStatus::kFound);
      EXPECT_DOUBLE_EQ(route.length, 20 * std::sqrt(2.0));
    }
  }
  PlanScratch moved = std::move(scratch);
  EXPECT_EQ(small.plan({.from = {0.5, 2, 0}, .to = {2, 0.5, 0}}, moved, route), PathStatus::kFound);
}

}  // namespace
}  // namespace wend
