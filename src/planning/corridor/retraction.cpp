#include "planning/corridor/retraction.h"

#include <array>

#include "geometry/vec2.h"

namespace wend {

namespace {

struct Nearest {
  uint32_t arc;
  bool left;
  Vec2 point;
  double distance;
};

// The nearest obstacle point among the two that bound a cell.
Nearest nearestOfCell(const CorridorMap& map, uint32_t arc, Vec2 q) {
  const CorridorMap::BendingPoint& a = map.bendingPoints[arc];
  const CorridorMap::BendingPoint& b = map.bendingPoints[arc + 1];
  const Vec2 l = closestOnSegment(q, a.l, b.l);
  const Vec2 r = closestOnSegment(q, a.r, b.r);
  const double left = distance(l, q);
  const double right = distance(r, q);
  return left <= right ? Nearest{arc, true, l, left} : Nearest{arc, false, r, right};
}

// Cells of a mesh approximate those of the map, so the point may lie just across a border: the neighbour with the
// nearer obstacle is then the right one.
Nearest settle(const CorridorGraph& graph, uint32_t arc, Vec2 q) {
  Nearest best = nearestOfCell(graph.map(), arc, q);
  constexpr int kSteps = 8;
  for (int step = 0; step < kSteps; ++step) {
    const DirectedArc d = 2 * best.arc;
    const std::array<DirectedArc, 4> beside{graph.next(d), graph.prev(d), graph.next(d ^ 1), graph.prev(d ^ 1)};
    bool moved = false;
    for (const DirectedArc other : beside) {
      if (other == kNone) continue;
      const Nearest n = nearestOfCell(graph.map(), other >> 1, q);
      if (n.distance < best.distance) {
        best = n;
        moved = true;
      }
    }
    if (!moved) break;
  }
  return best;
}

// The direction in which the point moves away from its nearest obstacle.
Vec2 awayFrom(const CorridorMap& map, const Nearest& n, Vec2 q) {
  const CorridorMap::Site& site = map.sites[n.left ? map.arcs[n.arc].left : map.arcs[n.arc].right];
  if (site.kind == CorridorMap::SiteKind::kSegment) {
    const Vec2 d = toVec2(site.b) - toVec2(site.a);
    return (1 / length(d)) * Vec2{-d.y, d.x};
  }
  if (n.distance > 0) return (1 / n.distance) * (q - n.point);
  // On the obstacle's vertex every direction into the cell is right.
  for (const uint32_t i : {n.arc, n.arc + 1}) {
    const Vec2 d = map.bendingPoints[i].p - n.point;
    if (length(d) > 0) return (1 / length(d)) * d;
  }
  return {1, 0};
}

// How far from a in direction u the other site is as near as a.
double distanceToAxis(const CorridorMap::Site& other, Vec2 a, Vec2 u) {
  if (other.kind == CorridorMap::SiteKind::kPoint) {
    const Vec2 d = toVec2(other.a) - a;
    return dot(d, d) / (2 * dot(u, d));
  }
  const Vec2 d = toVec2(other.b) - toVec2(other.a);
  const Vec2 m = (1 / length(d)) * Vec2{-d.y, d.x};
  return dot(m, a - toVec2(other.a)) / (1 - dot(m, u));
}

}  // namespace

AxisPoint axisPoint(const CorridorGraph& graph, uint32_t arc, double u) {
  const CorridorMap& map = graph.map();
  const ecm::ArcCurve curve = graph.curve(arc);
  AxisPoint out;
  out.edge = graph.edgeOf(arc);
  out.arc = arc;
  out.u = std::clamp(u, curve.begin(), curve.end());
  const bool atBegin = out.u == curve.begin();
  const bool atEnd = !atBegin && out.u == curve.end();
  if (atBegin || atEnd) {
    const CorridorMap::BendingPoint& b = map.bendingPoints[arc + (atEnd ? 1 : 0)];
    out.p = b.p;
    out.clearance = b.clearance;
    out.along = graph.along(arc + (atEnd ? 1 : 0));
  } else {
    out.p = curve.position(out.u);
    out.clearance = curve.clearance(out.u);
    out.along = graph.along(arc) + std::min(map.arcs[arc].length, curve.lengthBetween(curve.begin(), out.u));
  }
  const auto least = [&](double from, double to) { return curve.clearance(curve.narrowestBetween(from, to)); };
  out.leastToStart = atBegin ? graph.leastToStart(arc)
                             : std::min({graph.leastToStart(arc), out.clearance, least(curve.begin(), out.u)});
  out.leastToEnd = atEnd ? graph.leastToEnd(arc + 1)
                         : std::min({graph.leastToEnd(arc + 1), out.clearance, least(out.u, curve.end())});
  return out;
}

namespace {

Retraction placeAt(const CorridorMap& map, const Nearest& n, Vec2 units) {
  Retraction place;
  place.units = units;
  place.arc = n.arc;
  place.site = n.left ? map.arcs[n.arc].left : map.arcs[n.arc].right;
  place.nearest = n.point;
  place.clearance = n.distance;
  return place;
}

}  // namespace

Retraction nearestInCorridor(const CorridorGraph& graph, Vec2 units, uint32_t arc) {
  return placeAt(graph.map(), settle(graph, arc, units), units);
}

namespace {

// Where the ray from the nearest obstacle through a point meets the arc.
double axisParameter(const CorridorMap& map, const ecm::ArcCurve& curve, const Nearest& n, Vec2 units) {
  const CorridorMap::Arc& a = map.arcs[n.arc];
  const Vec2 away = awayFrom(map, n, units);
  const double t = distanceToAxis(map.sites[n.left ? a.right : a.left], n.point, away);
  if (t >= 0 && t < 4.0 * kMaxCoordinate) return curve.parameter(n.point + t * away);
  // The ray runs beside the axis: it leaves the cell at the end whose obstacle point is nearer.
  const CorridorMap::BendingPoint& begin = map.bendingPoints[n.arc];
  const CorridorMap::BendingPoint& end = map.bendingPoints[n.arc + 1];
  const double toBegin = distance(n.left ? begin.l : begin.r, n.point);
  const double toEnd = distance(n.left ? end.l : end.r, n.point);
  return toBegin <= toEnd ? curve.begin() : curve.end();
}

}  // namespace

Retraction retract(const CorridorGraph& graph, Vec2 units, uint32_t arc) {
  const CorridorMap& map = graph.map();
  const Nearest n = settle(graph, arc, units);
  Retraction place = placeAt(map, n, units);
  place.axis = axisPoint(graph, n.arc, axisParameter(map, graph.curve(n.arc), n, units));
  return place;
}

CorridorDisk diskInCorridor(const CorridorGraph& graph, Vec2 units, uint32_t arc) {
  const CorridorMap& map = graph.map();
  const Nearest n = settle(graph, arc, units);
  const ecm::ArcCurve curve = graph.curve(n.arc);
  const double u = axisParameter(map, curve, n, units);
  const CorridorMap::BendingPoint& begin = map.bendingPoints[n.arc];
  const CorridorMap::BendingPoint& end = map.bendingPoints[n.arc + 1];
  if (u <= curve.begin()) return {n.point, n.distance, begin.p, begin.clearance};
  if (u >= curve.end()) return {n.point, n.distance, end.p, end.clearance};
  return {n.point, n.distance, curve.position(u), curve.clearance(u)};
}

double leastClearanceBetween(const CorridorGraph& graph, const AxisPoint& a, const AxisPoint& b) {
  const bool ordered = a.arc < b.arc || (a.arc == b.arc && a.u <= b.u);
  const AxisPoint& first = ordered ? a : b;
  const AxisPoint& second = ordered ? b : a;
  const auto within = [&](uint32_t arc, double from, double to) {
    const ecm::ArcCurve curve = graph.curve(arc);
    return curve.clearance(curve.narrowestBetween(from, to));
  };
  double least = std::min(a.clearance, b.clearance);
  if (first.arc == second.arc) return std::min(least, within(first.arc, first.u, second.u));
  least = std::min(least, within(first.arc, first.u, graph.curve(first.arc).end()));
  for (uint32_t i = first.arc + 1; i < second.arc; ++i) least = std::min(least, graph.map().arcs[i].minClearance);
  return std::min(least, within(second.arc, graph.curve(second.arc).begin(), second.u));
}

}  // namespace wend
