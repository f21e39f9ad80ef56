#include "planning/visibility/mesh_visibility_polygon.h"

#include <algorithm>
#include <cmath>

#include "planning/clearance/near_walls.h"

namespace wend {
namespace {

// Cuts segment cd to what lies between the rays from p; false if nothing does.
bool clipToView(Vec2 p, const SightScratch::View& view, Vec2& c, Vec2& d) {
  if (view.whole) return true;
  const auto cut = [&](Vec2 ray, int side) {
    const double atC = side * cross(ray, c - p);
    const double atD = side * cross(ray, d - p);
    if (atC <= 0 && atD <= 0) return false;
    if (atC < 0) c = c + (atC / (atC - atD)) * (d - c);
    if (atD < 0) d = c + (atC / (atC - atD)) * (d - c);
    return true;
  };
  return cut(view.right, 1) && cut(view.left, -1);
}

}  // namespace

void lookAround(const NavMesh& mesh, CellId cell, Vec2 p, double range, SightScratch& scratch) {
  scratch.open.clear();
  scratch.seen.clear();
  const auto push = [&](CellId from, SideId entry, const SightScratch::View& view) {
    const uint32_t n = mesh.sideCount(from);
    const SideId first = mesh.firstSide(from);
    const uint32_t offset = entry == kNone ? 0 : entry - first;
    // Last first, so that sides come off the stack counter-clockwise.
    for (uint32_t k = n; k-- > (entry == kNone ? 0U : 1U);) {
      scratch.open.push_back({first + (offset + k) % n, view.right, view.left, view.whole});
    }
  };
  push(cell, kNone, {kNone, {}, {}, true});
  while (!scratch.open.empty()) {
    const SightScratch::View view = scratch.open.back();
    scratch.open.pop_back();
    Vec2 c = sideStart(mesh, view.side);
    Vec2 d = sideEnd(mesh, view.side);
    if (!clipToView(p, view, c, d)) continue;
    if (range > 0 && distanceToSegment(p, c, d) >= range) {
      scratch.seen.push_back({c, d, kNone});
      continue;
    }
    if (mesh.isWall(view.side)) {
      scratch.seen.push_back({c, d, view.side});
    } else if (cross(c - p, d - p) > 0) {
      push(mesh.neighbour(view.side), mesh.twin(view.side), {kNone, c - p, d - p, false});
    } else if (view.whole && distanceToSegment(p, c, d) == 0) {
      // Standing on a portal: the other cell is as near as this one.
      const Vec2 along = d - c;
      push(mesh.neighbour(view.side), mesh.twin(view.side), {kNone, -1 * along, along, false});
    }
  }
}

}  // namespace wend
