#include <atomic>
#include <thread>

#include <wend/generate.h>
#include <wend/make.h>
#include <wend/navigator.h>
#include <wend/route.h>

#include <gtest/gtest.h>

#include "base/hash.h"
#include "planning/corridor/corridor_navigator.h"
#include "planning/disk/disk_navigator.h"
#include "planning/point/point_planner.h"
#include "tests/allocations.h"
#include "tests/planning/grid_world.h"

namespace wend {
namespace {

std::vector<PathQuery> someQueries(int size, size_t count) {
  Random random(5);
  std::vector<PathQuery> queries(count);
  for (size_t i = 0; i < count; ++i) {
    const auto draw = [&] { return random.real(0, size); };
    queries[i].from = {draw(), draw(), 0};
    queries[i].to = {draw(), draw(), 0};
    queries[i].method = i % 2 == 0 ? PathMethod::kPolyanya : PathMethod::kAStar;
  }
  return queries;
}

uint64_t answerAll(const PointPlanner& planner, const std::vector<PathQuery>& queries, PlanScratch& scratch,
                   Route& route) {
  Hash hash;
  for (const PathQuery& query : queries) {
    hash.add(planner.plan(query, scratch, route));
    hash.add(route.length);
    hash.array(std::span<const CellId>(route.cells));
  }
  return hash.value();
}

TEST(PlannerMemory, AQueryAllocatesNothingAfterWarmUp) {
  if (!testing::kAllocationsAreCounted) GTEST_SKIP() << "skipped: sanitizers count for themselves";
  Random random(3);
  const PointPlanner planner(squareMesh(randomPicture(random, 40, 40, 0.3)));
  const std::vector<PathQuery> queries = someQueries(40, 400);
  PlanScratch scratch;
  Route route;
  testing::takeAllocations();
  const uint64_t first = answerAll(planner, queries, scratch, route);
  EXPECT_GT(testing::takeAllocations(), 0U) << "the counter does not count";
  testing::takeAllocations();
  EXPECT_EQ(answerAll(planner, queries, scratch, route), first);
  EXPECT_EQ(testing::takeAllocations(), 0U);
}

TEST(DiskNavigatorMemory, AQueryWithARadiusAllocatesNothingAfterWarmUp) {
  if (!testing::kAllocationsAreCounted) GTEST_SKIP() << "skipped: sanitizers count for themselves";
  MakeSettings make;
  make.kind = "city";
  const Result<NavMesh> mesh = generate(*makeEnvironment(make), {.generator = "delaunay"});
  ASSERT_TRUE(mesh.ok());
  const DiskNavigator navigator(*mesh);
  std::vector<PathQuery> queries = someQueries(500, 60);
  for (size_t i = 0; i < queries.size(); ++i) queries[i].radius = i % 2 == 0 ? 0.5 : 1.0;
  PlanScratch scratch;
  Route route;
  size_t found = 0;
  const auto askAll = [&] {
    for (const PathQuery& q : queries) found += navigator.plan(q, scratch, route) == PathStatus::kFound ? 1U : 0U;
  };
  testing::takeAllocations();
  askAll();
  EXPECT_GT(testing::takeAllocations(), 0U) << "the counter does not count";
  EXPECT_GT(found, 10U);
  askAll();
  EXPECT_EQ(testing::takeAllocations(), 0U);
}

// Every operation, on one layer and on several.
void expectNoAllocations(const char* kind, bool withHeights) {
  MakeSettings make;
  make.kind = kind;
  const Result<Environment> world = makeEnvironment(make);
  ASSERT_TRUE(world.ok());
  const Result<NavMesh> mesh = generate(*world, {.generator = "ecm"});
  ASSERT_TRUE(mesh.ok());
  const std::shared_ptr<const CorridorNavigator> navigator = *CorridorNavigator::make(*mesh);
  const Box box = boundingBox(*world);
  const Locator locator(*mesh);
  Random random(5);
  std::vector<PathQuery> queries(300);
  for (size_t i = 0; i < queries.size(); ++i) {
    for (Place* place : {&queries[i].from, &queries[i].to}) {
      const auto layer = static_cast<LayerId>(random.below(mesh->layerCount()));
      const Vec2 p =
          mesh->lattice().toMetres(Vec2{random.real(box.min.x, box.max.x), random.real(box.min.y, box.max.y)});
      *place = p;
      if (withHeights) place->z = locator.height(p, layer);
    }
    queries[i].radius = 0.1 * static_cast<double>(i % 4);
    queries[i].clearance = 0.1 * static_cast<double>(i % 10);
    if (i % 3 == 0) queries[i].side = 0.5;
  }
  PlanScratch scratch;
  Route route;
  Corridor corridor;
  VisibilityPolygon view;
  size_t found = 0;
  const auto answer = [&] {
    Hash hash;
    for (const PathQuery& query : queries) {
      hash.add(navigator->locate(query.from));
      const PathStatus status = navigator->plan(query, scratch, route);
      found += status == PathStatus::kFound ? 1 : 0;
      hash.add(status);
      hash.add(route.length);
      hash.add(route.clearance);
      hash.array(std::span<const CellId>(route.cells));
      navigator->corridor(query, scratch, corridor);
      hash.add(corridor.length);
      hash.add(navigator->reachable(query, scratch));
      hash.add(navigator->largestRadius(query, scratch));
      hash.add(navigator->straightClearance(query.from, query.to, scratch));
      hash.add(navigator->nearestObstacle(query.from, scratch).has_value());
      const auto axis = navigator->retraction(query.from, scratch);
      hash.add(axis ? axis->clearance : -1);
      for (const double range : {0.0, 5.0}) {
        navigator->visibility(query.from, range, scratch, view);
        hash.add(view.points.size());
      }
    }
    return hash.value();
  };
  const uint64_t first = answer();
  EXPECT_GT(found, 50U) << kind;
  testing::takeAllocations();
  EXPECT_EQ(answer(), first);
  EXPECT_EQ(testing::takeAllocations(), 0U) << kind;
}

TEST(CorridorNavigatorMemory, AQueryAllocatesNothingAfterWarmUp) {
  if (!testing::kAllocationsAreCounted) GTEST_SKIP() << "skipped: sanitizers count for themselves";
  expectNoAllocations("military", false);
  expectNoAllocations("ramps", true);
  expectNoAllocations("station", true);
}

TEST(PlannerThreads, ShareAPlanner) {
  Random random(4);
  const PointPlanner planner(squareMesh(randomPicture(random, 30, 30, 0.3)));
  const std::vector<PathQuery> queries = someQueries(30, 300);
  PlanScratch scratch;
  Route route;
  const uint64_t expected = answerAll(planner, queries, scratch, route);
  std::atomic<int> equal = 0;
  const auto work = [&] {
    PlanScratch own;
    Route ownRoute;
    for (int i = 0; i < 3; ++i) equal += answerAll(planner, queries, own, ownRoute) == expected ? 1 : 0;
  };
  std::thread one(work);
  std::thread two(work);
  one.join();
  two.join();
  EXPECT_EQ(equal.load(), 6);
}

}  // namespace
}  // namespace wend
