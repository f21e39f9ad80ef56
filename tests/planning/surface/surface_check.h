#pragma once

#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include <wend/generate.h>
#include <wend/navigator.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/vec2.h"
#include "planning/clearance/distances.h"
#include "planning/disk/disk_navigator.h"
#include "tests/planning/clearance/check.h"
#include "tests/planning/disk/oracle.h"

// Queries of places, moves and lengths against all walls of small random worlds, on the meshes of several generators.
namespace wend {

struct QueryWorld {
  std::vector<OracleWall> walls;
  double size = 0;
  Navigator navigator;
  std::string generator;

  // Metres (the lattice unit of the walls is 1 m). Inside counts crossings to the right.
  double toWalls(Vec2 p, const OracleWall** nearest = nullptr) const {
    double best = std::numeric_limits<double>::infinity();
    for (const OracleWall& wall : walls) {
      const double d = distanceToSegment(p, toVec2(wall.a), toVec2(wall.b));
      if (d >= best) continue;
      best = d;
      if (nearest != nullptr) *nearest = &wall;
    }
    return best;
  }
  bool isInside(Vec2 p) const {
    bool inside = false;
    for (const OracleWall& wall : walls) {
      const Vec2 a = toVec2(wall.a);
      const Vec2 b = toVec2(wall.b);
      if ((a.y <= p.y) != (b.y <= p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x)) inside = !inside;
    }
    return inside;
  }
  bool isFree(Vec2 p, double r) const { return isInside(p) && toWalls(p) >= r; }
  Vec2 drawAround(Random& random) const { return {random.real(-0.2, 1.2) * size, random.real(-0.2, 1.2) * size}; }
};

inline std::optional<QueryWorld> queryWorld(uint64_t seed, uint64_t world) {
  Random random(seed, world);
  const std::optional<Environment> environment = randomEnvironment(random);
  if (!environment || environment->layers[0].free.empty()) return std::nullopt;
  static const std::vector<std::string> generators{"delaunay", "hertel-mehlhorn", "neogen", "trapezoid", "ecm"};
  QueryWorld out;
  out.walls = wallsOf(environment->layers[0].free);
  out.size = boundingBox(*environment).max.x;
  out.generator = generators[world % generators.size()];
  Context serial;
  serial.threads = 1;
  Result<World> baked = bake(refineLattice(*environment), {.generator = out.generator}, serial);
  if (!baked.ok()) return std::nullopt;
  out.navigator = makeNavigator(*baked);
  return out;
}

struct QueryCount {
  size_t nearest = 0, rays = 0, slides = 0, randoms = 0, costs = 0, walls = 0, cells = 0, partial = 0, reasons = 0;
};

// No free place is nearer than the answer: tried on circles around the place, and at the answer's own distance.
inline void checkNearest(const QueryWorld& world, Random& random, PlanScratch& scratch, QueryCount& count) {
  const Vec2 p = world.drawAround(random);
  const double r = random.chance(0.3) ? 0 : 0.01 * world.size * std::pow(10.0, random.real());
  const auto found = world.navigator.nearest(p, r, 10 * world.size, scratch);
  ++count.nearest;
  const auto isFree = [&](Vec2 q) { return world.isFree(q, r); };
  if (found) {
    const Vec2 q{found->place.x, found->place.y};
    EXPECT_NEAR(found->moved, distance(p, q), 1e-9);
    // On the walls for a point; at the radius from them for a disk.
    EXPECT_GE(world.toWalls(q), r - 2e-6);
    if (r > 0) {
      EXPECT_TRUE(world.isInside(q));
    }
    if (found->moved > 0) {
      EXPECT_NEAR(world.toWalls(q), r, 2e-6);
    }
  }
  const double reach = found ? found->moved : 1.5 * world.size;
  for (int i = 0; i < 200; ++i) {
    const double angle = 2 * std::numbers::pi * random.real();
    const double d = reach * (i % 2 == 0 ? random.real() : 1 - 1e-4);
    const Vec2 q{p.x + d * std::cos(angle), p.y + d * std::sin(angle)};
    EXPECT_FALSE(d < reach - 1e-5 && isFree(q) && world.toWalls(q) > r + 1e-5)
        << world.generator << " " << p.x << "," << p.y << " radius " << r << ": " << q.x << "," << q.y;
  }
}

inline void checkRay(const QueryWorld& world, Random& random, PlanScratch& scratch, QueryCount& count) {
  const Vec2 p = world.drawAround(random);
  const Vec2 q = world.drawAround(random);
  const double r = random.chance(0.4) ? 0 : 0.01 * world.size * std::pow(10.0, random.real());
  const auto ray = world.navigator.castRay(p, q, r, scratch);
  if (std::abs(world.toWalls(p) - r) < 1e-5) return;
  ASSERT_EQ(ray.has_value(), world.isFree(p, r)) << p.x << "," << p.y << " radius " << r << " " << world.generator;
  if (!ray) return;
  ++count.rays;
  const double size = distance(p, q);
  const Vec2 u = direction(q - p, {1, 0});
  // The first place on the way that is nearer than the radius to a wall.
  double truth = size;
  for (const OracleWall& wall : world.walls) {
    const Vec2 a = toVec2(wall.a);
    const Vec2 b = toVec2(wall.b);
    if (r > 0) {
      const Interval blocked = blockedInterval(p, u, a, b, r);
      if (!blocked.empty() && blocked.high > 0) truth = std::min(truth, std::max(0.0, blocked.low));
    } else if (cross(q - p, a - p) * cross(q - p, b - p) < 0 && cross(b - a, p - a) * cross(b - a, q - a) < 0) {
      truth = std::min(truth, size * cross(a - p, b - a) / cross(q - p, b - a));
    }
  }
  EXPECT_NEAR(ray->distance, truth, 1e-5)
      << world.generator << " radius " << r << " " << p.x << "," << p.y << " to " << q.x << "," << q.y;
  EXPECT_EQ(ray->hit, ray->distance < size - 1e-9);
  EXPECT_NEAR(distance({ray->place.x, ray->place.y}, p), ray->distance, 1e-6);
  if (!ray->hit) return;
  EXPECT_NEAR(length(ray->normal), 1, 1e-9);
  EXPECT_LE(dot(ray->normal, u), 1e-6);
  EXPECT_NEAR(world.toWalls(ray->contact), 0, 1e-5);
  EXPECT_NE(ray->wall, kNone);
  EXPECT_TRUE(world.navigator.mesh().isWall(ray->wall));
}

// The end is free, can be reached, and no place near it is nearer to the target.
inline void checkSlide(const QueryWorld& world, Random& random, PlanScratch& scratch, QueryCount& count) {
  const Vec2 p = world.drawAround(random);
  const Vec2 q = world.drawAround(random);
  const double r = random.chance(0.4) ? 0 : 0.01 * world.size * std::pow(10.0, random.real());
  if (std::abs(world.toWalls(p) - r) < 1e-5) return;
  const auto slide = world.navigator.slide(p, q, r, scratch);
  ASSERT_EQ(slide.has_value(), world.isFree(p, r));
  if (!slide) return;
  ++count.slides;
  const Vec2 end{slide->place.x, slide->place.y};
  EXPECT_GE(world.toWalls(end), r - 1e-5);
  EXPECT_LE(distance(end, q), distance(p, q) + 1e-9);
  EXPECT_GE(slide->length, distance(p, end) - 1e-6);
}

inline void checkWall(const QueryWorld& world, Random& random, PlanScratch& scratch, QueryCount& count) {
  const Vec2 p = world.drawAround(random);
  const auto wall = world.navigator.nearestWall(p, 10 * world.size, scratch);
  if (world.toWalls(p) < 1e-5) return;
  ASSERT_EQ(wall.has_value(), world.isInside(p));
  if (!wall) return;
  ++count.walls;
  EXPECT_NEAR(wall->distance, world.toWalls(p), 1e-5);
  EXPECT_NEAR(distance(p + wall->distance * wall->direction, {wall->point.x, wall->point.y}), 0, 1e-9);
  EXPECT_TRUE(world.navigator.mesh().isWall(wall->wall));
}

inline void checkRandom(const QueryWorld& world, Random& random, PlanScratch& scratch, QueryCount& count) {
  RandomPlaceQuery query;
  query.radius = random.chance(0.5) ? 0 : random.real(0, 0.05) * world.size;
  if (random.chance(0.5)) {
    query.centre = Place(world.drawAround(random));
    query.range = random.real(0.01, 0.5) * world.size;
  }
  if (random.chance(0.5)) query.from = Place(world.drawAround(random));
  const auto place = world.navigator.randomPlace(query, random.next(), scratch);
  if (!place) return;
  ++count.randoms;
  const Vec2 q{place->place.x, place->place.y};
  EXPECT_GE(world.toWalls(q), query.radius - 2e-6);
  if (world.toWalls(q) > 1e-5) {
    EXPECT_TRUE(world.isInside(q));
  }
  if (query.centre) {
    EXPECT_LE(distance(q, query.centre->top()), query.range + 1e-9);
  }
  if (query.from) {
    PathQuery path{.from = *query.from, .to = q, .radius = query.radius, .method = PathMethod::kDisk};
    EXPECT_EQ(world.navigator.reachable(path, scratch), PathStatus::kFound);
  }
}

// One search for many against one for each; and the cells within a distance against routes into them.
inline void checkCosts(const QueryWorld& world, Random& random, PlanScratch& scratch, QueryCount& count) {
  std::vector<Place> to;
  for (int i = 0; i < 8; ++i) to.emplace_back(world.drawAround(random));
  const Place from(world.drawAround(random));
  std::vector<double> costs(to.size());
  world.navigator.costs(from, to, 0, scratch, costs);
  for (size_t i = 0; i < to.size(); ++i) {
    PathQuery query{.from = from, .to = to[i], .method = PathMethod::kPolyanya};
    const double truth = world.navigator.cost(query, scratch);
    ++count.costs;
    EXPECT_EQ(std::isinf(costs[i]), std::isinf(truth)) << world.generator;
    if (std::isfinite(truth)) {
      EXPECT_NEAR(costs[i], truth, 1e-9 * (1 + truth)) << world.generator;
    }
  }
  const double limit = random.real(0, 1) * world.size;
  std::vector<ReachedCell> cells;
  if (!world.navigator.within(from, limit, scratch, cells)) return;
  const NavMesh& mesh = world.navigator.mesh();
  std::vector<double> reached(mesh.cellCount(), std::numeric_limits<double>::infinity());
  for (const ReachedCell& cell : cells) {
    EXPECT_LE(cell.distance, limit + 1e-9);
    reached[cell.cell] = cell.distance;
  }
  for (int i = 0; i < 6; ++i) {
    const auto cell = static_cast<CellId>(random.below(mesh.cellCount()));
    // A place inside the cell: the nearest one is no farther, and from there it is at most the outline away.
    Vec2 sum{0, 0};
    double weights = 0;
    double outline = 0;
    for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
      const double weight = 0.1 + random.real();
      sum = sum + weight * mesh.vertex(mesh.startVertex(s));
      weights += weight;
      outline += distance(mesh.vertex(mesh.startVertex(s)), mesh.vertex(mesh.endVertex(s))) * mesh.lattice().unit;
    }
    const Place inside(mesh.lattice().toMetres((1 / weights) * sum));
    if (world.navigator.locate(inside) != cell) continue;
    const double d = world.navigator.cost({.from = from, .to = inside, .method = PathMethod::kPolyanya}, scratch);
    ++count.cells;
    if (d <= limit) {
      EXPECT_LE(reached[cell], d + 1e-6) << world.generator;
    }
    if (std::isfinite(reached[cell])) {
      EXPECT_LE(d, reached[cell] + outline + 1e-6) << world.generator;
    }
  }
}

