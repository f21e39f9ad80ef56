#include "planning/check_route.h"

#include <algorithm>
#include <cmath>

#include "geometry/vec2.h"
#include "mesh/cell_geometry.h"

namespace wend {
namespace {

// Lattice units. An end that is off the mesh by up to 1e-3 units is moved onto it, and metres round.
constexpr double kSlack = 4e-3;

double distanceToSide(const NavMesh& mesh, SideId side, Vec2 p) {
  const Vec2 a = startPoint(mesh, side);
  const Vec2 ab = endPoint(mesh, side) - a;
  const double whole = ab.x * ab.x + ab.y * ab.y;
  const double t = whole > 0 ? std::clamp(((p.x - a.x) * ab.x + (p.y - a.y) * ab.y) / whole, 0.0, 1.0) : 0;
  return std::hypot(a.x + t * ab.x - p.x, a.y + t * ab.y - p.y);
}

bool holds(const NavMesh& mesh, CellId cell, const Place& place) {
  const Vec2 p = mesh.lattice().toUnits(place.top());
  if (contains(mesh, cell, p)) return true;
  for (SideId side = mesh.firstSide(cell); side < mesh.endSide(cell); ++side) {
    if (distanceToSide(mesh, side, p) <= kSlack) return true;
  }
  return false;
}

bool isFinite(const Vec3& p) {
  return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

}  // namespace

const char* findRouteFault(const NavMesh& mesh, const PathQuery& query, const Route& route) {
  if (route.cells.empty() || route.portals.size() + 1 != route.cells.size()) {
    return "there is one portal less than there are cells";
  }
  for (size_t i = 0; i < route.portals.size(); ++i) {
    if (mesh.cellOf(route.portals[i]) != route.cells[i]) return "a portal belongs to another cell";
    if (mesh.neighbour(route.portals[i]) != route.cells[i + 1]) return "a portal leads to another cell";
  }
  if (!holds(mesh, route.cells.front(), query.from)) return "the start is not in the first cell";
  if (!holds(mesh, route.cells.back(), query.to)) return "the goal is not in the last cell";
  const double straight = std::hypot(query.to.x - query.from.x, query.to.y - query.from.y);
  const double slack = kSlack * mesh.lattice().unit + 1e-9 * straight;
  // A route whose ends are one place may be that place alone.
  if (route.points.size() < (straight > slack ? 2U : 1U)) return "there are too few points";
  if (!std::all_of(route.points.begin(), route.points.end(), isFinite)) return "a point is not finite";
  if (!std::isfinite(route.length)) return "the length is not finite";
  if (route.length < straight - 2 * slack) return "the route is shorter than the straight line";
  return nullptr;
}

}  // namespace wend
