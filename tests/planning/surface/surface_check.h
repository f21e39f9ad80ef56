#pragma once

#include <array>
#include <numbers>

#include <gtest/gtest.h>

#include "mesh/cell_geometry.h"
#include "tests/planning/surface/query_world.h"

// Queries of places, moves and lengths against brute force in small random worlds, on the meshes of several generators.
namespace wend {

enum class QueryKind : uint8_t {
  kNearest,
  kNearestOfDisk,
  kSnap,
  kPartial,
  kRay,
  kSweep,
  kSlide,
  kWall,
  kRandom,
  kWithin,
  kOneToMany,
  kManyToMany,
  kCost,
  kReason,
};
inline constexpr size_t kQueryKinds = 14;

struct QueryCount {
  std::array<size_t, kQueryKinds> cases{};
  size_t wanted = 0;  // of each kind
  size_t& operator[](QueryKind kind) { return cases[static_cast<size_t>(kind)]; }
  bool isEnough(QueryKind kind) const { return cases[static_cast<size_t>(kind)] >= wanted; }
  bool isEnough() const {
    return std::all_of(cases.begin(), cases.end(), [&](size_t n) { return n >= wanted; });
  }
};

class QueryCheck {
 public:
  QueryCheck(const QueryWorld& world, Random& random, PlanScratch& scratch, QueryCount& count)
      : world_(world), navigator_(world.navigator), random_(random), scratch_(scratch), count_(count) {}

  void run() {
    if (!count_.isEnough(QueryKind::kNearest)) nearest(0);
    if (!count_.isEnough(QueryKind::kNearestOfDisk)) nearest(world_.drawRadius(random_));
    if (!count_.isEnough(QueryKind::kRay)) ray(0);
    if (!count_.isEnough(QueryKind::kSweep)) ray(world_.drawRadius(random_));
    if (!count_.isEnough(QueryKind::kSlide)) slide();
    if (!count_.isEnough(QueryKind::kWall)) wall();
    if (!count_.isEnough(QueryKind::kRandom)) randomPlace();
    if (!count_.isEnough(QueryKind::kCost)) cost();
    if (!count_.isEnough(QueryKind::kOneToMany)) oneToMany();
    if (!count_.isEnough(QueryKind::kManyToMany)) manyToMany();
    if (!count_.isEnough(QueryKind::kWithin)) within();
    if (!count_.isEnough(QueryKind::kSnap)) snap();
    if (!count_.isEnough(QueryKind::kPartial)) partial();
    if (!count_.isEnough(QueryKind::kReason)) reason();
  }

 private:
  void done(QueryKind kind) { ++count_[kind]; }
  double pointOrDisk() { return random_.chance(0.4) ? 0 : world_.radius; }
  static Vec2 top(const Vec3& p) { return {p.x, p.y}; }
  // On an ecm mesh ends are moved to where they are 4e-3 lattice units further from the walls than the radius, since
  // the medial axis is rounded with the cells; where walls meet at a sharp angle that moves them by more.
  bool isEcm() const { return world_.generator == "ecm"; }

  void nearest(double r) {
    const Vec2 p = world_.drawAround(random_);
    if (world_.isCritical(p, r)) return;
    const auto found = navigator_.nearest(p, r, 10 * world_.size, scratch_);
    const double truth = world_.toNearest(p, r, [](Vec2) { return true; });
    done(r > 0 ? QueryKind::kNearestOfDisk : QueryKind::kNearest);
    SCOPED_TRACE(at(p, p, r));
    if (isEcm() && found.has_value() != std::isfinite(truth) && isBarelyFree(p, r)) return;
    ASSERT_EQ(found.has_value(), std::isfinite(truth));
    if (!found) return;
    EXPECT_NEAR(found->moved, truth, tolerance()) << world_.isInside(p);
    EXPECT_NEAR(found->moved, distance(p, top(found->place)), 1e-9);
    EXPECT_GE(world_.toWalls(top(found->place)), r - 2e-6);
  }
  // Corners of trapezoids and of cells of ecm lie on slanted walls, off the lattice. A place there is moved onto the
  // mesh, by up to a thousandth of a lattice unit.
  double cornerRounding() const { return world_.generator == "trapezoid" || isEcm() ? 2e-6 : 0; }
  double tolerance() const { return isEcm() ? 1e-3 : 1e-5; }
  // The only places where the disk fits are gone for a disk that is larger by the tolerance.
  bool isBarelyFree(Vec2 p, double r) const {
    return !std::isfinite(world_.toNearest(p, r + 1e-3, [](Vec2) { return true; }));
  }

