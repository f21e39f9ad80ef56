#include "crowd/ground/ground.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include "crowd/ground/ground_update.h"
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

}  // namespace

// Found at the first request.
struct Ground::Components {
  std::once_flag made;
  std::vector<uint32_t> number;  // per cell
};

Ground::Ground(const NavMesh& mesh, std::shared_ptr<const GroundArrays> arrays, bool isAnew)
    : mesh_(mesh),
      arrays_(std::move(arrays)),
      components_(std::make_shared<Components>()),
      sides_(arrays_->sides.data()),
      walls_(arrays_->walls.data()),
      flags_(arrays_->flags.data()),
      isAnew_(isAnew) {}

Ground::Ground(const NavMesh& mesh) {
  GroundUpdate update(mesh);
  update.run();
  *this = Ground(mesh, update.publish(), true);
}

Ground::Next Ground::next(const NavMesh& mesh) const {
  GroundUpdate update(*this, mesh);
  if (arrays_ == nullptr || !update.run()) return {Ground(mesh), true, {}, {}};
  std::vector<uint32_t> gone = update.goneWalls();
  std::vector<uint32_t> made = update.newWalls();
  return {Ground(mesh, update.publish(), false), false, std::move(gone), std::move(made)};
}

std::vector<uint32_t> Ground::numbersAnew() const {
  if (isAnew_) return {};
  const Ground anew(mesh_);
  std::vector<uint32_t> numbers(arrays_->walls.size(), kNone);
  for (size_t wall = 0; wall < numbers.size(); ++wall) {
    const SideId first = arrays_->walls[wall].first;
    if (first != kNone) numbers[wall] = anew.arrays_->sides[first].wall;
  }
  return numbers;
}

bool Ground::areJoined(CellId one, CellId other) const {
  if (one == other) return true;
  for (const Side* s = firstSide(one); s != endSide(one); ++s) {
    if (s->neighbour == other) return true;
  }
  std::call_once(components_->made, [&] {
    std::vector<uint32_t>& number = components_->number;
    number.assign(mesh_.cellCount(), kNone);
    std::vector<CellId> open;
    for (CellId start = 0; start < mesh_.cellCount(); ++start) {
      if (number[start] != kNone) continue;
      number[start] = start;
      open.assign(1, start);
      while (!open.empty()) {
        const CellId cell = open.back();
        open.pop_back();
        for (const Side* s = firstSide(cell); s != endSide(cell); ++s) {
          if (s->neighbour == kNone || number[s->neighbour] != kNone) continue;
          number[s->neighbour] = start;
          open.push_back(s->neighbour);
        }
      }
    }
  });
  return components_->number[one] == components_->number[other];
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
    entry = sides_ + exit->twin;
    cell = exit->neighbour;
  }
  return {cell, reached, true};
}

// One of its pieces, or its end.
bool Ground::hasWall(CellId cell, uint32_t wall, const Vec2* end) const {
  for (const Side* s = firstSide(cell); s != endSide(cell); ++s) {
    if (end == nullptr ? s->wall == wall : s->from == *end) return true;
  }
  return false;
}

bool Ground::isMet(CellId cell, Vec2 from, uint32_t wall) const {
  const GroundWall& w = walls_[wall];
  const Vec2 to = closestOnSegment(from, w.a, w.b);
  const GroundTrace t = trace(cell, from, to);
  if (t.blocked) return true;
  const Vec2* end = to == w.a ? &w.a : to == w.b ? &w.b : nullptr;
  if (hasWall(t.cell, wall, end)) return true;
  // Rounding may end the walk in the cell beside.
  for (const Side* s = firstSide(t.cell); s != endSide(t.cell); ++s) {
    if (s->neighbour != kNone && hasWall(s->neighbour, wall, end) &&
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
