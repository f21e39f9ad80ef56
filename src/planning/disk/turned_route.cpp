#include "planning/disk/turned_route.h"

#include <algorithm>

namespace wend {

void turnRound(const NavMesh& mesh, Route& route) {
  std::reverse(route.cells.begin(), route.cells.end());
  std::reverse(route.points.begin(), route.points.end());
  std::reverse(route.portals.begin(), route.portals.end());
  for (SideId& side : route.portals) side = mesh.twin(side);
  std::reverse(route.shrunkPortals.begin(), route.shrunkPortals.end());
  for (ShrunkPortal& portal : route.shrunkPortals) std::swap(portal.left, portal.right);
  std::reverse(route.arcs.begin(), route.arcs.end());
  const auto end = static_cast<uint32_t>(route.points.size());
  for (RouteArc& arc : route.arcs) {
    arc.begin += arc.sweep;
    arc.sweep = -arc.sweep;
    arc.first = end - 1 - arc.first;
    arc.last = end - 1 - arc.last;
    std::swap(arc.first, arc.last);
  }
  std::swap(route.startMoved, route.goalMoved);
}

}  // namespace wend