  void ray(double r) {
    const Vec2 p = world_.drawAround(random_);
    const Vec2 q = world_.drawAround(random_);
    if (world_.isCritical(p, r)) return;
    SCOPED_TRACE(at(p, q, r));
    const auto ray = navigator_.castRay(p, q, r, scratch_);
    ASSERT_EQ(ray.has_value(), world_.isFree(p, r));
    if (!ray) return;
    done(r > 0 ? QueryKind::kSweep : QueryKind::kRay);
    const double size = distance(p, q);
    const Vec2 u = direction(q - p, {1, 0});
    // The first place on the way that is nearer than the radius to a wall.
    double truth = size;
    for (const OracleWall& wall : world_.walls) {
      const Vec2 a = toVec2(wall.a);
      const Vec2 b = toVec2(wall.b);
      if (r > 0) {
        const Interval blocked = blockedInterval(p, u, a, b, r);
        if (!blocked.empty() && blocked.high > 0) truth = std::min(truth, std::max(0.0, blocked.low));
      } else if (cross(q - p, a - p) * cross(q - p, b - p) < 0 && cross(b - a, p - a) * cross(b - a, q - a) < 0) {
        truth = std::min(truth, size * cross(a - p, b - a) / cross(q - p, b - a));
      }
    }
    EXPECT_NEAR(ray->distance, truth, 1e-5);
    EXPECT_EQ(ray->hit, ray->distance < size - 1e-9);
    EXPECT_NEAR(distance(top(ray->place), p), ray->distance, 1e-6);
    if (!ray->hit) return;
    EXPECT_NEAR(wend::length(ray->normal), 1, 1e-9);
    EXPECT_LE(dot(ray->normal, u), 1e-6);
    EXPECT_NEAR(world_.toWalls(ray->contact), 0, 1e-5);
    EXPECT_NE(ray->wall, kNone);
    EXPECT_TRUE(navigator_.mesh().isWall(ray->wall));
  }

  // The end is free, can be reached, and no place near it is nearer to the target.
  void slide() {
    const Vec2 p = world_.drawAround(random_);
    const Vec2 q = world_.drawAround(random_);
    const double r = pointOrDisk();
    if (world_.isCritical(p, r)) return;
    SCOPED_TRACE(at(p, q, r));
    const auto slide = navigator_.slide(p, q, r, scratch_);
    ASSERT_EQ(slide.has_value(), world_.isFree(p, r));
    if (!slide) return;
    done(QueryKind::kSlide);
    const Vec2 end = top(slide->place);
    EXPECT_GE(world_.toWalls(end), r - 1e-5);
    EXPECT_LE(distance(end, q), distance(p, q) + 1e-9);
    EXPECT_GE(slide->length, distance(p, end) - 1e-6);
    if (r > 0 && !world_.isCritical(end, r)) expectJoined(p, end, r, true);
    // Nothing passes a place where areas only touch.
    const auto touches = std::count_if(world_.walls.begin(), world_.walls.end(), [&](const OracleWall& wall) {
      return distance(toVec2(wall.a), end) < r + 1e-5;
    });
    if (r == 0 && touches > 1) return;
    const double step = 1e-2 * world_.size;
    for (int i = 0; i < 24; ++i) {
      const double angle = 2 * std::numbers::pi * i / 24;
      const Vec2 near = end + step * Vec2{std::cos(angle), std::sin(angle)};
      if (distance(near, q) > distance(end, q) - 0.2 * step) continue;
      // Needles may be thinner than the steps.
      bool isWay = std::none_of(world_.walls.begin(), world_.walls.end(), [&](const OracleWall& wall) {
        const Vec2 a = toVec2(wall.a);
        const Vec2 b = toVec2(wall.b);
        return distanceToSegment(end, a, b) > 1e-6 && cross(near - end, a - end) * cross(near - end, b - end) <= 0 &&
               cross(b - a, end - a) * cross(b - a, near - a) <= 0;
      });
      for (int k = 1; k <= 20 && isWay; ++k) {
        const Vec2 on = end + (0.05 * k) * (near - end);
        isWay = world_.isInside(on) && world_.toWalls(on) > r + 1e-3 * step;
      }
      EXPECT_FALSE(isWay) << "from " << end.x << "," << end.y << " to " << near.x << "," << near.y;
    }
  }

