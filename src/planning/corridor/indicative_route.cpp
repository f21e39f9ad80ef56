#include "planning/corridor/indicative_route.h"

#include "geometry/predicates.h"
#include "geometry/vec2.h"

namespace wend {

namespace {

// The point on the way from a place to the axis where the clearance is c, or as near to c as the way comes.
Vec2 withClearance(const Retraction& place, double c) {
  if (place.clearance >= c) return place.units;
  const double axis = place.axis.clearance;
  if (axis <= c) return place.axis.p;
  return between(place.units, place.axis.p, (c - place.clearance) / (axis - place.clearance));
}

// Whether a point has already passed a portal, or stands before it. The chord of a portal is not the annotation, so a
// point on the first annotation may be past the chords that follow.
enum class Stand : uint8_t { kBefore, kPast };
bool stands(Stand where, const CorridorPortal& portal, Vec2 p) {
  if (distance(portal.axis, p) > portal.clearance) return false;
  const int sign = orient(portal.right, portal.left, p);
  return where == Stand::kPast ? sign < 0 : sign > 0;
}

class RouteWriter {
 public:
  explicit RouteWriter(std::vector<RoutePoint>& out) : out_(out) { out.clear(); }
  void add(const RoutePoint& point) {
    if (!out_.empty() && out_.back().units == point.units) return;
    while (out_.size() >= 2 && isStraight(out_[out_.size() - 2].units, out_.back().units, point.units)) out_.pop_back();
    out_.push_back(point);
  }

 private:
  static bool isStraight(Vec2 a, Vec2 b, Vec2 c) {
    // Rounding of interpolated points; far below what any clearance is measured in.
    constexpr double kStraight = 1e-5;
    const Vec2 d = c - a;
    const double size = length(d);
    if (!(size > 0) || dot(b - a, d) < 0 || dot(c - b, d) < 0) return false;
    return std::abs(cross(d, b - a)) <= kStraight * size;
  }
  std::vector<RoutePoint>& out_;
};

void shortRoute(Vec2 start, Vec2 goal, CorridorRouteScratch& s, RouteWriter& out) {
  size_t first = 0;
  size_t end = s.portals.size();
  while (first < end && stands(Stand::kPast, s.portals[first], start)) ++first;
  while (end > first && stands(Stand::kBefore, s.portals[end - 1], goal)) --end;
  s.string.clear();
  for (size_t i = first; i < end; ++i) s.string.push_back({s.portals[i].left, s.portals[i].right});
  pullString(s.string, start, goal, s.funnel, s.path);
  for (const Bend& bend : s.path.bends) {
    if (bend.vertex != kNone) out.add({bend.place, s.portals[first + bend.vertex].arc});
  }
}

void sideRoute(double side, const CorridorRouteScratch& s, RouteWriter& out) {
  for (const CorridorPortal& portal : s.portals) {
    const Vec2 edge = side < 0 ? portal.left : portal.right;
    out.add({between(portal.axis, edge, std::abs(side)), portal.arc});
  }
}

}  // namespace

void makeRoute(const CorridorGraph& graph, const RouteEnds& ends, double c, std::optional<double> side,
               CorridorRouteScratch& scratch) {
  RouteWriter out(scratch.points);
  out.add({ends.start.units, ends.start.arc});
  // Both on one way to the axis: they stand in one empty disk.
  const bool together = ends.start.axis.p == ends.goal.axis.p && scratch.pieces.size() <= 1;
  if (!together || side.has_value()) {
    collectPortals(graph, scratch.pieces, c, kAxisDeviation / graph.map().lattice.unit, scratch.steps, scratch.portals);
    const Vec2 start = withClearance(ends.start, c);
    const Vec2 goal = withClearance(ends.goal, c);
    out.add({start, ends.start.arc});
    if (side.has_value()) {
      sideRoute(*side, scratch, out);
    } else {
      shortRoute(start, goal, scratch, out);
    }
    out.add({goal, ends.goal.arc});
  }
  if (scratch.points.size() == 1 || !(ends.goal.units == scratch.points.back().units)) {
    out.add({ends.goal.units, ends.goal.arc});
  }
}

double routeClearance(const CorridorGraph& graph, const std::vector<RoutePoint>& points, QueryStamp& stamp,
                      CorridorSightScratch& scratch) {
  Retraction from = nearestInCorridor(graph, points.front().units, points.front().arc);
  double least = from.clearance;
  for (size_t i = 1; i < points.size(); ++i) {
    const Retraction to = nearestInCorridor(graph, points[i].units, points[i].arc);
    if (stamp.advance()) scratch.seenUpTo.wipe();
    least = std::min(least, lookAlong(graph, from, to, 0, stamp, scratch).clearance);
    from = to;
  }
  return least;
}

}  // namespace wend
