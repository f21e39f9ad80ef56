#include "planning/disk_walk.h"

#include <algorithm>

namespace wend {
namespace {

bool isClear(RadiusTable& table, CellId cell, Vec2 a, Vec2 b, double r) {
  const RadiusTable::CellView view = table.cell(cell);
  return std::none_of(view.shapes.begin(), view.shapes.end(), [&](const Wall& w) {
    return !areBoxesApart(a, b, w.a, w.b, r) && closestBetween(a, b, w.a, w.b).distance < r;
  });
}

}  // namespace

bool walkDisk(RadiusTable& table, CellId& cell, Vec2 a, Vec2 b, double tolerance) {
  const NavMesh& mesh = table.mesh();
  const double r = table.radius() - tolerance;
  SideId entry = kNone;
  double from = 0;
  // A straight segment meets a convex cell once; walking around corners may add a few.
  for (uint32_t steps = 0; steps <= 2 * mesh.cellCount() + 8; ++steps) {
    const CellExit exit = findExit(mesh, cell, entry, a, b);
    const double to = exit.side == kNone ? 1 : std::max(from, exit.at);
    if (!isClear(table, cell, a + from * (b - a), a + to * (b - a), r)) return false;
    if (exit.side == kNone) return true;
    if (mesh.isWall(exit.side)) return false;
    entry = mesh.twin(exit.side);
    cell = mesh.neighbour(exit.side);
    from = to;
  }
  return false;
}

}  // namespace wend
