#include <cmath>
#include <thread>

#include <gtest/gtest.h>

#include "planning/disk/disk_navigator.h"
#include "tests/planning/clearance/check.h"
#include "tests/planning/grid_world.h"

// What DiskNavigator says about places and straight lines, against all walls.
namespace wend {
namespace {

double toWalls(const std::vector<OracleWall>& walls, Vec2 p, Vec2 q) {
  Route route;
  route.points = {{p.x, p.y, 0}, {q.x, q.y, 0}};
  return routeClearance(walls, route);
}

template <typename Check>
void forWorlds(uint64_t seed, uint64_t worlds, Check&& check) {
  for (uint64_t world = 0; world < worlds; ++world) {
    SCOPED_TRACE(world);
    Random random(seed, world);
    const std::optional<Environment> environment = randomEnvironment(random);
    if (!environment || environment->layers[0].free.empty()) continue;
    const std::vector<OracleWall> walls = wallsOf(environment->layers[0].free);
    const double size = boundingBox(*environment).max.x;
    const DiskNavigator navigator(generate(*environment, {.generator = "hertel-mehlhorn"}).value());
    const auto draw = [&] { return Vec3{random.real(0, size), random.real(0, size), 0}; };
    for (int i = 0; i < 10; ++i) check(navigator, walls, draw(), draw(), size);
  }
}

TEST(DiskNavigator, NearestObstacle) {
  PlanScratch scratch;
  size_t checked = 0;
  forWorlds(41, 100, [&](const DiskNavigator& navigator, const auto& walls, Vec3 p, Vec3, double) {
    const std::optional<NearestObstacle> nearest = navigator.nearestObstacle(p, scratch);
    ASSERT_EQ(nearest.has_value(), navigator.locate(p) != kNone);
    if (!nearest) return;
    ++checked;
    EXPECT_NEAR(nearest->distance, toWalls(walls, {p.x, p.y}, {p.x, p.y}), 1e-9);
    EXPECT_NEAR(nearest->distance, std::hypot(nearest->point.x - p.x, nearest->point.y - p.y), 1e-9);
  });
  EXPECT_GT(checked, 300U);
}

TEST(DiskNavigator, StraightClearance) {
  PlanScratch scratch;
  size_t clear = 0;
  forWorlds(43, 200, [&](const DiskNavigator& navigator, const auto& walls, Vec3 p, Vec3 q, double) {
    const double got = navigator.straightClearance(p, q, scratch);
    const double truth = toWalls(walls, {p.x, p.y}, {q.x, q.y});
    if (navigator.locate(p) == kNone || truth == 0) {
      EXPECT_LT(got, 0);
      return;
    }
    if (got >= 0) ++clear;
    EXPECT_NEAR(got, truth, 1e-9);
  });
  EXPECT_GT(clear, 100U);
}

// A place is in the polygon iff the straight line to it crosses no wall and it is within range.
TEST(DiskNavigator, Visibility) {
  PlanScratch scratch;
  VisibilityPolygon polygon;
  size_t seen = 0;
  size_t hidden = 0;
  uint64_t turn = 0;
  forWorlds(47, 150, [&](const DiskNavigator& navigator, const auto& walls, Vec3 p, Vec3 q, double size) {
    const double range = turn++ % 2 == 0 ? 0 : 0.3 * size;
    const bool on = navigator.visibility(p, range, scratch, polygon);
    ASSERT_EQ(on, navigator.locate(p) != kNone);
    if (!on) return;
    ASSERT_EQ(polygon.points.size(), polygon.window.size());
    ASSERT_GE(polygon.points.size(), 3U);
    const double distance = std::hypot(q.x - p.x, q.y - p.y);
    if (range > 0 && std::abs(distance - range) < 0.02 * range) return;  // the range is drawn as a polygon
    const bool visible = toWalls(walls, {p.x, p.y}, {q.x, q.y}) > 0 && (range == 0 || distance < range);
    bool inside = false;
    for (size_t i = 0; i < polygon.points.size(); ++i) {
      const Vec3 a = polygon.points[i];
      const Vec3 b = polygon.points[(i + 1) % polygon.points.size()];
      if ((a.y > q.y) != (b.y > q.y) && q.x < a.x + (q.y - a.y) / (b.y - a.y) * (b.x - a.x)) inside = !inside;
    }
    EXPECT_EQ(inside, visible) << p.x << "," << p.y << " " << q.x << "," << q.y << " range " << range;
    (visible ? seen : hidden) += 1;
  });
  EXPECT_GT(seen, 100U);
  EXPECT_GT(hidden, 100U);
}

TEST(DiskNavigator, BadQueries) {
  EnvironmentDraft draft;
  draft.layers.emplace_back().walkable.push_back({{{0, 0}, {10, 0}, {10, 10}, {0, 10}}});
  const DiskNavigator navigator(generate(buildEnvironment(draft).value()).value());
  PlanScratch scratch;
  Route route;
  PathQuery query;
  query.from = {1, 1, 0};
  query.to = {9, 9, 0};
  query.radius = -1;
  EXPECT_EQ(navigator.plan(query, scratch, route), PathStatus::kBadQuery);
  query.radius = std::nan("");
  EXPECT_EQ(navigator.reachable(query, scratch), PathStatus::kBadQuery);
  query.radius = 1e12;
  EXPECT_EQ(navigator.plan(query, scratch, route), PathStatus::kStartTooNear);
  query.radius = 0.5;
  query.to = {9.8, 9, 0};
  EXPECT_EQ(navigator.plan(query, scratch, route), PathStatus::kGoalTooNear);
  query.to = {19, 9, 0};
  EXPECT_EQ(navigator.plan(query, scratch, route), PathStatus::kGoalOffMesh);
  query.to = query.from;
  EXPECT_EQ(navigator.plan(query, scratch, route), PathStatus::kFound);
  EXPECT_EQ(route.length, 0);
}

// The same answers from several threads and after other radii.
TEST(DiskNavigator, ThreadsAndOrderChangeNothing) {
  Random random(3, 17);
  const std::optional<Environment> environment = randomEnvironment(random);
  ASSERT_TRUE(environment.has_value());
  const DiskNavigator navigator(generate(*environment, {.generator = "delaunay"}).value());
  const double size = boundingBox(*environment).max.x;
  std::vector<PathQuery> queries(300);
  for (PathQuery& q : queries) {
    q.from = {random.real(0, size), random.real(0, size), 0};
    q.to = {random.real(0, size), random.real(0, size), 0};
    q.radius = 0.1 * static_cast<double>(random.between(1, 20));
  }
  std::vector<std::vector<double>> lengths(3, std::vector<double>(queries.size()));
  {
    std::vector<std::jthread> threads;
    for (size_t t = 0; t < 3; ++t) {
      threads.emplace_back([&, t] {
        PlanScratch scratch;
        Route route;
        for (size_t i = 0; i < queries.size(); ++i) {
          const size_t k = t == 1 ? queries.size() - 1 - i : i;
          const bool found = navigator.plan(queries[k], scratch, route) == PathStatus::kFound;
          lengths[t][k] = found ? route.length : -1;
        }
      });
    }
  }
  EXPECT_EQ(lengths[0], lengths[1]);
  EXPECT_EQ(lengths[0], lengths[2]);
}

// Between equal cells there are many ways of equal estimate.
TEST(DiskNavigator, OrderChangesNothingWhereWaysAreEqual) {
  Random random(5);
  size_t found = 0;
  for (int world = 0; world < 12; ++world) {
    Picture picture(12, std::string(12, '.'));
    for (std::string& row : picture) {
      for (char& square : row) square = random.chance(0.15) ? '#' : '.';
    }
    const DiskNavigator navigator(squareMesh(picture));
    PlanScratch used;
    for (int i = 0; i < 60; ++i) {
      const auto draw = [&] {
        return Vec3{0.25 * static_cast<double>(random.between(0, 48)),
                    0.25 * static_cast<double>(random.between(0, 48)), 0};
      };
      const PathQuery query{.from = draw(), .to = draw(), .radius = 0.25};
      PlanScratch fresh;
      Route route;
      Route again;
      const PathStatus status = navigator.plan(query, used, route);
      ASSERT_EQ(status, navigator.plan(query, fresh, again));
      if (status != PathStatus::kFound) continue;
      ++found;
      EXPECT_EQ(route.cells, again.cells) << world << ", " << i;
      EXPECT_EQ(route.length, again.length) << world << ", " << i;
    }
  }
  EXPECT_GT(found, 200U);
}

}  // namespace
}  // namespace wend
