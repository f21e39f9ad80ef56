#include "planning/corridor/route_cells.h"

#include <algorithm>

#include "geometry/predicates.h"
#include "geometry/vec2.h"
#include "mesh/cell_geometry.h"

namespace wend {

CorridorCells::CorridorCells(const NavMesh& mesh, const CorridorMap& map)
    : mesh_(&mesh), live_(ecm::AxisVersions::find(mesh.corridorMap()).value) {
  if (live_ != nullptr && &live_->map == &map) return;
  live_ = nullptr;
  begin_.resize(map.arcs.size() + 1);
  cells_.resize(mesh.cellCount());
  for (const uint32_t arc : map.cellArc) ++begin_[arc + 1];
  for (size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  std::vector<uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (CellId cell = 0; cell < map.cellArc.size(); ++cell) cells_[next[map.cellArc[cell]]++] = cell;
}

CellId CorridorCells::nearest(uint32_t arc, Vec2 p) const {
  if (live_ != nullptr) {
    CellId least = kNone;
    CellId around = kNone;
    live_->forEachCell(arc, [&](CellId cell) {
      least = std::min(least, cell);
      if (cell < around && contains(*mesh_, cell, p)) around = cell;
    });
    return around != kNone ? around : least;
  }
  for (uint32_t i = begin_[arc]; i < begin_[arc + 1]; ++i) {
    if (contains(*mesh_, cells_[i], p)) return cells_[i];
  }
  return begin_[arc] < begin_[arc + 1] ? cells_[begin_[arc]] : kNone;
}

namespace {

// The turn from the direction of a side to that of a -> b, where a lies on the line of the side, if a -> b is turned
// infinitely little to the left (beside = 1) or to the right (-1).
int turnFrom(Vec2 sideStart, Vec2 sideEnd, Vec2 a, Vec2 b, int beside) {
  const int sign = orient(sideStart, sideEnd, b);
  if (sign != 0) return sign;
  const double forwards = (sideEnd.x - sideStart.x) * (b.x - a.x) + (sideEnd.y - sideStart.y) * (b.y - a.y);
  return forwards >= 0 ? beside : -beside;
}

}  // namespace

void CellWalk::start(CellId cell, Vec2 p) {
  route_.cells.push_back(cell);
  start_ = at_ = p;
}

void CellWalk::pass(SideId side) {
  route_.portals.push_back(side);
  route_.cells.push_back(mesh_.neighbour(side));
}

// Whether the ray from at_, turned infinitely little off the one to `to`, begins inside the cell, whose closed polygon
// contains at_.
bool CellWalk::leads(CellId cell, Vec2 to, int beside) const {
  for (SideId s = mesh_.firstSide(cell); s != mesh_.endSide(cell); ++s) {
    const Vec2 u = startPoint(mesh_, s);
    const Vec2 v = endPoint(mesh_, s);
    if (u == at_) {
      const Vec2 before = startPoint(mesh_, mesh_.previousSide(s));
      const bool arriving = turnFrom(before, u, at_, to, beside) > 0;
      const bool leaving = turnFrom(u, v, at_, to, beside) > 0;
      return orient(before, u, v) < 0 ? arriving || leaving : arriving && leaving;
    }
    if (v != at_ && isBetween(u, at_, v) && orient(u, v, at_) == 0) return turnFrom(u, v, at_, to, beside) > 0;
  }
  return true;
}

template <typename Accepts>
void CellWalk::visitNeighbours(uint32_t i, const Accepts& accepts) {
  const CellId here = visits_[i].cell;
  for (SideId s = mesh_.firstSide(here); s != mesh_.endSide(here); ++s) {
    if (mesh_.isWall(s) || !accepts(startPoint(mesh_, s), endPoint(mesh_, s))) continue;
    const CellId next = mesh_.neighbour(s);
    if (std::none_of(visits_.begin(), visits_.end(), [&](const CellVisit& v) { return v.cell == next; })) {
      visits_.push_back({next, s, i});
    }
  }
}

void CellWalk::takeWay(uint32_t visit) {
  // Before the first step the walk may begin in any cell around the point.
  if (at_ == start_ && route_.portals.empty()) {
    route_.cells.back() = visits_[visit].cell;
    return;
  }
  const auto first = static_cast<std::ptrdiff_t>(route_.cells.size());
  for (; visit != 0; visit = visits_[visit].before) {
    route_.cells.push_back(visits_[visit].cell);
    route_.portals.push_back(visits_[visit].side);
  }
  std::reverse(route_.cells.begin() + first, route_.cells.end());
  std::reverse(route_.portals.begin() + (first - 1), route_.portals.end());
}

// Goes to the cell around at_ in which the segment to `to` continues, on either side of it.
bool CellWalk::turnTowards(Vec2 to, int& beside) {
  if (leads(cell(), to, beside)) return true;
  visits_.assign(1, {cell(), kNone, 0});
  const auto meets = [&](Vec2 u, Vec2 v) { return isBetween(u, at_, v) && orient(u, v, at_) == 0; };
  for (uint32_t i = 0; i < visits_.size(); ++i) visitNeighbours(i, meets);
  for (const int side : {beside, -beside}) {
    for (uint32_t i = 0; i < visits_.size(); ++i) {
      if (!leads(visits_[i].cell, to, side)) continue;
      beside = side;
      takeWay(i);
      return true;
    }
  }
  return false;
}

// Fractions of a segment that differ by less are one place for what rounding knows.
constexpr double kSame = 1e-9;
// Lattice units: points on a wall may lie this much behind it.
constexpr double kNoLength = 1e-3;

double CellWalk::fractionAt(SideId side, Vec2 to) const {
  const Vec2 u = startPoint(mesh_, side);
  const Vec2 v = endPoint(mesh_, side);
  const double before = accurateCross(u, v, at_);
  return before / (before - accurateCross(u, v, to));
}

SideId CellWalk::findExit(Vec2 to, int beside, SideId entry) const {
  const NavMesh::Views& views = mesh_.views();
  const SideId begin = views.cellBegin[cell()];
  const SideId end = views.cellBegin[cell() + 1];
  const auto place = [&](SideId side) { return views.vertices[views.sideVertex[side]]; };
  // Signs that a branch cannot predict: as numbers, and exact where the filter of orient() does not decide.
  const Vec2 d = to - at_;
  const auto isRight = [&](Vec2 p) -> bool {
    const double left = d.x * (p.y - at_.y);
    const double right = d.y * (p.x - at_.x);
    constexpr double kBound = 4 * 0x1.0p-53;
    if (std::abs(left - right) <= kBound * (std::abs(left) + std::abs(right))) [[unlikely]] {
      const int turn = orient(at_, to, p);
      return turn < 0 || (turn == 0 && beside > 0);
    }
    return left < right;
  };
  // Calls leaves(side, start, end) for the sides that lead from the left of the segment to its right: their start is on
  // the right of its line, their end on the left.
  const auto forEach = [&](const auto& leaves) {
    const Vec2 first = place(begin);
    const bool firstRight = isRight(first);
    Vec2 v = first;
    bool vRight = firstRight;
    for (SideId s = begin; s != end; ++s) {
      const Vec2 u = v;
      const bool uRight = vRight;
      v = s + 1 == end ? first : place(s + 1);
      vRight = s + 1 == end ? firstRight : isRight(v);
      if (uRight && !vRight && s != entry) leaves(s, u, v);
    }
  };
  const auto isBeyond = [&](Vec2 u, Vec2 v) { return orient(u, v, to) < 0 && orient(u, v, at_) > 0; };
  SideId only = kNone;
  uint32_t count = 0;
  bool vRight = isRight(place(end - 1));
  for (SideId v = begin; v != end; ++v) {
    const bool uRight = vRight;
    vRight = isRight(place(v));
    const SideId s = v == begin ? end - 1 : v - 1;
    const bool leaves = uRight & !vRight & (s != entry);
    count += leaves ? 1 : 0;
    only = leaves ? s : only;
  }
  if (count == 0) return kNone;
  // The line crosses the cell once, as it does every convex one.
  if (count == 1) return isBeyond(startPoint(mesh_, only), endPoint(mesh_, only)) ? only : kNone;
  const double from = entry == kNone ? 0 : fractionAt(entry, to);
  SideId best = kNone;
  double bestAt = 1;
  forEach([&](SideId s, Vec2 u, Vec2 v) {
    if (!isBeyond(u, v)) return;
    const double at = fractionAt(s, to);
    if (at < from - kSame || (best != kNone && at >= bestAt)) return;
    best = s;
    bestAt = at;
  });
  return best;
}

bool CellWalk::to(Vec2 p, int beside) {
  if (quick_) {
    const bool isFirst = at_ == start_ && route_.portals.empty();
    if (quick_->go(at_, p, isFirst, beside > 0 ? TriangleWalk::kAll : TriangleWalk::kOnRight)) {
      at_ = p;
      return true;
    }
  }
  constexpr std::ptrdiff_t kMostAround = 16;
  // Each turn back at a wall goes on from a vertex farther along.
  for (bool again = true; again;) {
    if (at_ == p) return true;
    if (!turnTowards(p, beside)) return false;
    again = false;
    SideId entry = kNone;
    // A ray meets no side twice.
    for (uint32_t steps = 0;; ++steps) {
      if (steps > mesh_.sideCount()) return false;
      const SideId exit = findExit(p, beside, entry);
      if (exit == kNone) break;
      if (!mesh_.isWall(exit)) {
        // Around a vertex that the segment passes, cells may lead in a circle by rounding.
        const auto last = std::min<std::ptrdiff_t>(steps, kMostAround);
        if (std::find(route_.portals.end() - last, route_.portals.end(), exit) != route_.portals.end()) return false;
        pass(exit);
        entry = mesh_.twin(exit);
        continue;
      }
      if ((1 - fractionAt(exit, p)) * distance(at_, p) < kNoLength) break;
      // The segment itself touches the wall in a vertex at most.
      const Vec2 u = startPoint(mesh_, exit);
      const Vec2 v = endPoint(mesh_, exit);
      const Vec2 touched = orient(at_, p, u) == 0 ? u : v;
      if (orient(at_, p, touched) != 0 || touched == at_ || !isBetween(at_, touched, p)) return false;
      at_ = touched;
      beside = -beside;
      again = true;
      break;
    }
  }
  at_ = p;
  return true;
}

bool CellWalk::along(Vec2 p) {
  constexpr size_t kMost = 4096;
  const auto isNear = [](Vec2 q, Vec2 u, Vec2 v) { return distanceToSegment(q, u, v) <= kNoLength; };
  const auto touches = [&](Vec2 u, Vec2 v) {
    if (isNear(u, at_, p) || isNear(v, at_, p) || isNear(at_, u, v) || isNear(p, u, v)) return true;
    return orient(at_, p, u) != orient(at_, p, v) && orient(u, v, at_) != orient(u, v, p);
  };
  const auto holds = [&](CellId cell) {
    if (contains(mesh_, cell, p)) return true;
    for (SideId s = mesh_.firstSide(cell); s != mesh_.endSide(cell); ++s) {
      if (isNear(p, startPoint(mesh_, s), endPoint(mesh_, s))) return true;
    }
    return false;
  };
  leaveTriangles();
  visits_.assign(1, {cell(), kNone, 0});
  for (uint32_t i = 0; i < visits_.size() && visits_.size() < kMost; ++i) {
    if (holds(visits_[i].cell)) {
      at_ = p;
      if (i != 0) takeWay(i);
      return true;
    }
    visitNeighbours(i, touches);
  }
  return false;
}

bool CellWalk::jump(CellId goal, Vec2 p) {
  leaveTriangles();
  constexpr size_t kMost = 256;
  at_ = p;
  visits_.assign(1, {cell(), kNone, 0});
  for (uint32_t i = 0; i < visits_.size() && visits_.size() < kMost; ++i) {
    if (visits_[i].cell == goal) {
      if (i != 0) takeWay(i);
      return true;
    }
    visitNeighbours(i, [](Vec2, Vec2) { return true; });
  }
  return false;
}

}  // namespace wend
