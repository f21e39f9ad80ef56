#pragma once

#include <gtest/gtest.h>
#include <polyclipping/clipper.hpp>

#include "geometry/predicates.h"
#include "geometry/vec2.h"
#include "planning/corridor/bottleneck.h"
#include "planning/corridor/indicative_route.h"
#include "planning/visibility/axis_sight.h"
#include "planning/visibility/axis_visibility_polygon.h"
#include "tests/planning/corridor/world.h"

// The laws of the corridor map's operations on random worlds, against all walls.
namespace wend {

inline constexpr double kExact = 1e-4;  // lattice units: 10 nanometres

inline void checkPlaces(bool fine, uint64_t seed, int worlds) {
  Random random(seed);
  int points = 0;
  for (int i = 0; i < worlds; ++i) {
    const auto world = CorridorWorld::random(random, fine);
    if (!world) continue;
    for (int k = 0; k < 20; ++k) {
      const Vec2 q = toVec2(world->randomFree(random));
      const auto place = world->place(q);
      ASSERT_TRUE(place) << "no cell at " << q.x << ", " << q.y << " in world " << i;
      ++points;
      ASSERT_NEAR(place->clearance, world->clearance(q), kExact);
      ASSERT_NEAR(distance(place->nearest, q), place->clearance, kExact);
      const AxisPoint& axis = place->axis;
      ASSERT_GE(axis.clearance, place->clearance - kExact) << "world " << i << " at " << q.x << ", " << q.y;
      ASSERT_NEAR(axis.clearance, world->clearance(axis.p), 10 * kExact) << "world " << i;
      ASSERT_NEAR(distance(axis.p, q) + place->clearance, axis.clearance, 10 * kExact) << "world " << i;
      // Twice is once.
      const Retraction again = retract(*world->graph, axis.p, axis.arc);
      ASSERT_LT(distance(again.axis.p, axis.p), 10 * kExact) << "world " << i << " at " << q.x << ", " << q.y;
      ASSERT_LE(axis.leastToStart, axis.clearance);
      ASSERT_LE(axis.leastToEnd, axis.clearance);
    }
  }
  EXPECT_GT(points, 10 * worlds);
}

// Distance along the ray from p in direction d to the first wall, by all walls.
inline double castRay(const std::vector<WorldWall>& walls, Vec2 p, Vec2 d) {
  double best = std::numeric_limits<double>::infinity();
  for (const WorldWall& w : walls) {
    const Vec2 e = w.b - w.a;
    const double denominator = cross(d, e);
    if (denominator == 0) continue;
    const double t = cross(w.a - p, e) / denominator;
    const double u = cross(w.a - p, d) / denominator;
    if (t > 0 && u >= 0 && u <= 1) best = std::min(best, t);
  }
  return best;
}

inline double areaOf(const std::vector<ViewPoint>& polygon) {
  double sum = 0;
  for (size_t i = 0; i < polygon.size(); ++i) {
    const Vec2 a = polygon[i].units - polygon[0].units;
    const Vec2 b = polygon[(i + 1) % polygon.size()].units - polygon[0].units;
    sum += cross(a, b);
  }
  return 0.5 * sum;
}

// Exact by directions: between the directions of two neighbouring wall ends only one wall is seen.
inline double areaByRays(const std::vector<WorldWall>& walls, Vec2 p) {
  std::vector<double> angles;
  for (const WorldWall& w : walls) angles.push_back(std::atan2(w.a.y - p.y, w.a.x - p.x));
  std::sort(angles.begin(), angles.end());
  angles.push_back(angles.front() + 2 * M_PI);
  double area = 0;
  for (size_t i = 0; i + 1 < angles.size(); ++i) {
    const double turned = angles[i + 1] - angles[i];
    if (turned < 1e-12) continue;
    const double middle = 0.5 * (angles[i] + angles[i + 1]);
    const Vec2 d{std::cos(middle), std::sin(middle)};
    double best = std::numeric_limits<double>::infinity();
    const WorldWall* seen = nullptr;
    for (const WorldWall& w : walls) {
      const double t = castRay({w}, p, d);
      if (t < best) {
        best = t;
        seen = &w;
      }
    }
    if (seen == nullptr) return -1;
    const auto onWall = [&](double angle) {
      const Vec2 r{std::cos(angle), std::sin(angle)};
      const Vec2 e = seen->b - seen->a;
      return (cross(seen->a - p, e) / cross(r, e)) * r;
    };
    area += 0.5 * cross(onWall(angles[i]), onWall(angles[i + 1]));
  }
  return area;
}

inline bool properlyCrosses(const WorldWall& w, Point a, Point b) {
  const Vec2 p = toVec2(a);
  const Vec2 q = toVec2(b);
  return orient(p, q, w.a) * orient(p, q, w.b) < 0 && orient(w.a, w.b, p) * orient(w.a, w.b, q) < 0;
}

inline void checkSight(bool fine, uint64_t seed, int worlds) {
  Random random(seed);
  QueryStamp stamp;
  int visible = 0;
  int blocked = 0;
  for (int i = 0; i < worlds; ++i) {
    const auto world = CorridorWorld::random(random, fine);
    if (!world) continue;
    for (int k = 0; k < 15; ++k) {
      const Point s = world->randomFree(random);
      const Point g = world->randomFree(random);
      const auto from = world->place(toVec2(s));
      const auto to = world->place(toVec2(g));
      ASSERT_TRUE(from && to);
      stamp.advance();
      CorridorSightScratch fresh;
      const CorridorSight sight = lookAlong(*world->graph, *from, *to, 0, stamp, fresh);
      const double truth = world->clearance(toVec2(s), toVec2(g));
      const bool crossed = std::any_of(world->walls.begin(), world->walls.end(),
                                       [&](const WorldWall& w) { return properlyCrosses(w, s, g); });
      if (crossed) {
        ASSERT_FALSE(sight.visible && sight.clearance > 0.01)
            << "world " << i << ": " << s.x << ", " << s.y << " to " << g.x << ", " << g.y;
        ++blocked;
      } else if (truth > 0.01) {
        ASSERT_TRUE(sight.visible) << "world " << i << ": " << s.x << ", " << s.y << " to " << g.x << ", " << g.y;
        ASSERT_NEAR(sight.clearance, truth, 1e-3) << "world " << i;
        ASSERT_NEAR(world->clearance(sight.narrowest), truth, 1e-3);
        // Stopping early gives the same answer about a radius.
        stamp.advance();
        CorridorSightScratch second;
        EXPECT_FALSE(lookAlong(*world->graph, *from, *to, 1.01 * truth, stamp, second).visible);
        ++visible;
      }
    }
  }
  EXPECT_GT(visible, worlds);
  EXPECT_GT(blocked, worlds);
}

inline void checkView(bool fine, uint64_t seed, int worlds) {
  Random random(seed);
  VisibilityScratch scratch;
  for (int i = 0; i < worlds; ++i) {
    const auto world = CorridorWorld::random(random, fine);
    if (!world) continue;
    for (int k = 0; k < 10; ++k) {
      const Vec2 q = toVec2(world->randomFree(random));
      const auto place = world->place(q);
      ASSERT_TRUE(place);
      seeFrom(*world->graph, *place, 0, scratch);
      const std::vector<ViewPoint> polygon = scratch.points;
      const double truth = areaByRays(world->walls, q);
      double farthest = 0;
      for (const ViewPoint& p : polygon) farthest = std::max(farthest, distance(p.units, q));
      // A viewpoint on the border of a piece is moved a little.
      ASSERT_NEAR(areaOf(polygon), truth, 1e-6 * truth + 1e-3 * farthest)
          << "world " << i << " from " << q.x << ", " << q.y;
      // Star-shaped, counter-clockwise, and walls lie on walls.
      for (size_t n = 0; n < polygon.size(); ++n) {
        const Vec2 a = polygon[n].units;
        const Vec2 b = polygon[(n + 1) % polygon.size()].units;
        ASSERT_GT(cross(a - q, b - q), -1e-2 * (distance(a, q) + distance(b, q))) << "world " << i;
        if (!polygon[n].window) {
          ASSERT_LT(world->clearance(0.5 * (a + b)), 0.01) << "world " << i;
        }
      }
      // Nothing of the limited view is farther than the range, and its area is that of the rays cut off.
      const double range = random.real(0.1, 1.5) * std::sqrt(truth);
      seeFrom(*world->graph, *place, range, scratch);
      const double limited = areaOf(scratch.points);
      ASSERT_LE(limited, truth * (1 + 1e-6));
      for (const ViewPoint& p : scratch.points) ASSERT_LE(distance(p.units, q), range * (1 + 1e-6) + 0.01);
      double expected = 0;
      constexpr int kRays = 720;
      for (int n = 0; n < kRays; ++n) {
        const double angle = 2 * M_PI * (n + 0.5) / kRays;
        const double reach = std::min(range, castRay(world->walls, q, {std::cos(angle), std::sin(angle)}));
        expected += 0.5 * reach * reach * (2 * M_PI / kRays);
      }
      ASSERT_NEAR(limited / expected, 1, 0.05) << "world " << i << " from " << q.x << ", " << q.y;
    }
  }
}

struct Planned {
  bool found = false;
  CorridorPath path;
};

inline Planned search(const CorridorWorld& world, const Retraction& s, const Retraction& g, double radius) {
  static CorridorSearchScratch scratch;
  static QueryStamp stamp;
  stamp.advance();
  Planned out;
  uint64_t expanded = 0;
  out.found = searchCorridor(*world.graph, s.axis, g.axis, radius, LengthCost{}, stamp, scratch, out.path, expanded);
  return out;
}

// Whether s and g lie in one part of the free space shrunk by r, by polygon offsetting.
class Shrunk {
 public:
  Shrunk(const Environment& environment, double r) {
    ClipperLib::ClipperOffset offset(2, 0.01);
    for (const Polygon& polygon : environment.layers[0].free) {
      offset.AddPath(pathOf(polygon.outer), ClipperLib::jtRound, ClipperLib::etClosedPolygon);
      for (const Ring& hole : polygon.holes) {
        offset.AddPath(pathOf(hole), ClipperLib::jtRound, ClipperLib::etClosedPolygon);
      }
    }
    offset.Execute(tree_, -r * kScale);
  }
  bool joins(Point s, Point g) const {
    const ClipperLib::PolyNode* a = partOf(s);
    return a != nullptr && a == partOf(g);
  }

