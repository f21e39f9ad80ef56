#include "crowd/follow/follow.h"

#include <cmath>

#include <wend/generate.h>
#include <wend/make.h>
#include <wend/navigator.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "planning/corridor/corridor_navigator.h"
#include "planning/disk/disk_navigator.h"

// Agents that do nothing but follow: each walks by its preferred velocity alone and must arrive, keep clear of walls
// and never lose its route.
namespace wend {
namespace {

constexpr double kStep = 0.1;
constexpr double kSpeed = 1.4;
constexpr FollowMethod kMethods[] = {FollowMethod::kIrm, FollowMethod::kMiran, FollowMethod::kWaypoints,
                                     FollowMethod::kCentres};

Environment drawn(const std::vector<Loops>& walkable, const std::vector<Loops>& obstacles) {
  EnvironmentDraft draft;
  LayerDraft& layer = draft.layers.emplace_back();
  layer.walkable = walkable;
  layer.obstacles = obstacles;
  return buildEnvironment(draft).value();
}

Loops box(double x0, double y0, double x1, double y1) {
  return {{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}};
}

Navigator navigatorOf(const Environment& environment, bool ecm) {
  return makeNavigator(bake(environment, {.generator = ecm ? "ecm" : "hertel-mehlhorn"}).value());
}

struct Walk {
  bool planned = false;
  bool arrived = false;
  int lost = 0;
  double length = 0;
  double least = HUGE_VAL;  // clearance
};

// Each step ends where the straight way is free, as the crowd's own movement would.
Walk walkAlong(const Navigator& navigator, const Locator& locator, FollowMethod method, const Route& route,
               double radius, int most) {
  Walk out;
  PlanScratch scratch;
  out.planned = true;
  FollowState state;
  FollowInput in;
  in.position = route.points.front();
  in.cell = navigator.locate(in.position);
  in.radius = radius;
  in.speed = kSpeed;
  in.maxStep = kSpeed * kStep;
  in.goalRadius = 0.3;
  for (int i = 0; i < most; ++i) {
    const double arc = state.arc;
    const FollowResult result = follow(method, navigator, in, route, state, scratch);
    EXPECT_GE(state.arc, arc);
    EXPECT_TRUE(std::isfinite(result.preferred.x) && std::isfinite(result.preferred.y));
    EXPECT_LE(std::hypot(result.preferred.x, result.preferred.y), kSpeed * 1.000001);
    if (result.status == FollowStatus::kArrived) {
      out.arrived = true;
      break;
    }
    if (result.status == FollowStatus::kLost) ++out.lost;
    const Vec2 from{in.position.x, in.position.y};
    // Not past the attractor: only the way to it is known to be free.
    const double ahead = std::hypot(state.attractor.x - from.x, state.attractor.y - from.y);
    const double step = ahead > 1e-3 ? std::min(kStep, ahead / kSpeed) : kStep;
    const Vec2 to{from.x + step * result.preferred.x, from.y + step * result.preferred.y};
    const StraightWay way = navigator.straightWay(in.cell, from, to, 0, scratch);
    if (way.cell == kNone) {
      ADD_FAILURE() << "into a wall from " << from.x << ' ' << from.y << " to " << to.x << ' ' << to.y;
      break;
    }
    out.length += std::hypot(to.x - from.x, to.y - from.y);
    in.cell = way.cell;
    const NavMesh& mesh = navigator.mesh();
    in.position = {to.x, to.y, 0};
    in.position.z = locator.height(to, mesh.layerOf(in.cell));
    out.least = std::min(out.least, navigator.freeDisk(in.cell, to, scratch).clearance);
  }
  return out;
}

Walk walk(const Navigator& navigator, const Locator& locator, FollowMethod method, const PathQuery& query,
          int most = 4000) {
  PlanScratch scratch;
  Route route;
  if (navigator.plan(query, scratch, route) != PathStatus::kFound) return {};
  return walkAlong(navigator, locator, method, route, query.radius, most);
}

TEST(Follow, NothingToFollow) {
  const auto navigator = navigatorOf(drawn({box(0, 0, 10, 10)}, {}), true);
  PlanScratch scratch;
  FollowState state;
  FollowInput in;
  in.position = {5, 5, 0};
  in.cell = navigator.locate(in.position);
  EXPECT_EQ(follow(FollowMethod::kIrm, navigator, in, {}, state, scratch).status, FollowStatus::kLost);
  Route one;
  one.points = {{5, 5, 0}};
  for (const FollowMethod method : kMethods) {
    FollowState fresh;
    const FollowResult r = follow(method, navigator, in, one, fresh, scratch);
    EXPECT_EQ(r.status, FollowStatus::kArrived);
    EXPECT_EQ(r.preferred, Vec2{});
  }
  // Points on top of each other.
  one.points = {{2, 5, 0}, {2, 5, 0}, {8, 5, 0}, {8, 5, 0}};
  one.length = 6;
  in.speed = 1;
  for (const FollowMethod method : {FollowMethod::kIrm, FollowMethod::kMiran}) {
    FollowState fresh;
    in.position = {2, 5, 0};
    const FollowResult r = follow(method, navigator, in, one, fresh, scratch);
    EXPECT_GT(r.preferred.x, 0.9);
    EXPECT_NEAR(r.distanceToGoal, 6, 1e-9);
  }
}

// Found among 10,000 in the city: the route turns back over its own start, so who walks straight to the attractor
// leaves the disk that holds the start before anything later is near. It must not be sent back there for ever.
TEST(Follow, PassesAHookAtTheStartOfTheRoute) {
  const auto navigator = navigatorOf(makeEnvironment({.kind = "city"}).value(), true);
  const Locator locator(navigator.mesh());
  Route route;
  for (const Vec2 p : {Vec2{195.94, 494.41},
                       {192.91, 494.67},
                       {193.03, 496.00},
                       {193.56, 496.49},
                       {194.16, 496.99},
                       {194.77, 497.41},
                       {195.39, 497.73},
                       {196.01, 497.95},
                       {196.63, 498.07},
                       {197.22, 498.09},
                       {205.15, 497.75},
                       {206.09, 497.61},
                       {207.03, 497.27},
                       {208.10, 496.65},
                       {208.93, 496.00},
                       {233.28, 496.00}}) {
    if (!route.points.empty()) route.length += std::hypot(p.x - route.points.back().x, p.y - route.points.back().y);
    route.points.push_back({p.x, p.y, 0});
  }
  for (const FollowMethod method : {FollowMethod::kIrm, FollowMethod::kMiran}) {
    const Walk w = walkAlong(navigator, locator, method, route, 0.24, 4000);
    EXPECT_TRUE(w.arrived);
    EXPECT_LT(w.length, route.length + 1);
  }
}

// Found before a stair of 1.4 m: the route goes back from its start and comes again beside it. Whoever has walked
// across this hook is nearer to its start than to what follows, and was sent back there again and again.
TEST(Follow, WalksAcrossAHookBesideItsStart) {
  const Loops neck{{{0, 0},
                    {10, 0},
                    {10, 4.3},
                    {16, 4.3},
                    {16, 0},
                    {24, 0},
                    {24, 10},
                    {16, 10},
                    {16, 5.7},
                    {10, 5.7},
                    {10, 10},
                    {0, 10}}};
  const auto navigator = navigatorOf(drawn({neck}, {}), true);
  const Locator locator(navigator.mesh());
  Route route;
  for (const Vec2 p :
       {Vec2{9.9376, 5.4945}, {9.8547, 5.2216}, {9.89, 5.2108}, {9.9631, 5.2}, {16.0437, 5.2}, {20.0206, 5.5114}}) {
    if (!route.points.empty()) route.length += std::hypot(p.x - route.points.back().x, p.y - route.points.back().y);
    route.points.push_back({p.x, p.y, 0});
  }
  for (const double radius : {0.195, 0.24}) {
    const Walk w = walkAlong(navigator, locator, FollowMethod::kIrm, route, radius, 1000);
    EXPECT_TRUE(w.arrived) << radius;
    EXPECT_LT(w.length, route.length + 1) << radius;
  }
}

TEST(Follow, WalksAroundBlocksOnBothNavigators) {
  std::vector<Loops> blocks;
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < 4; ++k) blocks.push_back(box(4 + 9 * i + k, 4 + 9 * k, 9 + 9 * i, 10 + 9 * k));
  }
  const Environment environment = drawn({box(0, 0, 40, 40)}, blocks);
  for (const bool ecm : {true, false}) {
    const auto navigator = navigatorOf(environment, ecm);
    const Locator locator(navigator.mesh());
    Random random(5, ecm ? 1 : 0);
    int walks = 0;
    for (int i = 0; i < 40; ++i) {
      PathQuery query;
      query.from = {random.real(0, 40), random.real(0, 40), 0};
      query.to = {random.real(0, 40), random.real(0, 40), 0};
      query.radius = 0.24;
      query.clearance = i % 2 == 0 ? 0.24 : 1;
      for (const FollowMethod method : kMethods) {
        SCOPED_TRACE(testing::Message() << (ecm ? "ecm " : "mesh ") << methodName(method) << ' ' << i);
        const Walk w = walk(navigator, locator, method, query);
        if (!w.planned) continue;
        ++walks;
        EXPECT_TRUE(w.arrived);
        if (method == FollowMethod::kWaypoints || method == FollowMethod::kCentres)
          continue;  // portals of the corridor map bend: walls may be nearer
        EXPECT_EQ(w.lost, 0);
        EXPECT_GE(w.least, query.radius - 1e-4);
      }
    }
    EXPECT_GT(walks, 50);
  }
}

