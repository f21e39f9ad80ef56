#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <wend/generate.h>
#include <wend/navigator.h>

#include "base/random.h"
#include "geometry/vec2.h"
#include "planning/clearance/distances.h"
#include "tests/planning/clearance/check.h"
#include "tests/planning/disk/oracle.h"

// A small random world with a navigator of one generator, and what is true in it by a look at all its walls.
namespace wend {

inline constexpr double kNowhere = std::numeric_limits<double>::infinity();

class QueryWorld {
 public:
  std::string generator;
  Navigator navigator;
  double size = 0;
  double radius = 0;  // of the disks whose ways are known
  std::vector<OracleWall> walls;

  // Metres (the lattice unit of the walls is 1 m). Inside counts crossings to the right.
  double toWalls(Vec2 p) const { return toWalls(p, walls); }
  bool isInside(Vec2 p) const { return isInside(p, walls); }
  bool isFree(Vec2 p, double r) const { return isInside(p) && toWalls(p) >= r; }
  // A wall is so near to being as far as the radius that rounding decides.
  bool isCritical(Vec2 p, double r) const { return std::abs(toWalls(p) - r) < 1e-5; }
  Vec2 drawAround(Random& random) const { return {random.real(-0.2, 1.2) * size, random.real(-0.2, 1.2) * size}; }
  double drawRadius(Random& random) const { return 0.01 * size * std::pow(10.0, random.real()); }
  Point drawFree(Random& random) const { return randomFreePoint(random, *space_, walls); }

  // The shortest path of a point between lattice points.
  double length(Point from, Point to) const { return space_->length(from, to); }

  // Whether a point, or a disk of the world's radius, gets from one free place to another.
  bool isJoined(Vec2 p, Vec2 q, double r) const { return r > 0 ? disks_->isJoined(p, q) : partOf(p) == partOf(q); }
  // The answer is the same for disks that are a little smaller and larger.
  bool isClearlyJoined(Vec2 p, Vec2 q, bool joined) const {
    DiskOracle smaller(walls, radius * (1 - 1e-5));
    DiskOracle larger(walls, radius * (1 + 1e-5));
    return smaller.isJoined(p, q) == joined && larger.isJoined(p, q) == joined;
  }
  double lengthOfDisk(Vec2 p, Vec2 q) const { return disks_->length(p, q); }

  // How far away the nearest place is where a disk fits and that `accepts`. Such a place is p itself, or it lies at the
  // radius from a wall or a corner and is the nearest of its line or circle, or it lies at the radius from two.
  template <typename Accepts>
  double toNearest(Vec2 p, double r, const Accepts& accepts) const {
    if (isFree(p, r) && accepts(p)) return 0;
    std::vector<std::pair<double, Vec2>> places;
    const auto add = [&](Vec2 q) { places.push_back({distance(p, q), q}); };
    struct Line {
      Vec2 a, b;
    };
    std::vector<Line> lines;
    std::vector<Vec2> corners;
    for (const OracleWall& wall : walls) {
      const Vec2 a = toVec2(wall.a);
      const Vec2 b = toVec2(wall.b);
      const Vec2 off = r * leftOf(direction(b - a, {1, 0}));
      lines.push_back({a + off, b + off});
      add(closestOnSegment(p, a + off, b + off));
      if (r == 0) continue;
      corners.push_back(a);
      add(a + r * direction(p - a, {1, 0}));
    }
    if (r > 0) {
      for (size_t i = 0; i < lines.size(); ++i) {
        for (size_t k = 0; k < i; ++k) {
          const Vec2 u = lines[i].b - lines[i].a;
          const Vec2 w = lines[k].b - lines[k].a;
          const double turn = cross(u, w);
          if (turn != 0) add(lines[i].a + (cross(lines[k].a - lines[i].a, w) / turn) * u);
        }
        for (const Vec2 c : corners) {
          const Vec2 u = direction(lines[i].b - lines[i].a, {1, 0});
          const double along = dot(c - lines[i].a, u);
          const Vec2 foot = lines[i].a + along * u;
          const double rest = r * r - dot(c - foot, c - foot);
          if (rest < 0) continue;
          for (const double by : {std::sqrt(rest), -std::sqrt(rest)}) add(foot + by * u);
        }
      }
      for (size_t i = 0; i < corners.size(); ++i) {
        for (size_t k = 0; k < i; ++k) {
          const Vec2 middle = 0.5 * (corners[i] + corners[k]);
          const double half = 0.5 * distance(corners[i], corners[k]);
          if (half == 0 || half > r) continue;
          const Vec2 side = leftOf(direction(corners[k] - corners[i], {1, 0}));
          for (const double by : {1.0, -1.0}) add(middle + by * std::sqrt(r * r - half * half) * side);
        }
      }
    }
    const auto isLater = [](const auto& a, const auto& b) { return a.first > b.first; };
    std::make_heap(places.begin(), places.end(), isLater);
    for (; !places.empty(); places.pop_back()) {
      std::pop_heap(places.begin(), places.end(), isLater);
      const auto [away, place] = places.back();
      if (toWalls(place) < r - 1e-9) continue;
      // On the border of free space itself nothing is inside.
      if (r > 0 && !isInside(place)) continue;
      if (accepts(place)) return away;
    }
    return kNowhere;
  }

