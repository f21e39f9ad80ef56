#include "planning/region/weighted_grid.h"

#include <cmath>
#include <queue>

#include <wend/generate.h>
#include <wend/make.h>
#include <wend/navigator.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "planning/corridor/corridor_navigator.h"
#include "planning/disk/disk_navigator.h"
#include "tests/world/random_edit.h"

// Routes over regions: against Dijkstra's algorithm on the same squares.
namespace wend {
namespace {

Loops box(double x0, double y0, double x1, double y1) {
  return {{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}};
}

// A lawn between two paths, and a pond in it.
Environment park() {
  EnvironmentDraft draft;
  LayerDraft& layer = draft.layers.emplace_back();
  layer.walkable.push_back(box(0, 0, 40, 30));
  layer.obstacles.push_back(box(18, 12, 22, 18));
  layer.regions.push_back({"lawn", {box(0, 4, 40, 26)}});
  return buildEnvironment(draft).value();
}

struct ParkWorld {
  Environment environment = park();
  std::shared_ptr<const RegionField> field = std::make_shared<const RegionField>(environment);
  Navigator navigator;
  explicit ParkWorld(bool ecm)
      : navigator(makeNavigator(bake(environment, {.generator = ecm ? "ecm" : "hertel-mehlhorn"}).value())) {}
};

double lawnWalked(const ParkWorld& w, const Route& route) {
  const RegionCosts lawn(w.field, {{"lawn", 1}, {"default", 1e-9}});
  double sum = 0;
  for (size_t i = 1; i < route.points.size(); ++i) {
    sum += lawn.along(0, {route.points[i - 1].x, route.points[i - 1].y}, {route.points[i].x, route.points[i].y});
  }
  return sum;
}

TEST(RegionField, LabelsAndIntegrals) {
  const ParkWorld w(true);
  EXPECT_EQ(w.field->labels().size(), 2U);
  EXPECT_EQ(w.field->at({5, 2}, 0), 0);
  EXPECT_EQ(w.field->at({5, 10}, 0), 1);
  EXPECT_EQ(w.field->at({-1e9, 10}, 0), 0);
  EXPECT_EQ(w.field->at({5, 10}, 7), 0);
  EXPECT_EQ(w.field->at({NAN, 10}, 0), 0);
  const RegionCosts costs(w.field, {{"lawn", 3}});
  EXPECT_NEAR(costs.along(0, {5, 0}, {5, 30}), 8 + 22 * 3, 1e-9);
  EXPECT_NEAR(costs.along(0, {5, 30}, {5, 0}), 8 + 22 * 3, 1e-9);
  EXPECT_NEAR(costs.along(0, {1, 2}, {31, 2}), 30, 1e-9);
  EXPECT_EQ(costs.along(0, {5, 5}, {5, 5}), 0);
  EXPECT_EQ(costs.least(), 1);
  Random random(2, 2);
  for (int i = 0; i < 200; ++i) {
    const Vec2 a{random.real(-5, 45), random.real(-5, 35)};
    const Vec2 b{random.real(-5, 45), random.real(-5, 35)};
    double slow = 0;
    constexpr int kParts = 4000;
    for (int k = 0; k < kParts; ++k) {
      const double t = (k + 0.5) / kParts;
      slow += costs.at({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)}, 0) / kParts;
    }
    slow *= std::hypot(b.x - a.x, b.y - a.y);
    EXPECT_NEAR(costs.along(0, a, b), slow, 1e-2 * slow + 0.05);
  }
}

TEST(WeightedGrid, PersonalCostsDecide) {
  for (const bool ecm : {true, false}) {
    SCOPED_TRACE(ecm);
    const ParkWorld w(ecm);
    const WeightedGrid grid(w.navigator, *w.field, 0.3, {});
    PlanScratch scratch;
    Route route;
    PathQuery query;
    query.from = {2, 15, 0};
    query.to = {38, 15, 0};
    query.radius = 0.24;
    ASSERT_EQ(grid.plan(query, RegionCosts(w.field, {}), scratch, route), PathStatus::kFound);
    EXPECT_GT(lawnWalked(w, route), 34);
    ASSERT_EQ(grid.plan(query, RegionCosts(w.field, {{"lawn", 5}}), scratch, route), PathStatus::kFound);
    EXPECT_LT(lawnWalked(w, route), 28);
    EXPECT_EQ(route.portals.size() + 1, route.cells.size());
    EXPECT_EQ(route.points.front().x, 2);
    EXPECT_EQ(route.points.back().x, 38);
    for (const Vec3 p : route.points) {
      EXPECT_GE(w.navigator.nearestObstacle(p, scratch)->distance, 0.24);
    }
    // Forbidden ground: who stands on it may leave, nobody crosses.
    ASSERT_EQ(grid.plan(query, RegionCosts(w.field, {{"lawn", HUGE_VAL}}), scratch, route), PathStatus::kUnreachable);
    query.from = {2, 2, 0};
    query.to = {38, 2, 0};
    ASSERT_EQ(grid.plan(query, RegionCosts(w.field, {{"lawn", HUGE_VAL}}), scratch, route), PathStatus::kFound);
    EXPECT_EQ(lawnWalked(w, route) < 1e-3, true);
    query.to = {20, 15, 0};
    EXPECT_EQ(grid.plan(query, RegionCosts(w.field, {}), scratch, route), PathStatus::kGoalOffMesh);
    query.to = {NAN, 15, 0};
    EXPECT_EQ(grid.plan(query, RegionCosts(w.field, {}), scratch, route), PathStatus::kBadQuery);
  }
}

uint32_t randomSquare(const WeightedGrid& grid, Random& random) {
  while (true) {
    const auto id = static_cast<uint32_t>(random.below(grid.numbers()));
    if (grid.square(id).isOpen) return id;
  }
}

TEST(WeightedGrid, FindsWhatDijkstraFinds) {
  const ParkWorld w(true);
  const WeightedGrid grid(w.navigator, *w.field, 0.3, {});
  const RegionCosts costs(w.field, {{"lawn", 2.5}});
  Random random(4, 4);
  PlanScratch scratch;
  Route route;
  for (int i = 0; i < 30; ++i) {
    const auto a = randomSquare(grid, random);
    const auto b = randomSquare(grid, random);
    std::vector<double> best(grid.numbers(), HUGE_VAL);
    using Item = std::pair<double, uint32_t>;
    std::priority_queue<Item, std::vector<Item>, std::greater<>> open;
    best[a] = 0;
    open.push({0, a});
    while (!open.empty()) {
      const auto [g, at] = open.top();
      open.pop();
      if (g > best[at]) continue;
      for (const uint32_t next : grid.joined(at)) {
        const Vec2 p = grid.square(at).at;
        const Vec2 q = grid.square(next).at;
        const double c = 0.5 * (costs.of(grid.square(at).label) + costs.of(grid.square(next).label));
        const double to = g + c * std::hypot(p.x - q.x, p.y - q.y);
        if (to >= best[next]) continue;
        best[next] = to;
        open.push({to, next});
      }
    }
    PathQuery query;
    query.from = {grid.square(a).at.x, grid.square(a).at.y, 0};
    query.to = {grid.square(b).at.x, grid.square(b).at.y, 0};
    query.radius = 0.24;
    const PathStatus status = grid.plan(query, costs, scratch, route);
    ASSERT_EQ(status == PathStatus::kFound, best[b] < HUGE_VAL);
    double walked = 0;
    for (size_t k = 1; k < route.points.size(); ++k) {
      const Vec2 p{route.points[k - 1].x, route.points[k - 1].y};
      const Vec2 q{route.points[k].x, route.points[k].y};
      walked += costs.along(0, p, q);
    }
    // Ends may be joined to squares two steps away, which is shorter than over squares; diagonals cut corners of
    // regions.
    EXPECT_LT(walked, best[b] * 1.03 + 1.5);
    EXPECT_GT(walked, best[b] * 0.9 - 1.5);
  }
}

void expectSameSquares(const WeightedGrid& grid, const WeightedGrid& anew) {
  ASSERT_EQ(grid.squares(), anew.squares());
  const auto here = [&](uint32_t id) { return grid.squareAt(anew.square(id).at, anew.square(id).layer); };
  for (uint32_t id = 0; id < anew.numbers(); ++id) {
    const WeightedGrid::Square& square = anew.square(id);
    ASSERT_EQ(here(id) != kNone, square.isOpen) << square.at.x << ", " << square.at.y;
    if (!square.isOpen) continue;
    ASSERT_EQ(grid.square(here(id)).label, square.label);
    const std::span<const uint32_t> joined = grid.joined(here(id));
    ASSERT_EQ(joined.size(), anew.joined(id).size()) << square.at.x << ", " << square.at.y;
    for (size_t k = 0; k < joined.size(); ++k) ASSERT_EQ(joined[k], here(anew.joined(id)[k]));
  }
}

TEST(WeightedGrid, FollowsEdits) {
  for (const char* kind : {"military", "two-floor-ramp"}) {
    SCOPED_TRACE(kind);
    const Environment environment = makeEnvironment({.kind = kind}).value();
    World world = bake(environment, {.generator = "ecm"}).value();
    const RegionField field(environment);
    WeightedGrid grid(makeNavigator(world), field, 0.3, {});
    Random random(6, 6);
    int followed = 0;
    for (int i = 0; i < 12; ++i) {
      const Result<WorldUpdate> update = world.apply(randomEdit(world, environment, 3, random));
      if (!update.ok() || update->report.mesh == MeshChange::kNone) continue;
      std::vector<WeightedGrid::Area> areas;
      for (const ChangedArea::Box& part : update->report.changed.boxes) {
        areas.push_back({environment.lattice.toMetres(part.box.min), environment.lattice.toMetres(part.box.max)});
      }
      const Navigator navigator = makeNavigator(update->world);
      grid.follow(navigator, field, areas, {});
      ASSERT_NO_FATAL_FAILURE(expectSameSquares(grid, WeightedGrid(navigator, field, 0.3, {}))) << "edit " << i;
      world = update->world;
      ++followed;
    }
    EXPECT_GT(followed, 5);
  }
}

// An edge of the world comes free that was not there when the squares were made.
TEST(WeightedGrid, FollowsAWorldThatGrows) {
  const Environment environment = makeEnvironment({.kind = "military"}).value();
  const World base = bake(environment, {.generator = "ecm"}).value();
  const Box box = boundingBox(environment);
  const Vec2 low = environment.lattice.toMetres(box.min);
  const Vec2 high = environment.lattice.toMetres(box.max);
  Obstacle edge;
  edge.shape = PolygonShape{
      {{low.x - 1, low.y - 1}, {low.x + 20, low.y - 1}, {low.x + 20, high.y + 1}, {low.x - 1, high.y + 1}}, {}};
  const Result<WorldUpdate> shut = base.apply(std::vector<Edit>{AddObstacle{edge}});
  ASSERT_TRUE(shut.ok());
  const RegionField field(environment);
  WeightedGrid grid(makeNavigator(shut->world), field, 0.3, {});
  const Result<WorldUpdate> open = shut->world.apply(std::vector<Edit>{RemoveObstacle{shut->report.edits[0].id}});
  ASSERT_TRUE(open.ok());
  const Navigator navigator = makeNavigator(open->world);
  grid.follow(navigator, field, std::vector<WeightedGrid::Area>{{low, {low.x + 20, high.y}}}, {});
  expectSameSquares(grid, WeightedGrid(navigator, field, 0.3, {}));
}

TEST(WeightedGrid, CrossesFromFloorToFloor) {
  const Environment environment = makeEnvironment({.kind = "two-floor-ramp"}).value();
  const Navigator navigator = makeNavigator(bake(environment, {.generator = "ecm"}).value());
  const auto field = std::make_shared<const RegionField>(environment);
  const WeightedGrid grid(navigator, *field, 0.3, {});
  const NavMesh& mesh = navigator.mesh();
  PlanScratch scratch;
  Route route;
  Route truth;
  Random random(9, 9);
  int crossed = 0;
  for (int i = 0; i < 200 && crossed < 10; ++i) {
    const WeightedGrid::Square& a = grid.square(randomSquare(grid, random));
    const WeightedGrid::Square& b = grid.square(randomSquare(grid, random));
    if (a.layer == b.layer) continue;
    const Locator locator(mesh);
    PathQuery query;
    query.from = {a.at.x, a.at.y, locator.height(a.at, a.layer)};
    query.to = {b.at.x, b.at.y, locator.height(b.at, b.layer)};
    query.radius = 0.24;
    if (navigator.plan(query, scratch, truth) != PathStatus::kFound) continue;
    ASSERT_EQ(grid.plan(query, RegionCosts(field, {}), scratch, route), PathStatus::kFound);
    EXPECT_EQ(mesh.layerOf(route.cells.back()), b.layer);
    EXPECT_GE(route.length, truth.length - 1e-6);
    EXPECT_LE(route.length, 1.25 * truth.length + 3);
    ++crossed;
  }
  EXPECT_EQ(crossed, 10);
}

}  // namespace
}  // namespace wend