// Snapping, partial routes and reasons.
inline void checkEnds(const QueryWorld& world, Random& random, PlanScratch& scratch, QueryCount& count) {
  PathQuery query;
  query.from = Place(world.drawAround(random));
  query.to = Place(world.drawAround(random));
  query.radius = random.chance(0.3) ? 0 : 0.01 * world.size * std::pow(10.0, random.real());
  Route route;
  const PathStatus plain = world.navigator.plan(query, scratch, route);
  const double length = route.length;
  query.snap = 2 * world.size;
  const PathStatus snapped = world.navigator.plan(query, scratch, route);
  if (plain == PathStatus::kFound) {
    EXPECT_EQ(snapped, PathStatus::kFound);
    EXPECT_EQ(route.length, length);
    EXPECT_EQ(route.startMoved + route.goalMoved, 0);
  }
  if (snapped == PathStatus::kFound) {
    EXPECT_NEAR(route.startMoved, distance(query.from.top(), {route.points.front().x, route.points.front().y}), 1e-6);
    EXPECT_NEAR(route.goalMoved, distance(query.to.top(), {route.points.back().x, route.points.back().y}), 1e-6);
  }
  query.partial = true;
  const PathStatus partial = world.navigator.plan(query, scratch, route);
  if (snapped == PathStatus::kUnreachable || snapped == PathStatus::kFound) {
    EXPECT_EQ(partial, PathStatus::kFound) << world.generator << " radius " << query.radius;
    EXPECT_EQ(route.partial, snapped == PathStatus::kUnreachable);
    ++count.partial;
  }
  if (count.reasons % 8 == 0 || plain != PathStatus::kUnreachable) {
    query.snap = 0;
    query.partial = false;
    const NoRoute why = world.navigator.explain(query, scratch);
    EXPECT_EQ(why.reason == NoRouteReason::kNone, plain == PathStatus::kFound);
    EXPECT_EQ(why.reason == NoRouteReason::kOffMesh,
              plain == PathStatus::kStartOffMesh || plain == PathStatus::kGoalOffMesh);
    if (why.reason == NoRouteReason::kTooNarrow) {
      EXPECT_LT(why.width, 2 * query.radius);
      PathQuery narrow = query;
      narrow.radius = 0.5 * why.width * (1 - 1e-4);
      if (narrow.radius > 1e-3) {
        EXPECT_EQ(world.navigator.reachable(narrow, scratch), PathStatus::kFound);
      }
    }
  }
  ++count.reasons;
}

inline void checkQueries(uint64_t seed, uint64_t number, int rounds, QueryCount& count) {
  SCOPED_TRACE("seed " + std::to_string(seed) + ", world " + std::to_string(number));
  const std::optional<QueryWorld> world = queryWorld(seed, number);
  if (!world) return;
  Random random(seed + 1, number);
  PlanScratch scratch;
  for (int i = 0; i < rounds && !::testing::Test::HasFailure(); ++i) {
    checkNearest(*world, random, scratch, count);
    checkRay(*world, random, scratch, count);
    checkSlide(*world, random, scratch, count);
    checkWall(*world, random, scratch, count);
    checkRandom(*world, random, scratch, count);
    checkCosts(*world, random, scratch, count);
    checkEnds(*world, random, scratch, count);
  }
}

}  // namespace wend
