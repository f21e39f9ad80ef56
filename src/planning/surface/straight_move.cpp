#include "planning/surface/straight_move.h"

#include <algorithm>
#include <cmath>

namespace wend {
namespace {

// Lattice units: a disk stops this little before a wall, so that rounding leaves it free.
constexpr double kStop = 1e-6;
// Moves along walls; around a corner each leads to the tangent of the next.
constexpr int kSlides = 100;
// Lattice units: nearer by less is no progress.
constexpr double kProgress = 1e-3;
// Lattice units: a move along a wall ends this far from it, so that rounding does not lead into the wall at once.
constexpr double kLift = 1e-4;

// Through a cell from `from` to `to`, lengths along the move: the first wall that the disk comes too near to.
void stopInCell(const Surface& surface, CellId cell, Vec2 a, Vec2 u, double size, double from, double to,
                StraightMove& move) {
  const ShrunkPortals::CellView view = surface.table->cell(cell);
  const double r = surface.radius();
  double best = to;
  for (size_t i = 0; i < view.shapes.size(); ++i) {
    const Wall& w = view.shapes[i];
    if (areBoxesApart(a, a + size * u, w.a, w.b, r)) continue;
    const Interval blocked = blockedBy(w, a, u, size, r);
    if (blocked.empty() || blocked.high <= from || blocked.low >= best) continue;
    // Where it leaves what a wall blocks by rounding, the move is free.
    if (blocked.low <= 0 && blocked.high <= 2 * kStop) continue;
    best = std::max(blocked.low, from);
    move.hit = true;
    move.wall = view.walls[i];
    move.distance = std::max(0.0, best - kStop);
    const Vec2 centre = a + best * u;
    move.contact = closestOnSegment(centre, w.a, w.b);
    move.normal = direction(centre - move.contact, leftOf(direction(w.b - w.a, {1, 0})));
  }
}

}  // namespace

StraightMove moveStraight(const Surface& surface, const SurfacePlace& from, Vec2 to) {
  const NavMesh& mesh = surface.mesh;
  const Vec2 a = from.units;
  const double size = length(to - a);
  StraightMove move{{to, from.cell}, size, false, {}, {}, kNone};
  if (!(size > 0)) return move;
  const Vec2 u = (1 / size) * (to - a);
  CellId cell = from.cell;
  SideId entry = kNone;
  double passed = 0;
  for (uint32_t steps = 0; steps <= 2 * mesh.cellCount() + 8; ++steps) {
    const CellExit exit = findExit(mesh, cell, entry, a, to);
    const double next = exit.side == kNone ? size : std::max(passed, exit.at * size);
    move.end.cell = cell;
    if (surface.table != nullptr) stopInCell(surface, cell, a, u, size, passed, next, move);
    if (!move.hit && exit.side != kNone && mesh.isWall(exit.side)) {
      move.hit = true;
      move.distance = next;
      move.contact = a + next * u;
      move.normal = leftOf(direction(sideEnd(mesh, exit.side) - sideStart(mesh, exit.side), {1, 0}));
      move.wall = exit.side;
    }
    if (move.hit) {
      move.end.units = a + move.distance * u;
      return move;
    }
    if (exit.side == kNone) return move;
    entry = mesh.twin(exit.side);
    cell = mesh.neighbour(exit.side);
    passed = next;
  }
  return move;
}

SlideEnd slideAlong(const Surface& surface, const SurfacePlace& from, Vec2 to) {
  SlideEnd slide{from, 0};
  const auto go = [&](Vec2 target) {
    const StraightMove move = moveStraight(surface, slide.place, target);
    slide.place = move.end;
    slide.length += move.distance;
    return move;
  };
  StraightMove hit = go(to);
  for (int i = 0; i < kSlides && hit.hit; ++i) {
    const double before = length(to - slide.place.units);
    // Along the wall that was hit; in a corner also along the other one.
    for (int k = 0; k < 2 && hit.hit; ++k) {
      const Vec2 rest = to - slide.place.units;
      const Vec2 along = rest - std::min(0.0, dot(rest, hit.normal)) * hit.normal;
      if (dot(along, rest) <= 0) break;
      hit = go(slide.place.units + along + kLift * hit.normal);
    }
    hit = go(to);
    if (before - length(to - slide.place.units) < kProgress) break;
  }
  return slide;
}

}  // namespace wend
