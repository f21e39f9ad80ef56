#include "crowd/ground.h"

#include <algorithm>
#include <cmath>

#include "geometry/predicates.h"
#include "geometry/vec2.h"
#include "mesh/cell_geometry.h"
#include "planning/clearance/distances.h"

namespace wend {
namespace {

// Lattice units: pieces of one straight wall lie this near to its line; the feet of medial axis cells are rounded.
constexpr double kStraight = 0.05;

// Share of a side by which a segment may miss it and still count as passing: where two sides meet, rounding must not
// let it slip between them.
constexpr double kMiss = 1e-7;

// Longer walks than this are rounding gone round in circles.
constexpr int kMaxCells = 10'000;

Vec2f unitDirection(Vec2 a, Vec2 b) {
  const Vec2 d = b - a;
  const double l = length(d);
  if (!(l > 0)) return {};
  return {static_cast<float>(d.x / l), static_cast<float>(d.y / l)};
}

}  // namespace

Ground::Ground(const NavMesh& mesh) : mesh_(mesh), sides_(mesh.sideCount()), flags_(mesh.cellCount()) {
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    sides_[s] = {startPoint(mesh, s), endPoint(mesh, s), mesh.neighbour(s), mesh.twin(s), kNone};
  }
  markShapes();
  markConnections();
  joinWalls();
  numberComponents();
}

void Ground::markShapes() {
  // A cell of a medial axis is reflex only at its points of the axis, whose empty disks cover what a straight walk cuts
  // off there.
  const bool axis = mesh_.corridorMap() != nullptr;
  for (CellId cell = 0; cell < mesh_.cellCount(); ++cell) {
    bool convex = true;
    for (SideId s = mesh_.firstSide(cell); s != mesh_.endSide(cell); ++s) {
      convex = convex && orient(sides_[s].from, sides_[s].to, sides_[mesh_.nextSide(s)].to) >= 0;
    }
    if (convex) flags_[cell] |= kConvex;
    if (convex || axis) flags_[cell] |= kOpen;
  }
}

void Ground::markConnections() {
  struct Visit {
    double length;
    SideId entry;
  };
  const auto later = [](const Visit& a, const Visit& b) { return a.length > b.length; };
  std::vector<Visit> open;
  for (SideId s = 0; s < sides_.size(); ++s) {
    if (sides_[s].twin == kNone) continue;
    const CellId here = mesh_.cellOf(s);
    if (mesh_.layerOf(here) != mesh_.layerOf(sides_[s].neighbour)) open.push_back({0, s});
  }
  const double reach = kConnectionReach / unit();
  // The sum of the least distances between portals is a lower bound of any walk: it may mark too many cells, never too
  // few.
  while (!open.empty()) {
    std::pop_heap(open.begin(), open.end(), later);
    const Visit visit = open.back();
    open.pop_back();
    const CellId cell = mesh_.cellOf(visit.entry);
    if ((flags_[cell] & kNearConnection) != 0) continue;
    flags_[cell] |= kNearConnection;
    const Side& entry = sides_[visit.entry];
    for (const Side* s = firstSide(cell); s != endSide(cell); ++s) {
      if (s->twin == kNone || (flags_[s->neighbour] & kNearConnection) != 0) continue;
      const double l = visit.length + closestBetween(entry.from, entry.to, s->from, s->to).distance;
      if (l > reach) continue;
      open.push_back({l, s->twin});
      std::push_heap(open.begin(), open.end(), later);
    }
  }
}

void Ground::joinWalls() {
  std::vector<SideId> next(sides_.size(), kNone);
  std::vector<uint8_t> continues(sides_.size(), 0);  // a straight piece of the same layer comes before
  const auto isStraightOn = [&](Vec2 a, Vec2 b, Vec2 c) {
    return dot(b - a, c - b) > 0 && std::abs(accurateCross(a, b, c)) <= kStraight * length(c - a);
  };
  for (SideId s = 0; s < sides_.size(); ++s) {
    if (sides_[s].twin != kNone) continue;
    SideId n = mesh_.nextSide(s);
    while (sides_[n].twin != kNone) n = mesh_.nextSide(sides_[n].twin);
    next[s] = n;
    const bool sameLayer = mesh_.layerOf(mesh_.cellOf(s)) == mesh_.layerOf(mesh_.cellOf(n));
    continues[n] = sameLayer && isStraightOn(sides_[s].from, sides_[s].to, sides_[n].to) ? 1 : 0;
  }
  std::vector<uint32_t> follower;  // per wall: the side after it
  const auto joinFrom = [&](SideId s) {
    const auto wall = static_cast<uint32_t>(walls_.size());
    GroundWall w{sides_[s].from, sides_[s].to};
    w.vertexA = mesh_.startVertex(s);
    w.vertexB = mesh_.endVertex(s);
    w.layer = mesh_.layerOf(mesh_.cellOf(s));
    sides_[s].wall = wall;
    SideId n = next[s];
    for (; continues[n] != 0 && sides_[n].wall == kNone && isStraightOn(w.a, w.b, sides_[n].to); n = next[n]) {
      w.b = sides_[n].to;
      w.vertexB = mesh_.endVertex(n);
      sides_[n].wall = wall;
    }
    w.along = unitDirection(w.a, w.b);
    walls_.push_back(w);
    follower.push_back(n);
  };
  for (const bool starts : {true, false}) {
    for (SideId s = 0; s < sides_.size(); ++s) {
      if (sides_[s].twin == kNone && sides_[s].wall == kNone && (continues[s] == 0) == starts) joinFrom(s);
    }
  }
  for (size_t i = 0; i < walls_.size(); ++i) {
    GroundWall& w = walls_[i];
    GroundWall& after = walls_[sides_[follower[i]].wall];
    // A wall that rounding has bent off the line before it still counts as straight on.
    const bool convex = orient(w.a, w.b, after.b) > 0 && !isStraightOn(w.a, w.b, after.b);
    w.after = after.along;
    w.cornerB = !convex;
    after.before = w.along;
    after.cornerA = !convex;
  }
}