  void wall() {
    const Vec2 p = world_.drawAround(random_);
    const auto wall = navigator_.nearestWall(p, 10 * world_.size, scratch_);
    const double truth = world_.toWalls(p);
    if (truth < 1e-5) return;
    ASSERT_EQ(wall.has_value(), world_.isInside(p));
    if (!wall) return;
    done(QueryKind::kWall);
    EXPECT_NEAR(wall->distance, truth, 1e-5);
    EXPECT_NEAR(distance(p + wall->distance * wall->direction, top(wall->point)), 0, 1e-9);
    EXPECT_TRUE(navigator_.mesh().isWall(wall->wall));
  }

  void randomPlace() {
    RandomPlaceQuery query;
    query.radius = pointOrDisk();
    if (random_.chance(0.5)) {
      query.centre = Place(world_.drawAround(random_));
      query.range = random_.real(0.01, 0.5) * world_.size;
    }
    if (random_.chance(0.5)) query.from = Place(world_.drawAround(random_));
    const auto place = navigator_.randomPlace(query, random_.next(), scratch_);
    if (!place) return;
    done(QueryKind::kRandom);
    const Vec2 q = top(place->place);
    EXPECT_GE(world_.toWalls(q), query.radius - 2e-6);
    if (world_.toWalls(q) > 1e-5) {
      EXPECT_TRUE(world_.isInside(q));
    }
    if (query.centre) {
      EXPECT_LE(distance(q, query.centre->top()), query.range + 1e-9);
    }
    if (query.from && !world_.isCritical(q, query.radius) && !world_.isCritical(query.from->top(), query.radius)) {
      EXPECT_TRUE(world_.isFree(query.from->top(), query.radius));
      expectJoined(query.from->top(), q, query.radius, true);
    }
  }

  // --- Lengths, of a point against the visibility graph ---

