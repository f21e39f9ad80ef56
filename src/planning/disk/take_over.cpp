#include "planning/disk/take_over.h"

#include <algorithm>
#include <cmath>

#include "geometry/vec2.h"
#include "mesh/cell_geometry.h"
#include "planning/visibility/nearest_obstacle.h"

namespace wend {
namespace {

// A corner that went through metres is the same corner again: beside it, it may lie behind a wall.
Vec2 nearLattice(Vec2 units) {
  constexpr double kRounding = 1e-6;
  const Vec2 whole{std::round(units.x), std::round(units.y)};
  return std::abs(whole.x - units.x) < kRounding && std::abs(whole.y - units.y) < kRounding ? whole : units;
}

// Where the polyline crosses a portal: the distance from the portal's start. Begins with segment `at` and moves it on.
double crossingOf(const Lattice& lattice, const Route& route, Vec2 a, Vec2 b, size_t& at) {
  const Vec2 d = b - a;
  const double size = length(d);
  double best = HUGE_VAL;
  double along = 0.5 * size;
  for (size_t i = at; i + 1 < route.points.size(); ++i) {
    const Vec2 p = lattice.toUnits({route.points[i].x, route.points[i].y});
    const Vec2 q = lattice.toUnits({route.points[i + 1].x, route.points[i + 1].y});
    const double pAcross = cross(d, p - a);
    const double qAcross = cross(d, q - a);
    const double t = pAcross != qAcross ? std::clamp(pAcross / (pAcross - qAcross), 0.0, 1.0) : 0.5;
    const Vec2 over = between(p, q, t);
    const Vec2 on = closestOnSegment(over, a, b);
    const double off = distance(over, on);
    if (off < best) {
      best = off;
      along = distance(a, on);
      at = i;
    }
    // One unit: the points of a route are rounded.
    if (best <= 1) break;
  }
  return along;
}

void addShrunkPortals(const NavMesh& mesh, ShrunkPortals& table, Route& route) {
  size_t at = 0;
  for (const SideId side : route.portals) {
    const SideId smaller = std::min(side, mesh.twin(side));
    const double along = crossingOf(mesh.lattice(), route, startPoint(mesh, smaller), endPoint(mesh, smaller), at);
    uint32_t first = 0;
    const std::span<const ShrunkPortalUnits> shrunk = table.shrunkPortals(smaller, first);
    double miss = HUGE_VAL;
    ShrunkPortal best{mesh.lattice().toMetres(endPoint(mesh, side)), mesh.lattice().toMetres(startPoint(mesh, side))};
    for (const ShrunkPortalUnits& s : shrunk) {
      const double off = std::max({0.0, s.low - along, along - s.high});
      if (off >= miss) continue;
      miss = off;
      // A path that enters the cell of a side has the start of that side on its left.
      const Vec2 low = mesh.lattice().toMetres(s.ends[0].place);
      const Vec2 high = mesh.lattice().toMetres(s.ends[1].place);
      best = side == smaller ? ShrunkPortal{high, low} : ShrunkPortal{low, high};
    }
    route.shrunkPortals.push_back(best);
  }
}

}  // namespace

bool takeOver(const NavMesh& mesh, CellId cell, ShrunkPortals* table, SightScratch& sight,
              std::vector<CellVisit>& visits, Route& route) {
  const auto unitsOf = [&](const Vec3& p) { return nearLattice(mesh.lattice().toUnits(Vec2{p.x, p.y})); };
  const Vec2 start = unitsOf(route.points.front());
  if (route.points.size() > 1) {
    const double wanted = table == nullptr ? 0 : (1 - kRadiusSlack) * table->radius() - 1;
    if (clearanceOfSegment(mesh, cell, start, unitsOf(route.points[1]), sight) < wanted) return false;
  }
  CellWalk walk(mesh, visits, route);
  walk.start(cell, start);
  for (size_t i = 1; i < route.points.size(); ++i) {
    if (walk.to(unitsOf(route.points[i]))) continue;
    route.cells.clear();
    route.portals.clear();
    return false;
  }
  if (table != nullptr) addShrunkPortals(mesh, *table, route);
  return true;
}

}  // namespace wend
