#include <cmath>

#include <wend/route.h>

#include <gtest/gtest.h>

#include "planning/point/point_planner.h"
#include "tests/planning/grid_world.h"
#include "tests/planning/route_check.h"

// Both planners against the visibility graph, on worlds full of ties: squares, starts and goals on vertices, on sides
// and on common lines.
namespace wend {
namespace {

std::string show(const Picture& picture) {
  std::string text;
  for (const std::string& row : picture) text += row + "\n";
  return text;
}

PathQuery queryOf(Point from, Point to, double unit, PathMethod kind) {
  PathQuery query;
  query.from = {from.x * unit, from.y * unit, 0};
  query.to = {to.x * unit, to.y * unit, 0};
  query.method = kind;
  return query;
}

TEST(Oracle, KnowsTheSpecFigure) {
  const Picture picture{".....", ".....", "..#..", ".....", "....."};
  const VisibilityOracle oracle(squareWalls(picture));
  EXPECT_DOUBLE_EQ(oracle.length({6, 10}, {14, 10}), 4 * (1 + std::sqrt(2.0)));
  EXPECT_EQ(oracle.length({8, 8}, {12, 12}), 8);
  EXPECT_FALSE(oracle.isFree({10, 10}));
  EXPECT_TRUE(oracle.isFree({8, 10}));
}

TEST(Oracle, BlocksPinchPoints) {
  const VisibilityOracle oracle(squareWalls({"#.", ".#"}));
  EXPECT_EQ(oracle.length({2, 2}, {6, 6}), VisibilityOracle::kNoWay);
  EXPECT_DOUBLE_EQ(oracle.length({4, 4}, {6, 6}), std::sqrt(8.0));
}

TEST(OracleGrids, BothPlanners) {
  PlanScratch scratch;
  Route route;
  for (uint64_t world = 0; world < 600; ++world) {
    Random random(11, world);
    const int width = static_cast<int>(random.between(1, 8));
    const int height = static_cast<int>(random.between(1, 8));
    const Picture picture = randomPicture(random, width, height, random.real(0.1, 0.5));
    const PointPlanner planner(squareMesh(picture));
    const VisibilityOracle oracle(squareWalls(picture));
    for (int i = 0; i < 12; ++i) {
      // Two of three coordinates fall on corners of squares.
      const auto draw = [&](int size) {
        const auto c = static_cast<int32_t>(random.between(0, size * kSquare));
        return random.chance(0.67) ? c / kSquare * kSquare : c;
      };
      const Point from{draw(width), draw(height)};
      const Point to{draw(width), draw(height)};
      const PathStatus status = planner.plan(queryOf(from, to, 0.25, PathMethod::kPolyanya), scratch, route);
      SCOPED_TRACE(show(picture) + "(" + std::to_string(from.x) + "," + std::to_string(from.y) + ") to (" +
                   std::to_string(to.x) + "," + std::to_string(to.y) + ")");
      if (!oracle.isFree(from)) {
        ASSERT_EQ(status, PathStatus::kStartOffMesh);
        continue;
      }
      if (!oracle.isFree(to)) {
        ASSERT_EQ(status, PathStatus::kGoalOffMesh);
        continue;
      }
      const double truth = oracle.length(from, to) * 0.25;
      ASSERT_EQ(status, truth < VisibilityOracle::kNoWay ? PathStatus::kFound : PathStatus::kUnreachable);
      const PathStatus again = planner.plan(queryOf(from, to, 0.25, PathMethod::kAStar), scratch, route);
      ASSERT_EQ(again, status);
      if (status != PathStatus::kFound) continue;
      ASSERT_EQ(findRouteFault(planner.mesh(), route), "");
      ASSERT_GE(route.length, truth * (1 - 1e-12));
      planner.plan(queryOf(from, to, 0.25, PathMethod::kPolyanya), scratch, route);
      ASSERT_NEAR(route.length, truth, 1e-9 * truth);
      ASSERT_EQ(findRouteFault(planner.mesh(), route), "");
    }
  }
}

}  // namespace
}  // namespace wend
