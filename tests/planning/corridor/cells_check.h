#pragma once

#include <string>
#include <vector>

#include <wend/route.h>

#include "geometry/vec2.h"
#include "mesh/cell_geometry.h"
#include "planning/clearance/distances.h"

// Whether Route::cells are the cells that the route crosses.
namespace wend {

// Lattice units: points within this of a border lie in both cells.
inline constexpr double kBorder = 0.01;

inline bool isUnder(const NavMesh& mesh, CellId cell, Vec2 p) {
  if (contains(mesh, cell, p)) return true;
  for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
    if (distanceToSegment(p, startPoint(mesh, s), endPoint(mesh, s)) < kBorder) return true;
  }
  return false;
}

inline bool isUnder(const NavMesh& mesh, CellId cell, Vec2 a, Vec2 b) {
  if (contains(mesh, cell, a)) return true;
  for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
    if (closestBetween(startPoint(mesh, s), endPoint(mesh, s), a, b).distance < kBorder) return true;
  }
  return false;
}

// Portals lead from each cell to the next; the cells under points along the route are among them, in order; and there
// is no other cell among them.
inline std::string cellsFault(const NavMesh& mesh, const Route& route) {
  if (route.portals.size() + 1 != route.cells.size()) return "counts";
  for (size_t k = 0; k < route.portals.size(); ++k) {
    if (mesh.cellOf(route.portals[k]) != route.cells[k]) return "portal of another cell";
    if (mesh.neighbour(route.portals[k]) != route.cells[k + 1]) return "portal to another cell";
  }
  std::vector<Vec2> points;
  for (const Vec3 p : route.points) points.push_back(mesh.lattice().toUnits({p.x, p.y}));
  if (points.size() == 1) points.push_back(points.front());
  size_t at = 0;
  constexpr int kSteps = 16;
  for (size_t i = 0; i + 1 < points.size(); ++i) {
    for (int k = 0; k <= kSteps; ++k) {
      const Vec2 p = between(points[i], points[i + 1], static_cast<double>(k) / kSteps);
      while (at < route.cells.size() && !isUnder(mesh, route.cells[at], p)) ++at;
      if (at == route.cells.size()) return "no cell under point " + std::to_string(i) + " step " + std::to_string(k);
    }
  }
  for (const CellId cell : route.cells) {
    bool crossed = false;
    for (size_t i = 0; i + 1 < points.size() && !crossed; ++i) crossed = isUnder(mesh, cell, points[i], points[i + 1]);
    if (!crossed) return "a cell away from the route";
  }
  return isUnder(mesh, route.cells.back(), points.back()) ? "" : "the goal is in another cell";
}

}  // namespace wend
