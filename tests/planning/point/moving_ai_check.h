#pragma once

#include <cmath>
#include <string>

#include <wend/environment_file.h>
#include <wend/generate.h>
#include <wend/route.h>

#include <gtest/gtest.h>

#include "planning/point/point_planner.h"
#include "tests/planning/point/moving_ai.h"
#include "tests/planning/route_check.h"

namespace wend {

// About `sample` queries of a map on both generators' meshes: Euclid <= Polyanya <= octile, Polyanya <= A*, and both
// meshes agree.
inline void checkMovingAi(const std::string& file, size_t sample) {
  SCOPED_TRACE(file);
  const Result<Environment> environment = readEnvironment(file);
  ASSERT_TRUE(environment.ok()) << environment.error().message;
  const Result<NavMesh> delaunay = generate(*environment, {.generator = "delaunay"});
  ASSERT_TRUE(delaunay.ok()) << delaunay.error().message;
  const Result<NavMesh> merged = generate(*environment, {.generator = "hertel-mehlhorn"});
  ASSERT_TRUE(merged.ok()) << merged.error().message;
  const PointPlanner first(*delaunay);
  const PointPlanner second(*merged);
  PlanScratch scratch;
  Route route;
  const std::vector<ScenQuery> queries = readScen(file + ".scen");
  ASSERT_FALSE(queries.empty());
  const size_t step = queries.size() <= sample ? 1 : queries.size() / sample;
  for (size_t i = 0; i < queries.size(); i += step) {
    const ScenQuery& q = queries[i];
    SCOPED_TRACE(i);
    PathQuery query;
    query.from = {q.fromX, q.fromY, 0};
    query.to = {q.toX, q.toY, 0};
    ASSERT_EQ(first.plan(query, scratch, route), PathStatus::kFound);
    const double length = route.length;
    ASSERT_EQ(findRouteFault(first.mesh(), route), "");
    ASSERT_LE(length, q.octile + q.rounding + 1e-6);
    ASSERT_GE(length, std::hypot(q.toX - q.fromX, q.toY - q.fromY) * (1 - 1e-12));
    ASSERT_EQ(second.plan(query, scratch, route), PathStatus::kFound);
    ASSERT_NEAR(route.length, length, 1e-9 * length);
    ASSERT_EQ(findRouteFault(second.mesh(), route), "");
    query.method = PathMethod::kAStar;
    for (const PointPlanner* planner : {&first, &second}) {
      ASSERT_EQ(planner->plan(query, scratch, route), PathStatus::kFound);
      ASSERT_GE(route.length, length * (1 - 1e-12));
      ASSERT_EQ(findRouteFault(planner->mesh(), route), "");
    }
  }
}

}  // namespace wend
