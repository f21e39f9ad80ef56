#pragma once

#include <numeric>

#include <wend/generate.h>
#include <wend/navigator.h>

#include <gtest/gtest.h>

#include "geometry/vec2.h"
#include "planning/corridor/corridor_navigator.h"
#include "planning/corridor/indicative_route.h"
#include "tests/generators/ecm/open_oracle.h"
#include "tests/generators/layered_worlds.h"
#include "tests/planning/corridor/polygon_area.h"

// The operations of CorridorNavigator on layers above each other, against looking straight in all directions.
namespace wend {

struct SurfacePoint {
  Vec2 units;
  LayerId layer = 0;
};

class SurfaceWorld {
 public:
  explicit SurfaceWorld(Environment e) : environment(std::move(e)), oracle(environment) {
    Context serial;
    serial.threads = 1;
    const Result<NavMesh> mesh = generate(environment, {.generator = "ecm"}, serial);
    EXPECT_TRUE(mesh.ok()) << (mesh.ok() ? "" : mesh.error().message);
    if (!mesh.ok()) return;
    navigator = *CorridorNavigator::make(*mesh);
    locator = Locator(*mesh);
  }

  Environment environment;
  ecm::SurfaceOracle oracle;
  std::shared_ptr<const CorridorNavigator> navigator;
  Locator locator;