  // Of the environment's polygons, the one that a place is in or nearest to.
  size_t partOf(Vec2 p) const {
    size_t best = 0;
    double least = kNowhere;
    for (size_t i = 0; i < parts_.size(); ++i) {
      const double away = isInside(p, parts_[i]) ? -toWalls(p, parts_[i]) : toWalls(p, parts_[i]);
      if (away >= least) continue;
      least = away;
      best = i;
    }
    return best;
  }
  // Of a point that starts in that part.
  double toPart(Vec2 p, size_t part) const { return isInside(p, parts_[part]) ? 0 : toWalls(p, parts_[part]); }

  static std::optional<QueryWorld> make(uint64_t seed, uint64_t world) {
    Random random(seed, world);
    const std::optional<Environment> environment = randomEnvironment(random);
    if (!environment || environment->layers[0].free.empty()) return std::nullopt;
    static const std::vector<std::string> generators{"delaunay", "hertel-mehlhorn", "neogen", "trapezoid", "ecm"};
    QueryWorld out;
    out.walls = wallsOf(environment->layers[0].free);
    for (const Polygon& polygon : environment->layers[0].free) out.parts_.push_back(wallsOf({polygon}));
    out.size = boundingBox(*environment).max.x;
    out.radius = out.drawRadius(random);
    out.generator = generators[world % generators.size()];
    out.space_ = std::make_shared<VisibilityOracle>(out.walls);
    out.disks_ = std::make_shared<DiskOracle>(out.walls, out.radius);
    Context serial;
    serial.threads = 1;
    Result<World> baked = bake(refineLattice(*environment), {.generator = out.generator}, serial);
    if (!baked.ok()) return std::nullopt;
    out.navigator = makeNavigator(*baked);
    return out;
  }

 private:
  static double toWalls(Vec2 p, const std::vector<OracleWall>& walls) {
    double best = kNowhere;
    for (const OracleWall& wall : walls) best = std::min(best, distanceToSegment(p, toVec2(wall.a), toVec2(wall.b)));
    return best;
  }
  static bool isInside(Vec2 p, const std::vector<OracleWall>& walls) {
    bool inside = false;
    for (const OracleWall& wall : walls) {
      const Vec2 a = toVec2(wall.a);
      const Vec2 b = toVec2(wall.b);
      if ((a.y <= p.y) != (b.y <= p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x)) inside = !inside;
    }
    return inside;
  }

  std::vector<std::vector<OracleWall>> parts_;
  std::shared_ptr<const VisibilityOracle> space_;
  std::shared_ptr<DiskOracle> disks_;
};

}  // namespace wend
