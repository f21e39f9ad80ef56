#include "tests/allocations.h"
#include "tests/planning/clearance/layers_check.h"
#include "tests/planning/surface/surface_check.h"

namespace wend {
namespace {

// The slow tests do this for 100,000 of each.
TEST(SurfaceQueries, AgainstBruteForce) {
  QueryCount count;
  count.wanted = 500;
  for (uint64_t world = 0; !count.isEnough() && !HasFailure(); ++world) checkQueries(3, world, 10, count);
}

Navigator oneRoom() {
  EnvironmentDraft draft;
  draft.layers.emplace_back().walkable.push_back({{{0, 0}, {10, 0}, {10, 6}, {0, 6}}});
  draft.layers[0].obstacles.push_back({{{4, 0}, {5, 0}, {5, 5}, {4, 5}}});
  return makeNavigator(bake(buildEnvironment(draft).value(), {.generator = "hertel-mehlhorn"}).value());
}

// The tip of a triangle touches the slanted wall of another. An ecm mesh has no vertex on that wall, and the corners of
// its cells there are rounded: the tip was on the triangle's side alone.
TEST(SurfaceQueries, PlacesWhereAreasTouchAreOnBothSides) {
  PlanScratch scratch;
  for (const char* generator : {"delaunay", "hertel-mehlhorn", "neogen", "trapezoid", "ecm"}) {
    for (int i = 1; i < 6; ++i) {
      for (const double slope : {1.0, 2.0, 3.0}) {
        EnvironmentDraft draft;
        const Vec2 tip{1.0 * i, slope * i};
        draft.layers.emplace_back().walkable = {{{{0, 0}, {6, 6 * slope}, {0, 6 * slope}}},
                                                {{tip, {9, 0}, {9, slope * i}}}};
        const Navigator navigator =
            makeNavigator(bake(buildEnvironment(draft).value(), {.generator = generator}).value());
        SCOPED_TRACE(std::string(generator) + ", tip " + std::to_string(i) + ", slope " + std::to_string(slope));
        // A straight line for each method.
        for (const Vec2 inside : {Vec2{0.25, 5.75 * slope}, Vec2{8.5, slope * i - 0.25}}) {
          EXPECT_NEAR(navigator.cost({.from = tip, .to = inside}, scratch), distance(tip, inside), 1e-6);
          EXPECT_NEAR(navigator.cost({.from = inside, .to = tip}, scratch), distance(tip, inside), 1e-6);
          const PathQuery point{.from = tip, .to = inside, .method = PathMethod::kPolyanya};
          EXPECT_NEAR(navigator.cost(point, scratch), distance(tip, inside), 1e-6);
          double cost = 0;
          navigator.costs(tip, std::vector<Place>{inside}, 0, scratch, {&cost, 1});
          EXPECT_NEAR(cost, distance(tip, inside), 1e-6);
        }
        std::vector<ReachedCell> cells;
        ASSERT_TRUE(navigator.within(tip, 100, scratch, cells));
        EXPECT_EQ(cells.size(), navigator.mesh().cellCount());
      }
    }
  }
}

// An obstacle of 20 m that is a nanometre thick, with a corner on one side only: the way to the other side is around.
TEST(SurfaceQueries, NoObstacleIsTooThin) {
  PlanScratch scratch;
  EnvironmentDraft draft;
  const double unit = Lattice{}.unit;
  const int half = 100'000;
  const Vec2 corner{half * unit, unit};
  const Vec2 end{(2 * half - 1) * unit, 2 * unit};
  draft.layers.emplace_back().walkable.push_back({{{-10, -10}, {60, -10}, {60, 10}, {-10, 10}}});
  draft.layers[0].obstacles.push_back({{{0, 0}, corner, end}});
  const Environment environment = buildEnvironment(draft).value();
  for (const char* generator : {"delaunay", "hertel-mehlhorn", "trapezoid", "ecm"}) {
    SCOPED_TRACE(generator);
    const Navigator navigator = makeNavigator(bake(environment, {.generator = generator}).value());
    const Vec2 below{corner.x, -5};
    const Vec2 above{corner.x, 5};
    EXPECT_NEAR(navigator.cost({.from = corner, .to = below}, scratch), distance(corner, below), 1e-6);
    const double around = distance(corner, end) + distance(end, above);
    EXPECT_NEAR(navigator.cost({.from = corner, .to = above, .method = PathMethod::kPolyanya}, scratch), around, 1e-5);
  }
}

TEST(SurfaceQueries, BadValuesFindNothing) {
  const Navigator navigator = oneRoom();
  PlanScratch scratch;
  const double nan = std::nan("");
  EXPECT_FALSE(navigator.nearest({nan, 1}, 0, 1, scratch));
  EXPECT_FALSE(navigator.nearest({1, 1}, -1, 1, scratch));
  EXPECT_FALSE(navigator.nearest({1, 1}, nan, 1, scratch));
  EXPECT_FALSE(navigator.nearest({1, 1}, 0, nan, scratch));
  EXPECT_FALSE(navigator.nearest({20, 1}, 0, 1, scratch));
  EXPECT_FALSE(navigator.castRay({1, 1}, {nan, 1}, 0, scratch));
  EXPECT_FALSE(navigator.castRay({1, 1}, {2, 1}, -1, scratch));
  EXPECT_FALSE(navigator.slide({-1, 1}, {2, 1}, 0, scratch));
  EXPECT_FALSE(navigator.nearestWall({-1, 1}, 1, scratch));
  EXPECT_FALSE(navigator.nearestWall({2, 3}, 1, scratch));
  EXPECT_FALSE(navigator.randomPlace({.centre = Place(1, 1), .range = -1}, 1, scratch));
  EXPECT_FALSE(navigator.randomPlace({.radius = 100}, 1, scratch));
  std::vector<ReachedCell> cells;
  EXPECT_FALSE(navigator.within({1, 1}, nan, scratch, cells));
  Route route;
  EXPECT_EQ(navigator.plan({.from = {1, 1}, .to = {9, 1}, .snap = nan}, scratch, route), PathStatus::kBadQuery);
  // Without a world.
  const Navigator none;
  EXPECT_FALSE(none.nearest({1, 1}, 0.3, 10, scratch));
  EXPECT_FALSE(none.randomPlace({}, 1, scratch));
}

TEST(SurfaceQueries, ReasonsAreToldApart) {
  const Navigator navigator = oneRoom();
  PlanScratch scratch;
  const auto why = [&](Place from, Place to, double radius) {
    return navigator.explain({.from = from, .to = to, .radius = radius}, scratch);
  };
  EXPECT_EQ(why({1, 1}, {9, 1}, 0.4).reason, NoRouteReason::kNone);
  const NoRoute off = why({1, 1}, {9, -2}, 0.4);
  EXPECT_EQ(off.reason, NoRouteReason::kOffMesh);
  EXPECT_FALSE(off.atStart);
  EXPECT_NEAR(off.distance, 2, 1e-9);
  const NoRoute wall = why({1, 0.1}, {9, 1}, 0.4);
  EXPECT_EQ(wall.reason, NoRouteReason::kTooNearWall);
  EXPECT_TRUE(wall.atStart);
  EXPECT_NEAR(wall.distance, 0.1, 1e-9);
  const NoRoute narrow = why({1, 1}, {9, 1}, 0.6);
  EXPECT_EQ(narrow.reason, NoRouteReason::kTooNarrow);
  EXPECT_NEAR(narrow.width, 1, 1e-5);
  ASSERT_TRUE(narrow.place);
  EXPECT_NEAR(narrow.place->y, 5.5, 0.01);
  EXPECT_GE(narrow.place->x, 3.9);
  EXPECT_LE(narrow.place->x, 5.1);

  EnvironmentDraft draft;
  draft.layers.emplace_back().walkable = {{{{0, 0}, {4, 0}, {4, 4}, {0, 4}}}, {{{6, 0}, {9, 0}, {9, 4}, {6, 4}}}};
  const Navigator rooms = makeNavigator(bake(buildEnvironment(draft).value(), {.generator = "delaunay"}).value());
  EXPECT_EQ(rooms.explain({.from = {1, 1}, .to = {8, 1}, .radius = 0.2}, scratch).reason, NoRouteReason::kNotConnected);
  Route route;
  const PathQuery partial{.from = {1, 1}, .to = {8, 1}, .radius = 0.2, .partial = true};
  ASSERT_EQ(rooms.plan(partial, scratch, route), PathStatus::kFound);
  EXPECT_TRUE(route.partial);
  EXPECT_NEAR(route.points.back().x, 3.8, 1e-6);
  EXPECT_NEAR(route.points.back().y, 1, 1e-6);
  EXPECT_NEAR(route.missing, 4.2, 1e-6);
}

TEST(SurfaceQueries, SlidesAlongTheWall) {
  const Navigator navigator = oneRoom();
  PlanScratch scratch;
  const auto slide = navigator.slide({1, 1}, {9, 3}, 0.5, scratch);
  ASSERT_TRUE(slide);
  EXPECT_NEAR(slide->place.x, 3.5, 1e-4);
  EXPECT_NEAR(slide->place.y, 3, 1e-4);
  // Into the corner.
  const auto corner = navigator.slide({1, 1}, {-5, -4}, 0.5, scratch);
  ASSERT_TRUE(corner);
  EXPECT_NEAR(corner->place.x, 0.5, 1e-4);
  EXPECT_NEAR(corner->place.y, 0.5, 1e-4);
}

// Uniform by area: the narrow strip above the obstacle gets its share.
TEST(SurfaceQueries, RandomPlacesAreUniform) {
  const Navigator navigator = oneRoom();
  PlanScratch scratch;
  const int draws = 20000;
  int strip = 0;
  int circle = 0;
  for (int i = 0; i < draws; ++i) {
    const Vec3 p = navigator.randomPlace({}, static_cast<uint64_t>(i), scratch)->place;
    if (p.x > 4 && p.x < 5) ++strip;
    const Vec3 q = navigator.randomPlace({.centre = Place(2, 3), .range = 1}, static_cast<uint64_t>(i), scratch)->place;
    if (q.x > 2) ++circle;
  }
  EXPECT_NEAR(strip, draws / 55.0, 5 * std::sqrt(draws / 55.0));
  EXPECT_NEAR(circle, draws / 2.0, 5 * std::sqrt(draws / 4.0));
}

// Heights choose the layer, on floors above each other.
TEST(SurfaceQueries, HeightsChooseTheLayer) {
  MakeSettings make;
  make.kind = "two-floor-ramp";
  const Result<Environment> environment = makeEnvironment(make);
  ASSERT_TRUE(environment.ok());
  for (const char* generator : {"hertel-mehlhorn", "ecm"}) {
    const Navigator navigator = makeNavigator(bake(*environment, {.generator = generator}).value());
    PlanScratch scratch;
    Random random(4);
    for (int i = 0; i < 200; ++i) {
      const auto place = navigator.randomPlace({.radius = 0.1}, random.next(), scratch);
      ASSERT_TRUE(place);
      const auto same = navigator.nearest(Place(place->place, 0.2), 0.1, 1, scratch);
      ASSERT_TRUE(same);
      EXPECT_EQ(same->moved, 0);
      EXPECT_NEAR(same->place.z, place->place.z, 1e-6);
      Vec3 high = place->place;
      high.z += 100;
      EXPECT_FALSE(navigator.nearest(Place(high, 0.2), 0.1, 1, scratch));
    }
  }
}

// The ends are moved first; then the reason is told for where they are.
TEST(SurfaceQueries, ReasonsOfSnappedEnds) {
  PlanScratch scratch;
  for (const char* generator : {"hertel-mehlhorn", "ecm"}) {
    EnvironmentDraft draft;
    draft.layers.emplace_back().walkable = {{{{0, 0}, {10, 0}, {10, 6}, {0, 6}}}};
    draft.layers[0].obstacles = {{{{4, 0}, {5, 0}, {5, 5}, {4, 5}}}};
    const Navigator navigator = makeNavigator(bake(buildEnvironment(draft).value(), {.generator = generator}).value());
    PathQuery query{.from = {-1, 1}, .to = {9, 1}, .radius = 0.6, .snap = 2};
    const NoRoute narrow = navigator.explain(query, scratch);
    EXPECT_EQ(narrow.reason, NoRouteReason::kTooNarrow) << generator;
    EXPECT_NEAR(narrow.width, 1, 1e-4);
    EXPECT_NEAR(scratch.startMoved, 1.6, 1e-4);
    query.snap = 0.5;
    EXPECT_EQ(navigator.explain(query, scratch).reason, NoRouteReason::kOffMesh) << generator;
    query.snap = 2;
    EXPECT_EQ(navigator.reachable(query, scratch), PathStatus::kUnreachable) << generator;
    query.radius = 0.4;
    EXPECT_EQ(navigator.reachable(query, scratch), PathStatus::kFound) << generator;
    EXPECT_EQ(navigator.explain(query, scratch).reason, NoRouteReason::kNone) << generator;
    if (!navigator.hasMedialAxis()) continue;
    EXPECT_NEAR(navigator.largestRadius(query, scratch), 0, 1e-3);  // on the wall
    query.snap = 0;
    EXPECT_LT(navigator.largestRadius(query, scratch), 0);
    query.snap = 2;
    Corridor corridor;
    EXPECT_EQ(navigator.corridor(query, scratch, corridor), PathStatus::kFound);
    EXPECT_GT(corridor.length, 5);
  }
}

// Every kind of query, on floors above each other and in a maze.
void expectNoAllocations(const char* kind, const char* generator) {
  SCOPED_TRACE(std::string(kind) + " by " + generator);
  const Result<Environment> environment = makeEnvironment({.kind = kind});
  ASSERT_TRUE(environment.ok());
  const Navigator navigator = makeNavigator(bake(*environment, {.generator = generator}).value());
  const Box box = boundingBox(*environment);
  const Vec2 low = environment->lattice.toMetres(box.min);
  const Vec2 high = environment->lattice.toMetres(box.max);
  PlanScratch scratch;
  Route route;
  std::vector<ReachedCell> cells;
  std::vector<Place> to;
  for (int i = 0; i < 6; ++i) to.emplace_back(navigator.randomPlace({}, static_cast<uint64_t>(i), scratch)->place);
  std::vector<double> costs(to.size() * to.size());
  size_t found = 0;
  size_t narrow = 0;
  const auto askAll = [&] {
    Random random(6);
    const auto draw = [&]() -> Place {
      if (random.chance(0.5)) return {random.real(low.x - 1, high.x + 1), random.real(low.y - 1, high.y + 1)};
      return navigator.randomPlace({}, random.next(), scratch)->place;
    };
    for (int i = 0; i < 60; ++i) {
      const Place p = draw();
      const Place q = draw();
      const double r = i % 2 == 0 ? 0 : 0.2;
      const double snap = i % 3 == 0 ? 1 : 0;
      navigator.nearest(p, r, 5, scratch);
      navigator.nearestReachable(p, q, r, 5, scratch, snap);
      navigator.castRay(p, q.top(), r, scratch, snap);
      navigator.slide(p, q.top(), r, scratch, snap);
      navigator.nearestWall(p, 5, scratch, snap);
      navigator.nearestObstacle(p, scratch);
      navigator.randomPlace({.radius = r}, random.next(), scratch);
      navigator.randomPlace({.centre = p, .range = 3, .from = q, .radius = r, .snap = snap}, random.next(), scratch);
      navigator.costs(p, to, r, scratch, costs, snap);
      navigator.within(p, 10, scratch, cells, snap);
      navigator.cost({.from = p, .to = q, .radius = r, .snap = snap}, scratch);
      navigator.reachable({.from = p, .to = q, .radius = r, .snap = snap}, scratch);
      const PathQuery query{.from = p, .to = q, .radius = r, .snap = snap, .partial = true};
      found += navigator.plan(query, scratch, route) == PathStatus::kFound ? 1 : 0;
      // The widest way alone is searched with memory of its own.
      if (navigator.reachable(query, scratch) != PathStatus::kUnreachable) {
        navigator.explain(query, scratch);
      } else {
        ++narrow;
      }
    }
    navigator.costMatrix(to, to, 0, scratch, costs);
    navigator.costMatrix(to, to, 0.2, scratch, costs);
  };
  askAll();
  askAll();
  EXPECT_GT(found, 40U);
  testing::takeAllocations();
  askAll();
  EXPECT_EQ(testing::takeAllocations(), 0U) << narrow;
}

TEST(SurfaceQueries, NothingIsAllocatedAfterTheFirstTime) {
  if (!testing::kAllocationsAreCounted) GTEST_SKIP() << "skipped: allocations are not counted";
  for (const char* generator : {"ecm", "hertel-mehlhorn", "neogen", "trapezoid"}) {
    expectNoAllocations("maze", generator);
    expectNoAllocations("two-floor-ramp", generator);
  }
}

}  // namespace
}  // namespace wend