  double unit() const { return environment.lattice.unit; }
  Vec3 lifted(SurfacePoint p) const {
    const Vec2 metres = environment.lattice.toMetres(p.units);
    return {metres.x, metres.y, locator.height(metres, p.layer)};
  }
  // Whether the navigator, who is told heights, finds the point in its layer, and not on the border of it.
  bool isPlain(SurfacePoint p) const {
    const CellId cell = navigator->locate(lifted(p));
    return cell != kNone && navigator->mesh().layerOf(cell) == p.layer && !oracle.isOnConnection(p.layer, p.units);
  }
  std::optional<SurfacePoint> random(Random& random) const {
    for (int i = 0; i < 200; ++i) {
      const auto layer = static_cast<LayerId>(random.below(environment.layers.size()));
      const Box box = boundingBox(environment.layers[layer].free);
      if (box.empty()) continue;
      const SurfacePoint p{{random.real(box.min.x, box.max.x), random.real(box.min.y, box.max.y)}, layer};
      if (locator.locate(environment.lattice.toMetres(p.units), layer) != kNone && isPlain(p)) return p;
    }
    return std::nullopt;
  }
};

inline constexpr double kNear = 1e-3;  // lattice units, 0.1 micrometre

// Nearest obstacle, clearance, retraction and what is seen, at a random point of the surface.
inline void checkPoint(const SurfaceWorld& world, Random& random, PlanScratch& scratch) {
  const auto p = world.random(random);
  if (!p) return;
  const Vec3 place = world.lifted(*p);
  const double truth = world.oracle.distance(p->layer, p->units);
  const auto nearest = world.navigator->nearestObstacle(place, scratch);
  ASSERT_TRUE(nearest);
  ASSERT_NEAR(nearest->distance / world.unit(), truth, kNear) << place.x << ", " << place.y << " layer " << p->layer;
  ASSERT_NEAR(std::hypot(nearest->point.x - place.x, nearest->point.y - place.y), nearest->distance, 1e-7);
  // The nearest point is reached straight, and a wall is there.
  const Vec2 foot = world.environment.lattice.toUnits({nearest->point.x, nearest->point.y});
  const auto there = world.oracle.walk(p->layer, p->units, 0.999 * (foot - p->units));
  ASSERT_FALSE(there.blocked);

  const auto axis = world.navigator->retraction(place, scratch);
  ASSERT_TRUE(axis);
  ASSERT_GE(axis->clearance, truth - kNear);
  ASSERT_NEAR(distance(axis->p, p->units) + truth, axis->clearance, kNear);
  const auto moved = world.oracle.walk(p->layer, p->units, axis->p - p->units);
  ASSERT_FALSE(moved.blocked);
  const SurfacePoint onAxis{axis->p, moved.layer};
  if (world.isPlain(onAxis)) {
    ASSERT_NEAR(world.oracle.distance(onAxis.layer, onAxis.units), axis->clearance, kNear);
    const auto again = world.navigator->retraction(world.lifted(onAxis), scratch);
    ASSERT_TRUE(again);
    ASSERT_LT(distance(again->p, axis->p), kNear);
  }

  VisibilityPolygon view;
  ASSERT_TRUE(world.navigator->visibility(place, 0, scratch, view));
  const double area = world.oracle.viewArea(p->layer, p->units) * world.unit() * world.unit();
  double farthest = 0;
  for (const Vec3 q : view.points) farthest = std::max(farthest, std::hypot(q.x - place.x, q.y - place.y));
  ASSERT_NEAR(areaOf(view), area, 1e-6 * area + 1e-6 * farthest) << place.x << ", " << place.y << " layer " << p->layer;
}

// Whether two points see each other, and the disk that can travel between them: the least of many points between.
inline void checkSightLine(const SurfaceWorld& world, Random& random, PlanScratch& scratch) {
  const auto p = world.random(random);
  const auto q = world.random(random);
  if (!p || !q) return;
  const double found = world.navigator->straightClearance(world.lifted(*p), world.lifted(*q), scratch);
  const Vec2 d = q->units - p->units;
  const auto end = world.oracle.walk(p->layer, p->units, d);
  constexpr int kSteps = 40;
  if (end.blocked || end.layer != q->layer) {
    ASSERT_LT(found / world.unit(), 0.01) << "blocked";
    return;
  }
  double least = 1e300;
  for (int i = 0; i <= kSteps; ++i) {
    const auto at = world.oracle.walk(p->layer, p->units, (static_cast<double>(i) / kSteps) * d);
    if (world.oracle.isOnConnection(at.layer, at.p)) continue;
    least = std::min(least, world.oracle.distance(at.layer, at.p));
  }
  if (least < 0.01) return;
  ASSERT_LE(found / world.unit(), least + kNear);
  ASSERT_GE(found / world.unit(), least - length(d) / kSteps - kNear);
}

// Routes: straight pieces on the surface from start to goal, which keep what they promise at all of many points.
inline bool checkRoute(const SurfaceWorld& world, Random& random, PlanScratch& scratch, Route& route, Corridor& path) {
  const auto s = world.random(random);
  const auto g = world.random(random);
  if (!s || !g) return false;
  PathQuery query;
  query.from = world.lifted(*s);
  query.to = world.lifted(*g);
  const double widest = world.navigator->largestRadius(query, scratch);
  if (widest <= 0) return false;
  query.radius = random.chance(0.2) ? widest : random.real(0.01, 1) * widest;
  query.clearance = random.chance(0.3) ? 0 : query.radius + random.real(0, 3);
  if (random.chance(0.3)) query.side = random.chance(0.3) ? 0 : random.real(-1, 1);
  EXPECT_EQ(world.navigator->plan(query, scratch, route), PathStatus::kFound);
  EXPECT_EQ(world.navigator->corridor(query, scratch, path), PathStatus::kFound);
  if (testing::Test::HasFailure()) return false;
  const double ends = std::min(world.oracle.distance(s->layer, s->units), world.oracle.distance(g->layer, g->units));
  const double kept = std::min({std::max(query.clearance, query.radius), path.minClearance, ends * world.unit()});
  SurfacePoint at = *s;
  double least = 1e300;
  for (size_t i = 1; i < route.points.size(); ++i) {
    const Vec2 to = world.environment.lattice.toUnits({route.points[i].x, route.points[i].y});
    const Vec2 d = to - at.units;
    constexpr int kSteps = 8;
    SurfacePoint end = at;
    for (int k = 1; k <= kSteps; ++k) {
      const auto step = world.oracle.walk(at.layer, at.units, (static_cast<double>(k) / kSteps) * d);
      EXPECT_FALSE(step.blocked);
      end = {step.p, step.layer};
      if (!world.oracle.isOnConnection(end.layer, end.units)) {
        least = std::min(least, world.oracle.distance(end.layer, end.units));
      }
    }
    at = {to, end.layer};
  }
  EXPECT_EQ(at.layer, g->layer);
  const double micron = 1e-6;  // metres
  EXPECT_GE(least * world.unit(), kept - micron);
  EXPECT_GE(least * world.unit(), query.radius - micron);
  EXPECT_LE(route.clearance, least * world.unit() + micron);
  EXPECT_GE(route.clearance, kept - micron);
  return true;
}

struct SurfaceCount {
  int worlds = 0;
  int points = 0;
  int routes = 0;
};

inline SurfaceCount checkSurfaces(uint64_t seed, uint64_t worlds) {
  SurfaceCount count;
  PlanScratch scratch;
  Route route;
  Corridor path;
  for (uint64_t i = 0; i < worlds && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed + i));
    auto environment = overlappingWorld(seed + i);
    if (!environment) continue;
    const SurfaceWorld world(std::move(*environment));
    if (world.navigator == nullptr) return count;
    ++count.worlds;
    Random random(seed + i, 5);
    for (int k = 0; k < 6 && !testing::Test::HasFailure(); ++k) {
      checkPoint(world, random, scratch);
      checkSightLine(world, random, scratch);
      ++count.points;
      count.routes += checkRoute(world, random, scratch, route, path) ? 1 : 0;
    }
  }
  return count;
}

}  // namespace wend