TEST(Follow, NoShortcutThroughAWallAtAUTurn) {
  // A thin wall; the route leads around its end, and its far side lies in the disk of the near side's room.
  const Environment environment = drawn({box(0, 0, 30, 10)}, {box(0, 4.9, 26, 5.1)});
  for (const bool ecm : {true, false}) {
    const auto navigator = navigatorOf(environment, ecm);
    const Locator locator(navigator.mesh());
    PathQuery query;
    query.from = {1, 2.5, 0};
    query.to = {1, 7.5, 0};
    query.radius = 0.24;
    query.clearance = 1;
    for (const FollowMethod method : kMethods) {
      SCOPED_TRACE(testing::Message() << ecm << methodName(method));
      const Walk w = walk(navigator, locator, method, query);
      EXPECT_TRUE(w.arrived);
      EXPECT_GT(w.length, 48);
    }
  }
}

TEST(Follow, AGoalBehindAThinWallIsNotReached) {
  const Environment environment = drawn({box(0, 0, 30, 10)}, {box(0, 4.9, 26, 5.1)});
  const auto navigator = navigatorOf(environment, true);
  PlanScratch scratch;
  Route route;
  PathQuery query;
  query.from = {1, 4.6, 0};
  query.to = {1, 5.4, 0};
  query.radius = 0.24;
  ASSERT_EQ(navigator.plan(query, scratch, route), PathStatus::kFound);
  FollowState state;
  FollowInput in;
  in.position = {1, 4.6, 0};
  in.cell = navigator.locate(in.position);
  in.radius = 0.24;
  in.speed = 1.4;
  in.maxStep = 0.14;
  in.goalRadius = 1;
  const FollowResult r = follow(FollowMethod::kIrm, navigator, in, route, state, scratch);
  EXPECT_EQ(r.status, FollowStatus::kOk);
  EXPECT_GT(r.distanceToGoal, 40);
}

