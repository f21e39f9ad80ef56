#include <thread>

#include <wend/make.h>

#include "base/hash.h"
#include "environment/turned.h"
#include "tests/allocations.h"
#include "tests/generators/layered_worlds.h"
#include "tests/planning/corridor/cells_check.h"
#include "tests/planning/real_worlds.h"
#include "tests/world/random_edit.h"

// Shortest routes on a world with a medial axis: searched on the search mesh, told in the world's own cells.
namespace wend {
namespace {

struct Count {
  int asked = 0, found = 0, disks = 0;
};

// Against the same query on the mesh of hertel-mehlhorn, and for a point against Polyanya on the world's own cells.
void checkRoutes(const Environment& environment, uint64_t seed, int pairs, Count& count) {
  const Result<World> world = bake(environment, {.generator = "ecm"});
  const Result<World> coarse = bake(environment, {.generator = "hertel-mehlhorn"});
  ASSERT_TRUE(world.ok() && coarse.ok());
  const Navigator navigator = makeNavigator(*world);
  const Navigator expected = makeNavigator(*coarse);
  const NavMesh& mesh = navigator.mesh();
  const Locator locator(mesh);
  Random random(seed);
  PlanScratch scratch;
  Route route;
  Route other;
  for (int i = 0; i < pairs; ++i) {
    PathQuery query{.from = randomPlace(mesh, locator, random), .to = randomPlace(mesh, locator, random)};
    query.radius = i % 2 == 0 ? 0 : random.real(0.05, 0.6);
    const PathStatus status = navigator.plan(query, scratch, route);
    ASSERT_EQ(status, expected.plan(query, scratch, other)) << i;
    if (status != PathStatus::kStartTooNear && status != PathStatus::kGoalTooNear) {
      ASSERT_EQ(status, navigator.reachable(query, scratch)) << i;
    }
    ++count.asked;
    if (status != PathStatus::kFound) continue;
    ++count.found;
    count.disks += query.radius > 0 ? 1 : 0;
    if (query.radius == 0) {
      ASSERT_NEAR(route.length, other.length, 1e-6 * (1 + other.length)) << i;
    } else {
      ASSERT_EQ(route.length, other.length) << i;
      ASSERT_EQ(route.points, other.points) << i;
    }
    if (i % 4 < 2) {  // slow
      ASSERT_EQ(cellsFault(mesh, route), "") << i;
    }
    const char* fault = findRouteFault(mesh, query, route);
    ASSERT_EQ(fault, nullptr) << fault << " " << i;
    if (query.radius > 0) continue;
    query.method = PathMethod::kPolyanya;
    ASSERT_EQ(navigator.plan(query, scratch, other), PathStatus::kFound);
    ASSERT_NEAR(route.length, other.length, 1e-6 * (1 + route.length)) << i;
  }
}

TEST(SearchMesh, RoutesOfMadeWorlds) {
  Count count;
  for (const char* kind : {"maze", "zelda", "university", "station", "parking-lot", "spiral"}) {
    SCOPED_TRACE(kind);
    const Result<Environment> environment = makeEnvironment({.kind = kind});
    ASSERT_TRUE(environment.ok());
    for (const double degrees : {0.0, 17.0}) checkRoutes(turned(*environment, degrees), 3, 60, count);
    if (::testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(count.found, count.asked / 3);
  EXPECT_GT(count.disks, count.asked / 8);
}

TEST(SearchMesh, RoutesOfRealWorlds) {
  Count count;
  for (const std::string& file : realFiles()) {
    SCOPED_TRACE(file);
    for (const double angle : {0.0, kOddAngle}) {
      const std::optional<Environment> environment = realEnvironment(file, angle);
      if (!environment) GTEST_SKIP() << "skipped: no data";
      checkRoutes(*environment, 5, 40, count);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
  EXPECT_GT(count.found, count.asked / 3);
}

// A clearance that is kept where there is space, a side or densities: the axis answers.
TEST(SearchMesh, LeavesToTheAxisWhatItDoesBetter) {
  const Navigator navigator = makeNavigator(bake(makeEnvironment({.kind = "maze"}).value()).value());
  PlanScratch scratch;
  Route route;
  Route axis;
  const PathQuery query{.from = {0.5, 0.5}, .to = {30.5, 30.5}, .radius = 0.2};
  PathQuery keeps = query;
  keeps.clearance = 0.4;
  PathQuery beside = query;
  beside.side = -1;
  for (PathQuery asked : {keeps, beside}) {
    ASSERT_EQ(navigator.plan(asked, scratch, route), PathStatus::kFound);
    asked.method = PathMethod::kCorridor;
    ASSERT_EQ(navigator.plan(asked, scratch, axis), PathStatus::kFound);
    EXPECT_EQ(route.points, axis.points);
    EXPECT_FALSE(route.path.empty());
  }
  ASSERT_EQ(navigator.plan(query, scratch, route), PathStatus::kFound);
  EXPECT_LT(route.length, axis.length);
  EXPECT_TRUE(route.path.empty());
}

// Places where free space touches itself in a point, and along walls, are told in the right cells.
TEST(SearchMesh, AlongWallsAndFromTouchingPoints) {
  EnvironmentDraft draft;
  draft.layers.resize(1);
  draft.layers[0].walkable = {{{{0, 0}, {7, 0}, {7, 7}, {0, 7}}}};
  draft.layers[0].obstacles = {
      {{{1, 1}, {3, 1.7}, {2, 4}}}, {{{3, 1.7}, {6, 2.2}, {5, 5.3}}}, {{{2, 4}, {4, 5}, {3, 6}}}};
  const Environment environment = turned(buildEnvironment(draft).value(), 17);
  const Navigator navigator = makeNavigator(bake(environment).value());
  std::vector<Vec2> corners;
  for (const Polygon& polygon : environment.layers[0].free) {
    for (const Point p : polygon.outer) corners.push_back(environment.lattice.toMetres(p));
    for (const Ring& hole : polygon.holes) {
      for (const Point p : hole) corners.push_back(environment.lattice.toMetres(p));
    }
  }
  const size_t count = corners.size();
  for (size_t i = 0; i + 1 < count; ++i) corners.push_back(between(corners[i], corners[i + 1], 0.37));
  PlanScratch scratch;
  Route route;
  Route exact;
  int found = 0;
  for (const Vec2 from : corners) {
    for (const Vec2 to : corners) {
      PathQuery query{.from = from, .to = to};
      const PathStatus status = navigator.plan(query, scratch, route);
      query.method = PathMethod::kPolyanya;
      ASSERT_EQ(status, navigator.plan(query, scratch, exact));
      if (status != PathStatus::kFound) continue;
      ++found;
      ASSERT_NEAR(route.length, exact.length, 1e-6);
      const char* fault = findRouteFault(navigator.mesh(), query, route);
      ASSERT_EQ(fault, nullptr) << fault;
      ASSERT_EQ(cellsFault(navigator.mesh(), route), "");
    }
  }
  EXPECT_GT(found, 100);
}

// After each edit the lengths of a point are those of a world that is baked anew, whether the search mesh was made
// before the edit or is made after it.
TEST(SearchMesh, FollowsEdits) {
  const Environment environment = turned(makeEnvironment({.kind = "zelda"}).value(), 17);
  World world = bake(environment).value();
  Navigator navigator = makeNavigator(world);
  Random random(4);
  PlanScratch scratch;
  Route route;
  Route fresh;
  int compared = 0;
  for (int k = 0; k < 12; ++k) {
    const Result<WorldUpdate> update = world.apply(randomEdit(world, environment, 3, random));
    if (!update.ok()) continue;
    world = update->world;
    navigator = makeNavigator(navigator, world);
    const Navigator other = makeNavigator(bake(world.environment()).value());
    const Locator locator(world.mesh());
    for (int i = 0; i < 20 && k % 3 != 1; ++i) {  // versions that nobody asks, too
      PathQuery query{.from = randomPlace(world.mesh(), locator, random),
                      .to = randomPlace(world.mesh(), locator, random)};
      query.radius = i % 4 == 3 ? 0.4 : 0;
      const PathStatus status = navigator.plan(query, scratch, route);
      ASSERT_EQ(status, other.plan(query, scratch, fresh));
      if (status != PathStatus::kFound) continue;
      ++compared;
      if (query.radius == 0) {
        ASSERT_NEAR(route.length, fresh.length, 1e-9 * (1 + fresh.length));
      }
      ASSERT_EQ(cellsFault(world.mesh(), route), "");
    }
  }
  EXPECT_GT(compared, 60);
}

// The first queries of several threads make the search mesh; each then allocates nothing.
TEST(SearchMesh, IsSharedAndAllocatesNothing) {
  const World world = bake(makeEnvironment({.kind = "university"}).value()).value();
  const Navigator navigator = makeNavigator(world);
  const Locator locator(world.mesh());
  Random random(6);
  std::vector<PathQuery> queries(100);
  for (size_t i = 0; i < queries.size(); ++i) {
    queries[i] = {.from = randomPlace(world.mesh(), locator, random), .to = randomPlace(world.mesh(), locator, random)};
    queries[i].radius = 0.1 * static_cast<double>(i % 4);
  }
  const auto answer = [&](PlanScratch& scratch, Route& route) {
    Hash hash;
    for (const PathQuery& query : queries) {
      hash.add(navigator.plan(query, scratch, route));
      hash.add(route.length);
      hash.array(std::span<const CellId>(route.cells));
    }
    return hash.value();
  };
  std::array<uint64_t, 3> hashes{};
  std::vector<std::thread> threads;
  for (uint64_t& hash : hashes) {
    threads.emplace_back([&] {
      PlanScratch scratch;
      Route route;
      hash = answer(scratch, route);
    });
  }
  for (std::thread& thread : threads) thread.join();
  PlanScratch scratch;
  Route route;
  EXPECT_EQ(answer(scratch, route), hashes[0]);
  EXPECT_EQ(hashes[1], hashes[0]);
  EXPECT_EQ(hashes[2], hashes[0]);
  testing::takeAllocations();
  EXPECT_EQ(answer(scratch, route), hashes[0]);
  if (testing::kAllocationsAreCounted) {
    EXPECT_EQ(testing::takeAllocations(), 0U);
  }
}

}  // namespace
}  // namespace wend
