#include <numbers>

#include <gtest/gtest.h>

#include "planning/check_route.h"
#include "planning/replan/route_change.h"
#include "tests/planning/replan/live_world.h"

namespace wend {
namespace {

struct Counts {
  int trials = 0, affected = 0, kept = 0, unreachable = 0, notConcerned = 0, dpaWorse = 0, localWorse = 0;
  uint64_t aStar = 0, odpa = 0;
};

// Somewhere on the route, a share of its length from the start.
Vec3 placeOn(const Route& route, double share) {
  double left = share * route.length;
  for (size_t i = 0; i + 1 < route.points.size(); ++i) {
    const Vec3& a = route.points[i];
    const Vec3& b = route.points[i + 1];
    const double size = std::hypot(b.x - a.x, b.y - a.y);
    if (left <= size && size > 0) {
      const double t = left / size;
      return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
    }
    left -= size;
  }
  return route.points.back();
}

// Plans before the event, walks a bit, re-plans after it by every method, and compares with a new plan.
void checkEvent(const Navigator& before, const Navigator& after, ChangeKind kind, double radius, int pairs,
                Random& random, Counts& counts, PathMethod planner) {
  PlanScratch scratch;
  const WorldChange change = WorldChange::between(before, after, kind);
  ASSERT_FALSE(change.empty());
  ASSERT_FALSE(change.everything());
  const bool axis = planner == PathMethod::kCorridor;
  for (int i = 0; i < pairs; ++i) {
    PathQuery query{.from = freePlace(random, before, after, radius, scratch),
                    .to = freePlace(random, before, after, radius, scratch),
                    .radius = radius,
                    .method = planner};
    Route old;
    // Between two points of an arc the route is nearer to its corner by the rounding.
    if (!axis && radius > 0) query.radius = radius + 1e-5;
    if (before.plan(query, scratch, old) != PathStatus::kFound) continue;
    query.radius = radius;
    // Ends in the middle of nowhere too: an agent that was pushed off its route.
    Place now = i % 3 == 0 ? query.from : Place(placeOn(old, random.real(0, 0.6)));
    if (i % 7 == 0) now = freePlace(random, before, after, radius, scratch);
    query.from = now;
    Route best;
    const PathStatus status = after.plan(query, scratch, best);
    counts.aStar += scratch.expanded;
    Corridor corridor;
    double shortest = best.length;
    if (axis && status == PathStatus::kFound) {
      after.corridor(query, scratch, corridor);
      shortest = corridor.length;
    }
    const bool concerned = after.isConcerned(change, query, scratch, old);
    ++counts.trials;
    for (const ReplanMethod method :
         {ReplanMethod::kOdpa, ReplanMethod::kDpa, ReplanMethod::kLocal, ReplanMethod::kAStar}) {
      Route route = old;
      ReplanReport report;
      const PathStatus again = after.replan(query, change, method, scratch, route, report);
      ASSERT_EQ(again, status) << methodName(method) << " " << i;
      if (status != PathStatus::kFound) {
        ++counts.unreachable;
        ASSERT_TRUE(route.points.empty());
        continue;
      }
      const char* fault = findRouteFault(after.mesh(), query, route);
      ASSERT_EQ(fault, nullptr) << fault << " " << methodName(method) << " " << i;
      if (axis) {
        ASSERT_GE(report.cost, (1 - 1e-9) * shortest) << methodName(method) << " " << i;
        const bool isBest = report.cost <= (1 + 1e-9) * shortest;
        if (method == ReplanMethod::kOdpa || method == ReplanMethod::kAStar) {
          ASSERT_TRUE(isBest) << methodName(method) << " " << i << " " << report.cost << " " << shortest;
          ASSERT_TRUE(route.optimal);
        }
        ASSERT_TRUE(isBest || !report.optimal) << methodName(method) << " " << i;
        if (method == ReplanMethod::kDpa && !isBest) ++counts.dpaWorse;
        if (method == ReplanMethod::kLocal && !isBest) ++counts.localWorse;
      } else if (method == ReplanMethod::kOdpa && radius == 0) {
        ASSERT_LE(route.length, (1 + 1e-6) * shortest + 2 * restOf(old, now.top()).off + 1e-6) << i;
      }
      if (method != ReplanMethod::kOdpa) continue;
      counts.odpa += report.expanded;
      counts.affected += report.affected ? 1 : 0;
      counts.kept += report.searched ? 0 : 1;
      counts.notConcerned += concerned ? 0 : 1;
      ASSERT_TRUE(!axis || concerned || !report.changed) << i;
      if (!axis && radius == 0 && !concerned) {
        const RouteRest rest = restOf(old, now.top());
        ASSERT_GE(best.length, (1 - 1e-6) * rest.length - 2 * rest.off) << i;
      }
    }
  }
}

void checkWorld(const LiveWorld& world, double radius, int events, int pairs, uint64_t seed, Counts& counts,
                PathMethod planner = PathMethod::kBest) {
  Random random(seed);
  PlanScratch scratch;
  for (int k = 0; k < events; ++k) {
    const Vec3 c = freePlace(random, world.plain, world.plain, 0.2, scratch);
    const std::optional<Navigator> with = world.with({squareAt({c.x, c.y}, random.real(0.5, 4))});
    if (!with || with->mesh().empty()) continue;
    if (WorldChange::between(world.plain, *with).empty()) continue;  // the square came down in another layer
    checkEvent(world.plain, *with, ChangeKind::kInsertion, radius, pairs, random, counts, planner);
    if (testing::Test::HasFatalFailure()) return;
    checkEvent(*with, world.plain, ChangeKind::kDeletion, radius, pairs, random, counts, planner);
    if (testing::Test::HasFatalFailure()) return;
  }
}

void expectUseful(const Counts& counts) {
  EXPECT_GT(counts.trials, 100);
  EXPECT_GT(counts.affected, 4);
  EXPECT_GT(counts.kept, 10);
  EXPECT_GT(counts.notConcerned, 10);
  EXPECT_LT(counts.odpa, counts.aStar);
}

MakeSettings made(const std::string& kind) {
  MakeSettings settings{kind, {}, 1, {}};
  if (kind == "zelda" || kind == "military") settings.parameters = {{"edition", 2}};
  return settings;
}

// One layer, turned by an odd angle.
std::optional<Environment> turned(const std::string& kind) {
  const Result<Environment> environment = makeEnvironment(made(kind));
  if (!environment.ok()) return std::nullopt;
  EnvironmentDraft draft = draftOf(*environment);
  draft.truth.reset();
  const double angle = 17 * std::numbers::pi / 180;
  for (auto* areas : {&draft.layers[0].walkable, &draft.layers[0].obstacles}) {
    for (auto& loops : *areas) {
      for (auto& loop : loops) {
        for (Vec2& p : loop) {
          p = {std::cos(angle) * p.x - std::sin(angle) * p.y, std::sin(angle) * p.x + std::cos(angle) * p.y};
        }
      }
    }
  }
  Result<Environment> built = buildEnvironment(draft);
  if (!built.ok()) return std::nullopt;
  return *std::move(built);
}

TEST(NavigatorReplan, AxisOfZelda) {
  const auto world = LiveWorld::make(made("zelda"), "ecm");
  ASSERT_TRUE(world);
  Counts counts;
  checkWorld(*world, 0.7, 12, 20, 1, counts, PathMethod::kCorridor);
  checkWorld(*world, 0.3, 6, 20, 2, counts, PathMethod::kCorridor);
  expectUseful(counts);
}

TEST(NavigatorReplan, AxisOfMilitary) {
  const auto world = LiveWorld::make(made("military"), "ecm");
  ASSERT_TRUE(world);
  Counts counts;
  checkWorld(*world, 0.7, 20, 20, 3, counts, PathMethod::kCorridor);
  expectUseful(counts);
}

TEST(NavigatorReplan, AxisOfATurnedWorld) {
  const std::optional<Environment> environment = turned("zelda");
  ASSERT_TRUE(environment);
  const auto world = LiveWorld::of(*environment, "ecm");
  ASSERT_TRUE(world);
  Counts counts;
  checkWorld(*world, 0.5, 8, 20, 7, counts, PathMethod::kCorridor);
  expectUseful(counts);
}

TEST(NavigatorReplan, AxisOfStoreys) {
  const auto world = LiveWorld::make(made("station"), "ecm");
  ASSERT_TRUE(world);
  Counts counts;
  checkWorld(*world, 0.3, 12, 20, 4, counts, PathMethod::kCorridor);
  expectUseful(counts);
}

TEST(NavigatorReplan, CellsOfZelda) {
  for (const double radius : {0.0, 0.4}) {
    const auto world = LiveWorld::make(made("zelda"), "hertel-mehlhorn");
    ASSERT_TRUE(world);
    Counts counts;
    checkWorld(*world, radius, 20, 20, 5, counts);
    expectUseful(counts);
  }
}

// The shortest routes of a world with a medial axis, planned on its search mesh.
TEST(NavigatorReplan, SearchMeshOfZeldaAndStoreys) {
  Counts counts;
  for (const char* kind : {"zelda", "station"}) {
    const auto world = LiveWorld::make(made(kind), "ecm");
    ASSERT_TRUE(world);
    for (const double radius : {0.0, 0.3}) checkWorld(*world, radius, 8, 20, 8, counts);
  }
  expectUseful(counts);
}

TEST(NavigatorReplan, CellsOfStoreys) {
  const auto world = LiveWorld::make(made("station"), "neogen");
  ASSERT_TRUE(world);
  Counts counts;
  checkWorld(*world, 0.25, 8, 20, 6, counts);
  EXPECT_GT(counts.trials, 100);
}

TEST(NavigatorReplan, NothingChanged) {
  const auto world = LiveWorld::make(made("zelda"), "ecm");
  ASSERT_TRUE(world);
  const auto again = world->with({});
  const WorldChange change = WorldChange::between(world->plain, *again);
  EXPECT_TRUE(change.empty());
  EXPECT_TRUE(change.places().empty());
  PlanScratch scratch;
  Random random(9);
  PathQuery query{.from = freePlace(random, *again, *again, 0.5, scratch),
                  .to = freePlace(random, *again, *again, 0.5, scratch),
                  .radius = 0.5};
  Route route;
  ASSERT_EQ(world->plain.plan(query, scratch, route), PathStatus::kFound);
  const Route old = route;
  EXPECT_FALSE(again->isConcerned(change, query, scratch, route));
  ReplanReport report;
  ASSERT_EQ(again->replan(query, change, ReplanMethod::kOdpa, scratch, route, report), PathStatus::kFound);
  EXPECT_FALSE(report.changed);
  EXPECT_EQ(report.expanded, 0U);
  EXPECT_EQ(route.points, old.points);
}

// A wall across the only corridor: the goal is cut off, and comes back.
TEST(NavigatorReplan, GoalCutOffAndBack) {
  EnvironmentDraft draft;
  draft.layers.resize(1);
  draft.layers[0].walkable = {{{{0, 0}, {20, 0}, {20, 3}, {0, 3}}}};
  const Result<Environment> environment = buildEnvironment(draft);
  ASSERT_TRUE(environment.ok());
  for (const char* generator : {"ecm", "delaunay"}) {
    const auto world = LiveWorld::of(*environment, generator);
    ASSERT_TRUE(world);
    const auto shut = world->with({{{10, -1}, {10.2, -1}, {10.2, 4}, {10, 4}}});
    ASSERT_TRUE(shut);
    PlanScratch scratch;
    PathQuery query{.from = {2, 1.5}, .to = {18, 1.5}, .radius = 0.5};
    Route route;
    ASSERT_EQ(world->plain.plan(query, scratch, route), PathStatus::kFound);
    ReplanReport report;
    const WorldChange closing = WorldChange::between(world->plain, *shut, ChangeKind::kInsertion);
    EXPECT_TRUE(shut->isConcerned(closing, query, scratch, route));
    EXPECT_EQ(shut->replan(query, closing, ReplanMethod::kOdpa, scratch, route, report), PathStatus::kUnreachable);
    EXPECT_TRUE(route.points.empty());
    const WorldChange opening = WorldChange::between(*shut, world->plain, ChangeKind::kDeletion);
    EXPECT_EQ(world->plain.replan(query, opening, ReplanMethod::kOdpa, scratch, route, report), PathStatus::kFound);
    EXPECT_NEAR(route.length, 16, 1e-6);
  }
}

// An edge that only becomes narrower: it vanishes for a wide agent, and nothing is lost for a slim one.
TEST(NavigatorReplan, NarrowerForTheWideOnly) {
  EnvironmentDraft draft;
  draft.layers.resize(1);
  draft.layers[0].walkable = {{{{0, 0}, {20, 0}, {20, 10}, {0, 10}}}};
  draft.layers[0].obstacles = {{{{4, 3}, {16, 3}, {16, 7}, {4, 7}}}};
  const Result<Environment> environment = buildEnvironment(draft);
  ASSERT_TRUE(environment.ok());
  const auto world = LiveWorld::of(*environment, "ecm");
  ASSERT_TRUE(world);
  const auto narrow = world->with({{{9, -1}, {11, -1}, {11, 1.5}, {9, 1.5}}});
  ASSERT_TRUE(narrow);
  const WorldChange change = WorldChange::between(world->plain, *narrow, ChangeKind::kInsertion);
  PlanScratch scratch;
  for (const double radius : {0.5, 1.0}) {
    PathQuery query{.from = {2, 2}, .to = {18, 2}, .radius = radius};
    Route route;
    ASSERT_EQ(world->plain.plan(query, scratch, route), PathStatus::kFound);
    EXPECT_LT(route.length, 17);
    ReplanReport report;
    ASSERT_EQ(narrow->replan(query, change, ReplanMethod::kOdpa, scratch, route, report), PathStatus::kFound);
    if (radius < 0.75) {
      EXPECT_LT(route.length, 17);
    } else {
      EXPECT_GT(route.length, 20);
    }
  }
}

}  // namespace
}  // namespace wend