 private:
  static constexpr int kScale = 4;
  static ClipperLib::IntPoint scaled(Point p) { return {int64_t{p.x} * kScale, int64_t{p.y} * kScale}; }
  static ClipperLib::Path pathOf(const Ring& ring) {
    ClipperLib::Path path;
    for (const Point p : ring) path.push_back(scaled(p));
    return path;
  }
  const ClipperLib::PolyNode* partOf(Point p) const { return partOf(p, tree_); }
  static const ClipperLib::PolyNode* partOf(Point p, const ClipperLib::PolyNode& above) {
    for (const ClipperLib::PolyNode* outer : above.Childs) {
      if (ClipperLib::PointInPolygon(scaled(p), outer->Contour) == 0) continue;
      for (const ClipperLib::PolyNode* hole : outer->Childs) {
        if (ClipperLib::PointInPolygon(scaled(p), hole->Contour) == 1) return partOf(p, *hole);
      }
      return outer;
    }
    return nullptr;
  }
  ClipperLib::PolyTree tree_;
};

// Returns how many questions had a clear answer.
inline int checkReach(bool fine, uint64_t seed, int worlds) {
  Random random(seed);
  int asked = 0;
  int yes = 0;
  for (int i = 0; i < worlds; ++i) {
    const auto world = CorridorWorld::random(random, fine);
    if (!world) continue;
    const CorridorBottleneck bottleneck(*world->graph);
    for (int k = 0; k < 4; ++k) {
      const double r = random.real(0.02, 0.12) * boundingBox(world->environment).max.x;
      // Rounding of the offset curves; radii within it of a critical one have no clear answer.
      const Shrunk wide(world->environment, r * 1.002 + 1);
      const Shrunk narrow(world->environment, r * 0.998 - 1);
      for (int n = 0; n < 6; ++n) {
        const Point s = world->randomFree(random);
        const Point g = world->randomFree(random);
        const bool truth = wide.joins(s, g);
        if (truth != narrow.joins(s, g)) continue;
        const auto from = world->place(toVec2(s));
        const auto to = world->place(toVec2(g));
        EXPECT_TRUE(from && to);
        if (!from || !to) return -1;
        const bool fits = from->clearance >= r && to->clearance >= r;
        const Planned planned = search(*world, *from, *to, r);
        EXPECT_EQ(fits && planned.found, truth)
            << "world " << i << " r " << r << ": " << s.x << ", " << s.y << " to " << g.x << ", " << g.y;
        EXPECT_EQ(bottleneck.between(*world->graph, from->axis, to->axis) >= r, planned.found);
        if (testing::Test::HasFailure()) return -1;
        ++asked;
        yes += truth;
      }
    }
  }
  EXPECT_GT(yes, asked / 20);
  EXPECT_LT(yes, asked);
  return asked;
}

// What the clearance of any part of a route is measured against: the least of the axis along its path.
inline double leastOf(const CorridorGraph& graph, const std::vector<CorridorPiece>& pieces) {
  double least = std::numeric_limits<double>::infinity();
  for (const CorridorPiece& piece : pieces) {
    const ecm::ArcCurve curve = graph.curve(piece.arc >> 1);
    const double low = std::min(piece.from, piece.to);
    const double high = std::max(piece.from, piece.to);
    least = std::min(least, curve.clearance(curve.narrowestBetween(low, high)));
  }
  return least;
}

inline int checkRoutes(bool fine, uint64_t seed, int worlds) {
  Random random(seed);
  CorridorRouteScratch scratch;
  int routes = 0;
  for (int i = 0; i < worlds; ++i) {
    const auto world = CorridorWorld::random(random, fine);
    if (!world) continue;
    const double size = boundingBox(world->environment).max.x;
    QueryStamp sightStamp;
    CorridorSightScratch sight;
    const double micron = 1e-6 / world->environment.lattice.unit;  // of a metre
    for (int k = 0; k < 8; ++k) {
      RouteEnds ends;
      const auto from = world->place(toVec2(world->randomFree(random)));
      const auto to = world->place(toVec2(world->randomFree(random)));
      EXPECT_TRUE(from && to);
      if (!from || !to) return -1;
      ends.start = *from;
      ends.goal = *to;
      const double fits = std::min(from->clearance, to->clearance);
      const double r = random.chance(0.3) ? 0 : random.real(0, 1) * fits;
      const Planned planned = search(*world, *from, *to, r);
      if (!planned.found) continue;
      const double c = random.chance(0.3) ? r : r + random.real(0, 0.15) * size;
      collectPieces(*world->graph, from->axis, to->axis, planned.path, scratch.pieces);
      const double axis = leastOf(*world->graph, scratch.pieces);
      std::optional<double> side;
      if (random.chance(0.4)) side = random.chance(0.3) ? 0 : random.real(-1, 1);
      makeRoute(*world->graph, ends, c, side, scratch);
      const std::vector<RoutePoint>& points = scratch.points;
      const std::string where = "world " + std::to_string(i) + " query " + std::to_string(k) + " r " +
                                std::to_string(r) + " c " + std::to_string(c);
      EXPECT_EQ(points.front().units, from->units) << where;
      EXPECT_EQ(points.back().units, to->units) << where;
      double length = 0;
      double clearance = std::numeric_limits<double>::infinity();
      for (size_t n = 0; n + 1 < points.size(); ++n) {
        length += distance(points[n].units, points[n + 1].units);
        clearance = std::min(clearance, world->clearance(points[n].units, points[n + 1].units));
      }
      EXPECT_GE(clearance, std::min({c, axis, fits}) - micron) << where;
      EXPECT_GE(clearance, r - 1e-4) << where;
      EXPECT_NEAR(routeClearance(*world->graph, points, sightStamp, sight), clearance, 1e-3) << where;
      const double onAxis = planned.path.cost + distance(from->units, from->axis.p) + distance(to->units, to->axis.p);
      if (!side) {
        EXPECT_LE(length, onAxis * (1 + 1e-4) + 1e-3) << where;
      }
      EXPECT_GE(length, distance(from->units, to->units) - 1e-6) << where;
      if (testing::Test::HasFailure()) return -1;
      ++routes;
    }
  }
  return routes;
}

}  // namespace wend