// A crowd plans for a little less than the radius of an agent, so that one beside a wall has a route. Whoever was
// pushed off such a route finds it again, also where it runs nearer to a wall than the agent's radius.
TEST(Follow, FindsARouteThatIsNearerToAWallThanTheRadius) {
  const Environment environment = drawn({box(0, 0, 12, 3)}, {box(4, 0, 8, 1)});
  for (const bool ecm : {true, false}) {
    const auto navigator = navigatorOf(environment, ecm);
    PlanScratch scratch;
    Route route;
    PathQuery query;
    query.from = {4.5, 1.24, 0};
    query.to = {8.5, 0.4, 0};
    query.radius = 0.2398;
    query.measure = false;
    ASSERT_EQ(navigator.plan(query, scratch, route), PathStatus::kFound);
    FollowState state;
    FollowInput in;
    in.position = {6, 1.4, 0};
    in.cell = navigator.locate(in.position);
    in.radius = 0.24;
    in.speed = kSpeed;
    in.maxStep = kSpeed * kStep;
    const FollowResult r = follow(FollowMethod::kIrm, navigator, in, route, state, scratch);
    EXPECT_EQ(r.status, FollowStatus::kOk) << ecm;
    EXPECT_GT(r.preferred.x, 0) << ecm;
    EXPECT_GT(state.arc, 1) << ecm;
  }
}

TEST(Follow, PassesAPlaceAsNarrowAsTheAgent) {
  const Environment environment = drawn({box(0, 0, 10, 10), box(10, 4.75, 14, 5.25), box(14, 0, 24, 10)}, {});
  for (const bool ecm : {true, false}) {
    const auto navigator = navigatorOf(environment, ecm);
    const Locator locator(navigator.mesh());
    PathQuery query;
    query.from = {2, 2, 0};
    query.to = {22, 8, 0};
    query.radius = 0.25;
    for (const FollowMethod method : kMethods) {
      SCOPED_TRACE(testing::Message() << ecm << methodName(method));
      const Walk w = walk(navigator, locator, method, query);
      EXPECT_TRUE(w.planned);
      EXPECT_TRUE(w.arrived);
    }
  }
}