void Ground::numberComponents() {
  component_.assign(mesh_.cellCount(), kNone);
  std::vector<CellId> open;
  uint32_t count = 0;
  for (CellId start = 0; start < mesh_.cellCount(); ++start) {
    if (component_[start] != kNone) continue;
    component_[start] = count;
    open.assign(1, start);
    while (!open.empty()) {
      const CellId cell = open.back();
      open.pop_back();
      for (const Side* s = firstSide(cell); s != endSide(cell); ++s) {
        if (s->neighbour == kNone || component_[s->neighbour] != kNone) continue;
        component_[s->neighbour] = count;
        open.push_back(s->neighbour);
      }
    }
    ++count;
  }
}

bool Ground::holds(CellId cell, Point p) const {
  const Vec2 q = toVec2(p);
  if ((flags_[cell] & kConvex) == 0) return contains(mesh_, cell, q);
  for (const Side* s = firstSide(cell); s != endSide(cell); ++s) {
    if (orient(s->from, s->to, q) < 0) return false;
  }
  return true;
}

GroundTrace Ground::trace(CellId cell, Vec2 from, Vec2 to) const {
  const Vec2 d = to - from;
  double reached = 0;
  const Side* entry = nullptr;
  for (int steps = 0; steps < kMaxCells; ++steps) {
    const Side* exit = nullptr;
    double best = HUGE_VAL;
    for (const Side* s = firstSide(cell); s != endSide(cell); ++s) {
      const Vec2 along = s->to - s->from;
      const double facing = cross(d, along);
      if (!(facing > 0) || s == entry) continue;
      const Vec2 w = s->from - from;
      const double at = cross(w, d);  // share of the side, times facing
      if (at < -kMiss * facing || at > (1 + kMiss) * facing) continue;
      const double t = cross(w, along) / facing;
      if (t >= reached - kMiss && t < best) {
        best = t;
        exit = s;
      }
    }
    if (exit == nullptr || best > 1) return {cell, 1, false};
    reached = std::max(reached, best);
    if (exit->twin == kNone) return {cell, reached, true};
    entry = sides_.data() + exit->twin;
    cell = exit->neighbour;
  }
  return {cell, reached, true};
}

// One of its pieces, or its end `vertex`.
bool Ground::hasWall(CellId cell, uint32_t wall, VertexId vertex) const {
  for (SideId s = mesh_.firstSide(cell); s != mesh_.endSide(cell); ++s) {
    if (vertex == kNone ? sides_[s].wall == wall : mesh_.startVertex(s) == vertex) return true;
  }
  return false;
}

bool Ground::isMet(CellId cell, Vec2 from, uint32_t wall) const {
  const GroundWall& w = walls_[wall];
  const Vec2 to = closestOnSegment(from, w.a, w.b);
  const GroundTrace t = trace(cell, from, to);
  if (t.blocked) return true;
  const VertexId vertex = to == w.a ? w.vertexA : to == w.b ? w.vertexB : kNone;
  if (hasWall(t.cell, wall, vertex)) return true;
  // Rounding may end the walk in the cell beside.
  for (const Side* s = firstSide(t.cell); s != endSide(t.cell); ++s) {
    if (s->neighbour != kNone && hasWall(s->neighbour, wall, vertex) &&
        distanceToSegment(to, s->from, s->to) < kStraight) {
      return true;
    }
  }
  return false;
}

// The cell that holds the point among one and those beside it.
CellId Ground::settle(CellId cell, Point p) const {
  if (holds(cell, p)) return cell;
  for (const Side* s = firstSide(cell); s != endSide(cell); ++s) {
    if (s->neighbour != kNone && holds(s->neighbour, p)) return s->neighbour;
  }
  return kNone;
}

GroundStep Ground::walk(CellId cell, Point from, Point to) const {
  if (from == to || (isOpen(cell) && holds(cell, to))) return {to, cell, false};
  const Vec2 a = toVec2(from);
  const Vec2 d = toVec2(to) - a;
  const GroundTrace t = trace(cell, a, toVec2(to));
  if (!t.blocked) {
    const CellId end = settle(t.cell, to);
    if (end != kNone) return {to, end, false};
  }
  // Just before the wall, or before the corner that rounding has hit.
  const double whole = length(d);
  for (int back = 1; back <= 3; ++back) {
    const double along = t.at * whole - back;
    if (!(along > 0)) break;
    const Vec2 q = a + (along / whole) * d;
    const Point p{static_cast<int32_t>(std::lround(q.x)), static_cast<int32_t>(std::lround(q.y))};
    const CellId end = settle(t.cell, p);
    if (end != kNone) return {p, end, true};
  }
  return {from, cell, true};
}

}  // namespace wend
