#include "planning/search_mesh/route_translation.h"

#include <cmath>

namespace wend {
namespace {

// Metres divided by the unit miss a lattice point by rounding; corners of walls must be met exactly.
Vec2 unitsOf(const Lattice& lattice, const Vec3& point) {
  constexpr double kRounding = 1e-6;
  const Vec2 units = lattice.toUnits({point.x, point.y});
  const Vec2 whole{std::round(units.x), std::round(units.y)};
  return std::abs(whole.x - units.x) < kRounding && std::abs(whole.y - units.y) < kRounding ? whole : units;
}

bool walkFrom(CellId cell, const NavMesh& mesh, TranslationScratch& scratch, Route& route) {
  route.cells.clear();
  route.portals.clear();
  CellWalk walk(mesh, scratch.visits, route);
  walk.start(cell, scratch.start.units);
  for (size_t i = 1; i < route.points.size(); ++i) {
    const Vec2 p = unitsOf(mesh.lattice(), route.points[i]);
    if (!walk.to(p) && !walk.along(p)) return false;
  }
  return true;
}

}  // namespace

bool translateRoute(const NavMesh& mesh, TranslationScratch& scratch, Route& route) {
  route.shrunkPortals.clear();
  // Where free space touches itself in a point, only one of the cells around it is that of the route.
  for (const CellId cell : scratch.start.cells) {
    if (walkFrom(cell, mesh, scratch, route)) return true;
  }
  route.cells.clear();
  route.portals.clear();
  return false;
}

}  // namespace wend