TEST(Follow, FindsBackAfterAPush) {
  const Environment environment = drawn({box(0, 0, 40, 12)}, {box(10, 4, 14, 12), box(20, 0, 24, 8)});
  for (const bool ecm : {true, false}) {
    const auto navigator = navigatorOf(environment, ecm);
    const Locator locator(navigator.mesh());
    PlanScratch scratch;
    Route route;
    PathQuery query;
    query.from = {2, 10, 0};
    query.to = {38, 2, 0};
    query.radius = 0.24;
    ASSERT_EQ(navigator.plan(query, scratch, route), PathStatus::kFound);
    for (const FollowMethod method : kMethods) {
      FollowState state;
      FollowInput in;
      in.radius = 0.24;
      in.speed = 1.4;
      in.maxStep = 0.14;
      in.position = route.points.front();
      in.cell = navigator.locate(in.position);
      follow(method, navigator, in, route, state, scratch);
      // Three metres aside, still in sight of the route.
      in.position = {3, 6, 0};
      in.cell = navigator.locate(in.position);
      const FollowResult back = follow(method, navigator, in, route, state, scratch);
      EXPECT_EQ(back.status, FollowStatus::kOk);
      EXPECT_GT(std::hypot(back.preferred.x, back.preferred.y), 0.5);
      // Behind a block: out of sight. Way points go by cells, and know the way from every cell of the route.
      if (method == FollowMethod::kWaypoints || method == FollowMethod::kCentres) continue;
      in.position = {17, 11, 0};
      in.cell = navigator.locate(in.position);
      state.attractorArc = state.arc;
      state.age = 0;
      EXPECT_EQ(follow(method, navigator, in, route, state, scratch).status, FollowStatus::kLost);
    }
  }
}

TEST(Follow, WalksBetweenLayersThatLieAboveEachOther) {
  const Environment environment = makeEnvironment({.kind = "tower"}).value();
  const auto navigator = navigatorOf(environment, true);
  const Locator locator(navigator.mesh());
  Random random(9, 1);
  const NavMesh& mesh = navigator.mesh();
  int walks = 0;
  for (int i = 0; i < 12; ++i) {
    const auto place = [&] {
      const auto cell = static_cast<CellId>(random.below(mesh.cellCount()));
      return mesh.position(mesh.startVertex(mesh.firstSide(cell)));
    };
    PathQuery query;
    query.from = place();
    query.to = place();
    query.radius = 0.2;
    query.clearance = 0.5;
    for (const FollowMethod method : {FollowMethod::kIrm, FollowMethod::kMiran}) {
      const Walk w = walk(navigator, locator, method, query, 8000);
      if (!w.planned) continue;
      SCOPED_TRACE(testing::Message() << methodName(method) << ' ' << i);
      ++walks;
      EXPECT_TRUE(w.arrived);
      EXPECT_EQ(w.lost, 0);
      EXPECT_GE(w.least, query.radius - 1e-4);
    }
  }
  EXPECT_GT(walks, 4);
}

// The disk of a navigator is empty, and the place lies in it.
TEST(FreeDisk, IsEmptyAndContainsThePlace) {
  std::vector<Loops> blocks;
  Random random(3, 1);
  for (int i = 0; i < 30; ++i) {
    const double x = random.real(0, 36);
    const double y = random.real(0, 36);
    blocks.push_back(box(x, y, x + random.real(0.5, 5), y + random.real(0.5, 5)));
  }
  const Environment environment = drawn({box(0, 0, 40, 40)}, blocks);
  for (const bool ecm : {true, false}) {
    const auto navigator = navigatorOf(environment, ecm);
    const Locator locator(navigator.mesh());
    PlanScratch scratch;
    int checked = 0;
    for (int i = 0; i < 500; ++i) {
      const Vec3 p{random.real(0, 40), random.real(0, 40), 0};
      const CellId cell = navigator.locate(p);
      if (cell == kNone) continue;
      ++checked;
      const FreeDisk disk = navigator.freeDisk(cell, {p.x, p.y}, scratch);
      const double nearest = navigator.nearestObstacle(p, scratch)->distance;
      EXPECT_NEAR(disk.clearance, nearest, 1e-6);
      EXPECT_LE(std::hypot(p.x - disk.centre.x, p.y - disk.centre.y), disk.radius - disk.clearance + 1e-6);
      const double around = navigator.nearestObstacle({disk.centre.x, disk.centre.y, 0}, scratch)->distance;
      EXPECT_NEAR(disk.radius, around, 1e-6);
    }
    EXPECT_GT(checked, 200);
  }
}

}  // namespace
}  // namespace wend
