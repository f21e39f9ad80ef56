#include "planning/visibility/nearest_obstacle.h"

#include <algorithm>
#include <cmath>

#include "planning/clearance/near_walls.h"

namespace wend {
namespace {

// Along a segment from cell to cell; kNone if a wall blocks it. Calls `visit` with each cell.
template <typename Visit>
CellId walkStraight(const NavMesh& mesh, CellId cell, Vec2 a, Vec2 b, const Visit& visit) {
  SideId entry = kNone;
  for (uint32_t steps = 0; steps <= 2 * mesh.cellCount() + 8; ++steps) {
    visit(cell);
    const SideId exit = findExit(mesh, cell, entry, a, b).side;
    if (exit == kNone) return cell;
    if (mesh.isWall(exit)) return kNone;
    entry = mesh.twin(exit);
    cell = mesh.neighbour(exit);
  }
  return kNone;
}

void beginFlood(const NavMesh& mesh, SightScratch& scratch) {
  if (scratch.stamp.advance()) scratch.visited.wipe();
  scratch.visited.grow(mesh.cellCount());
  scratch.cells.clear();
}

}  // namespace

double clearanceOfSegment(const NavMesh& mesh, CellId cell, Vec2 a, Vec2 b, SightScratch& scratch, CellId* end) {
  beginFlood(mesh, scratch);
  const CellId last = walkStraight(mesh, cell, a, b, [&](CellId c) {
    if (scratch.visited.insert(c, scratch.stamp)) scratch.cells.push_back(c);
  });
  if (end != nullptr) *end = last;
  if (last == kNone) return -1;
  double best = HUGE_VAL;
  for (size_t i = 0; i < scratch.cells.size(); ++i) {
    for (SideId s = mesh.firstSide(scratch.cells[i]); s != mesh.endSide(scratch.cells[i]); ++s) {
      const double distance = closestBetween(a, b, sideStart(mesh, s), sideEnd(mesh, s)).distance;
      if (distance >= best) continue;
      if (mesh.isWall(s)) {
        best = distance;
      } else if (scratch.visited.insert(mesh.neighbour(s), scratch.stamp)) {
        scratch.cells.push_back(mesh.neighbour(s));
      }
    }
  }
  return best;
}

namespace {

// Whether one comes from one cell to the other through portals that q lies on, up to `rounding`: cells of one floor at
// one corner.
bool meetAt(const NavMesh& mesh, CellId from, CellId to, Vec2 q, double rounding, std::vector<CellId>& around) {
  around.assign(1, from);
  for (size_t i = 0; i < around.size(); ++i) {
    if (around[i] == to) return true;
    for (SideId s = mesh.firstSide(around[i]); s != mesh.endSide(around[i]); ++s) {
      if (mesh.isWall(s) || distanceToSegment(q, sideStart(mesh, s), sideEnd(mesh, s)) > rounding) continue;
      const CellId next = mesh.neighbour(s);
      if (std::find(around.begin(), around.end(), next) == around.end()) around.push_back(next);
    }
  }
  return false;
}

// Whether the way straight from p to a wall at q leads to the wall's cell, and not below or above it.
bool leadsToWall(const NavMesh& mesh, CellId cell, Vec2 p, Vec2 q, CellId wallCell, std::vector<CellId>& around) {
  constexpr double kBefore = 1e-6;  // of the way
  const CellId end = walkStraight(mesh, cell, p, p + (1 - kBefore) * (q - p), [](CellId /*passed*/) {});
  return end == wallCell || (end != kNone && meetAt(mesh, end, wallCell, q, 2 * kBefore * length(q - p), around));
}

}  // namespace

NearestWall nearestWall(const NavMesh& mesh, CellId cell, Vec2 p, double reach, SightScratch& scratch) {
  beginFlood(mesh, scratch);
  scratch.visited.insert(cell, scratch.stamp);
  scratch.cells.push_back(cell);
  NearestWall best;
  best.distance = reach;
  for (size_t i = 0; i < scratch.cells.size(); ++i) {
    for (SideId s = mesh.firstSide(scratch.cells[i]); s != mesh.endSide(scratch.cells[i]); ++s) {
      const Vec2 q = closestOnSegment(p, sideStart(mesh, s), sideEnd(mesh, s));
      const double distance = length(p - q);
      if (distance >= best.distance) continue;
      if (!mesh.isWall(s)) {
        if (scratch.visited.insert(mesh.neighbour(s), scratch.stamp)) scratch.cells.push_back(mesh.neighbour(s));
        continue;
      }
      // Where floors lie above each other a wall of another one may come this near.
      if (mesh.layerCount() > 1 && scratch.cells[i] != cell &&
          !leadsToWall(mesh, cell, p, q, scratch.cells[i], scratch.around)) {
        continue;
      }
      best = {q, distance, s};
    }
  }
  if (best.side == kNone) best.distance = HUGE_VAL;
  return best;
}

NearestWall nearestObstacle(const NavMesh& mesh, CellId cell, Vec2 p, SightScratch& scratch) {
  NearestWall best;
  const double reach = clearanceOfSegment(mesh, cell, p, p, scratch);
  if (!(reach >= 0) || !std::isfinite(reach)) return best;
  // Among the walls in sight only: the others are behind those, or in another layer. Nearly always the nearest wall of
  // all is in sight, so a look a little farther than it finds it; the others need a look over everything.
  for (const double range : {1.001 * reach + 1, 0.0}) {
    lookAround(mesh, cell, p, range, scratch);
    for (const SeenWall& seen : scratch.seen) {
      if (seen.side == kNone) continue;  // the end of the range
      const Vec2 q = closestOnSegment(p, seen.from, seen.to);
      if (length(p - q) < best.distance) best = {q, length(p - q), seen.side};
    }
    if (best.distance < range) break;
  }
  return best;
}

EmptyDisk emptyDiskAround(const NavMesh& mesh, CellId cell, Vec2 p, double reach, SightScratch& scratch) {
  EmptyDisk disk;
  disk.wall = nearestWall(mesh, cell, p, reach, scratch);
  disk.centre = p;
  disk.radius = std::min(disk.wall.distance, reach);
  if (disk.wall.side == kNone) return disk;
  const double r = disk.wall.distance;
  Vec2 away = p - disk.wall.point;
  if (!(r > 0)) {
    const Vec2 along = sideEnd(mesh, disk.wall.side) - sideStart(mesh, disk.wall.side);
    away = {-along.y, along.x};
  }
  const double size = length(away);
  if (!(size > 0)) return disk;
  away = (1 / size) * away;
  // Farther away the wall stays the nearest one as long as the distance grows by as much.
  const auto grow = [&](double t) {
    const Vec2 c = p + t * away;
    const CellId at = walkStraight(mesh, cell, p, c, [](CellId /*passed*/) {});
    if (at == kNone || nearestWall(mesh, at, c, (1 - 1e-9) * (r + t), scratch).side != kNone) return false;
    disk.centre = c;
    disk.radius = r + t;
    return true;
  };
  constexpr double kFirst = 0.25;  // of the reach, over 2^kHalvings
  constexpr int kHalvings = 4;
  double low = 0;
  double high = reach - r;
  for (double t = kFirst * reach / (1 << kHalvings); t < reach - r; t *= 2) {
    if (!grow(t)) {
      high = t;
      break;
    }
    low = t;
  }
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    (grow(middle) ? low : high) = middle;
  }
  return disk;
}

}  // namespace wend