  Place placeOf(Point p) const { return {static_cast<double>(p.x), static_cast<double>(p.y)}; }
  void expectLength(double length, Point from, Point to) const {
    const double truth = world_.length(from, to);
    ASSERT_EQ(std::isfinite(length), std::isfinite(truth));
    if (std::isfinite(truth)) {
      EXPECT_NEAR(length, truth, 1e-9 * (1 + truth) + cornerRounding());
    }
  }
  void cost() {
    const Point from = world_.drawFree(random_);
    const Point to = world_.drawFree(random_);
    SCOPED_TRACE(at(toVec2(from), toVec2(to), 0));
    done(QueryKind::kCost);
    expectLength(navigator_.cost({.from = placeOf(from), .to = placeOf(to), .method = PathMethod::kPolyanya}, scratch_),
                 from, to);
    // For a disk the corridor is the search's choice: no shorter than the shortest, and there if there is a way.
    const Vec2 p = world_.drawAround(random_);
    const Vec2 q = world_.drawAround(random_);
    const double r = world_.radius;
    if (world_.isCritical(p, r) || world_.isCritical(q, r)) return;
    const double length = navigator_.cost({.from = p, .to = q, .radius = r}, scratch_);
    if (!world_.isFree(p, r) || !world_.isFree(q, r)) {
      EXPECT_TRUE(std::isinf(length));
      return;
    }
    expectJoined(p, q, r, std::isfinite(length));
    // The slow shortest path of a disk takes milliseconds.
    if (std::isfinite(length) && random_.chance(0.02)) {
      EXPECT_GE(length, world_.lengthOfDisk(p, q) * (1 - 1e-5) - tolerance());
    }
  }
  void oneToMany() {
    const Point from = world_.drawFree(random_);
    std::vector<Point> goals;
    std::vector<Place> to;
    for (int i = 0; i < 4; ++i) {
      goals.push_back(world_.drawFree(random_));
      to.push_back(placeOf(goals.back()));
    }
    std::vector<double> costs(to.size());
    navigator_.costs(placeOf(from), to, 0, scratch_, costs);
    done(QueryKind::kOneToMany);
    for (size_t i = 0; i < to.size(); ++i) {
      SCOPED_TRACE(at(toVec2(from), toVec2(goals[i]), 0));
      expectLength(costs[i], from, goals[i]);
    }
  }
  void manyToMany() {
    std::array<Point, 2> from{};
    std::array<Point, 3> to{};
    std::vector<Place> rows;
    std::vector<Place> columns;
    for (Point& p : from) rows.push_back(placeOf(p = world_.drawFree(random_)));
    for (Point& p : to) columns.push_back(placeOf(p = world_.drawFree(random_)));
    std::array<double, 6> costs{};
    navigator_.costMatrix(rows, columns, 0, scratch_, costs);
    done(QueryKind::kManyToMany);
    for (size_t i = 0; i < from.size(); ++i) {
      for (size_t k = 0; k < to.size(); ++k) {
        SCOPED_TRACE(at(toVec2(from[i]), toVec2(to[k]), 0));
        expectLength(costs[i * to.size() + k], from[i], to[k]);
      }
    }
  }
  // Corners of cells on slanted walls are rounded, so that a place on such a wall may be beside it.
  static bool isOn(const NavMesh& mesh, CellId cell, Vec2 metres) {
    const Vec2 p = mesh.lattice().toUnits(metres);
    if (contains(mesh, cell, p)) return true;
    for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
      if (distanceToSegment(p, startPoint(mesh, s), endPoint(mesh, s)) < 1e-8) return true;
    }
    return false;
  }
  // A cell is reached if a place of it is, and no sooner than its nearest place.
  void within() {
    const Point from = world_.drawFree(random_);
    const double limit = random_.real(0, 1) * world_.size;
    std::vector<ReachedCell> cells;
    if (!navigator_.within(placeOf(from), limit, scratch_, cells)) return;
    done(QueryKind::kWithin);
    const NavMesh& mesh = navigator_.mesh();
    std::vector<double> reached(mesh.cellCount(), kNowhere);
    double last = 0;
    for (const ReachedCell& cell : cells) {
      EXPECT_LE(cell.distance, limit + 1e-9);
      EXPECT_GE(cell.distance, last);
      last = cell.distance;
      reached[cell.cell] = cell.distance;
    }
    for (int i = 0; i < 6; ++i) {
      const Point to = world_.drawFree(random_);
      if (navigator_.locate(placeOf(to)) == kNone) continue;
      SCOPED_TRACE(at(toVec2(from), toVec2(to), limit));
      const double truth = world_.length(from, to);
      // Of the cells around a place where areas only touch, some may be out of reach.
      double soonest = kNowhere;
      double latest = kNowhere;
      for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
        if (!std::isfinite(reached[cell]) || !isOn(mesh, cell, toVec2(to))) continue;
        double outline = 0;
        for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
          outline += distance(mesh.vertex(mesh.startVertex(s)), mesh.vertex(mesh.endVertex(s))) * mesh.lattice().unit;
        }
        soonest = std::min(soonest, reached[cell]);
        // From the nearest place of the cell it is at most half of the outline.
        latest = std::min(latest, reached[cell] + 0.5 * outline);
      }
      if (truth <= limit - tolerance()) {
        EXPECT_LE(soonest, truth + tolerance());
      }
      EXPECT_LE(truth, latest + tolerance());
    }
  }

  // --- Ends ---

  void snap() {
    PathQuery query = drawQuery();
    const Vec2 p = query.from.top();
    const Vec2 q = query.to.top();
    if (world_.isCritical(p, query.radius) || world_.isCritical(q, query.radius)) return;
    SCOPED_TRACE(at(p, q, query.radius));
    Route route;
    const PathStatus plain = navigator_.plan(query, scratch_, route);
    const double length = route.length;
    query.snap = 2 * world_.size;
    const PathStatus snapped = navigator_.plan(query, scratch_, route);
    done(QueryKind::kSnap);
    if (plain == PathStatus::kFound) {
      EXPECT_EQ(snapped, PathStatus::kFound);
      EXPECT_EQ(route.length, length);
      EXPECT_EQ(route.startMoved + route.goalMoved, 0);
    }
    if (snapped != PathStatus::kFound) return;
    const auto any = [](Vec2) { return true; };
    EXPECT_NEAR(route.startMoved, world_.toNearest(p, query.radius, any), tolerance());
    EXPECT_NEAR(route.goalMoved, world_.toNearest(q, query.radius, any), tolerance());
    EXPECT_NEAR(route.startMoved, distance(p, top(route.points.front())), 1e-6);
    EXPECT_NEAR(route.goalMoved, distance(q, top(route.points.back())), 1e-6);
    snapOthers(query);
  }
  // Each query asked with snapping is the one from the nearest place.
  void snapOthers(const PathQuery& query) {
    const Vec2 q = query.to.top();
    const double r = query.radius;
    const auto near = navigator_.nearest(query.from, r, query.snap, scratch_);
    const auto nearPoint = navigator_.nearest(query.from, 0, query.snap, scratch_);
    ASSERT_TRUE(near && nearPoint);
    const Place start(top(near->place));
    const Place point(top(nearPoint->place));
    const auto expectMoved = [&](double moved) { EXPECT_NEAR(scratch_.startMoved, moved, 1e-9); };
    const auto ray = navigator_.castRay(start, q, r, scratch_);
    const auto ray2 = navigator_.castRay(query.from, q, r, scratch_, query.snap);
    expectMoved(near->moved);
    const auto slide = navigator_.slide(start, q, r, scratch_);
    const auto slide2 = navigator_.slide(query.from, q, r, scratch_, query.snap);
    expectMoved(near->moved);
    // A place on a slanted wall may be on the mesh only as snapping has found it.
    ASSERT_TRUE(ray2 && slide2);
    if (ray && slide && !isEcm()) {
      EXPECT_NEAR(ray2->distance, ray->distance, 1e-6);
      EXPECT_NEAR(slide2->length, slide->length, 1e-6);
    }
    const auto wall = navigator_.nearestWall(query.from, kNowhere, scratch_, query.snap);
    expectMoved(nearPoint->moved);
    ASSERT_TRUE(wall);
    EXPECT_NEAR(wall->distance, world_.toWalls(point.top()), tolerance());
    const auto reached = navigator_.nearestReachable(query.from, q, r, kNowhere, scratch_, query.snap);
    expectMoved(near->moved);
    ASSERT_TRUE(reached);
    const auto drawn = navigator_.randomPlace({.from = query.from, .radius = r, .snap = query.snap}, 5, scratch_);
    expectMoved(near->moved);
    if (drawn && !isEcm()) {
      PathQuery there = query;
      there.to = drawn->place;
      EXPECT_EQ(navigator_.reachable(there, scratch_), PathStatus::kFound);
      expectMoved(near->moved);
    }
    std::vector<ReachedCell> cells;
    EXPECT_TRUE(navigator_.within(query.from, world_.size, scratch_, cells, query.snap));
    expectMoved(nearPoint->moved);
    const std::array<Place, 2> goals{query.to, query.from};
    std::array<double, 2> costs{};
    std::array<double, 2> moved{};
    navigator_.costs(query.from, goals, 0, scratch_, costs, query.snap, moved);
    const auto goal = navigator_.nearest(query.to, 0, query.snap, scratch_);
    ASSERT_TRUE(goal);
    EXPECT_NEAR(moved[0], goal->moved, 1e-9);
    EXPECT_NEAR(moved[1], nearPoint->moved, 1e-9);
    EXPECT_NEAR(costs[1], 0, 1e-6);
    const PathQuery pointQuery{.from = query.from, .to = query.to, .snap = query.snap};
    const double cost = navigator_.cost(pointQuery, scratch_);
    expectMoved(nearPoint->moved);
    EXPECT_NEAR(scratch_.goalMoved, goal->moved, 1e-9);
    EXPECT_TRUE(costs[0] == cost || std::abs(costs[0] - cost) < 1e-6 * (1 + cost)) << costs[0] << " and " << cost;
    std::array<double, 4> matrix{};
    navigator_.costMatrix(goals, goals, 0, scratch_, matrix, query.snap);
    EXPECT_TRUE(matrix[2] == costs[0] || std::abs(matrix[2] - costs[0]) < 1e-6 * (1 + cost));
  }

  void partial() {
    const double r = pointOrDisk();
    const Vec2 p = world_.drawAround(random_);
    const Vec2 q = world_.drawAround(random_);
    if (!world_.isFree(p, r) || world_.isCritical(p, r) || world_.isCritical(q, r)) return;
    SCOPED_TRACE(at(p, q, r));
    const auto reached = navigator_.nearestReachable(p, q, r, 10 * world_.size, scratch_);
    ASSERT_TRUE(reached);
    done(QueryKind::kPartial);
    const double truth = r > 0 ? world_.toNearest(q, r, [&](Vec2 place) { return world_.isJoined(p, place, r); })
                               : world_.toPart(q, world_.partOf(p));
    EXPECT_NEAR(reached->moved, truth, tolerance());
    Route route;
    PathQuery query{.from = p, .to = q, .radius = r, .snap = 0, .partial = true};
    const PathStatus status = navigator_.plan(query, scratch_, route);
    if (!world_.isFree(q, r)) return;
    ASSERT_EQ(status, PathStatus::kFound);
    EXPECT_EQ(route.partial, truth > 0);
    EXPECT_NEAR(route.missing, truth, tolerance());
  }

  void reason() {
    const PathQuery query = drawQuery();
    const Vec2 p = query.from.top();
    const Vec2 q = query.to.top();
    const double r = query.radius;
    if (world_.isCritical(p, r) || world_.isCritical(q, r) || world_.isCritical(p, 0) || world_.isCritical(q, 0))
      return;
    SCOPED_TRACE(at(p, q, r));
    const NoRoute why = navigator_.explain(query, scratch_);
    done(QueryKind::kReason);
    NoRouteReason truth = NoRouteReason::kNone;
    if (!world_.isInside(p) || !world_.isInside(q)) {
      truth = NoRouteReason::kOffMesh;
      EXPECT_EQ(why.atStart, !world_.isInside(p));
    } else if (!world_.isFree(p, r) || !world_.isFree(q, r)) {
      truth = NoRouteReason::kTooNearWall;
      EXPECT_EQ(why.atStart, !world_.isFree(p, r));
      EXPECT_NEAR(why.distance, world_.toWalls(why.atStart ? p : q), tolerance());
    } else if (world_.partOf(p) != world_.partOf(q)) {
      truth = NoRouteReason::kNotConnected;
    } else if (!world_.isJoined(p, q, r)) {
      truth = NoRouteReason::kTooNarrow;
    }
    if (why.reason != truth && r > 0 && !world_.isClearlyJoined(p, q, truth == NoRouteReason::kNone)) return;
    EXPECT_STREQ(reasonName(why.reason), reasonName(truth));
    if (truth != NoRouteReason::kTooNarrow || !random_.chance(0.05)) return;
    EXPECT_LT(why.width, 2 * r);
    EXPECT_TRUE(DiskOracle(world_.walls, 0.5 * why.width * (1 - 1e-3)).length(p, q) < kNowhere);
    EXPECT_FALSE(DiskOracle(world_.walls, 0.5 * why.width * (1 + 1e-3)).length(p, q) < kNowhere);
  }

  PathQuery drawQuery() {
    PathQuery query;
    query.from = Place(world_.drawAround(random_));
    query.to = Place(world_.drawAround(random_));
    query.radius = pointOrDisk();
    return query;
  }
  void expectJoined(Vec2 p, Vec2 q, double r, bool joined) const {
    if (world_.isJoined(p, q, r) == joined) return;
    EXPECT_FALSE(r == 0 || world_.isClearlyJoined(p, q, !joined)) << (joined ? "joined" : "not joined");
  }
  std::string at(Vec2 p, Vec2 q, double r) const {
    return world_.generator + ", radius " + std::to_string(r) + ", " + std::to_string(p.x) + "," + std::to_string(p.y) +
           " to " + std::to_string(q.x) + "," + std::to_string(q.y);
  }

  const QueryWorld& world_;
  const Navigator& navigator_;
  Random& random_;
  PlanScratch& scratch_;
  QueryCount& count_;
};

inline void checkQueries(uint64_t seed, uint64_t number, int rounds, QueryCount& count) {
  SCOPED_TRACE("seed " + std::to_string(seed) + ", world " + std::to_string(number));
  const std::optional<QueryWorld> world = QueryWorld::make(seed, number);
  if (!world) return;
  Random random(seed + 1, number);
  PlanScratch scratch;
  QueryCheck check(*world, random, scratch, count);
  for (int i = 0; i < rounds && !::testing::Test::HasFailure(); ++i) check.run();
}

}  // namespace wend
