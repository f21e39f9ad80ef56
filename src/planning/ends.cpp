#include "planning/ends.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "geometry/predicates.h"
#include "geometry/vec2.h"

namespace wend {
namespace {

// Metres divided by the unit miss a lattice point by rounding (about 1e-7 units at the edge of the lattice); within
// this a query point is meant to be the lattice point, so that corners given in metres are exact.
constexpr double kSnap = 1e-6;

// A point on a slanted wall has no exact double. Off the mesh by less than this (0.1 micrometre on the default lattice)
// it is moved onto it.
constexpr double kNudge = 1e-3;

double snap(double units) {
  const double whole = std::round(units);
  return std::abs(units - whole) <= kSnap ? whole : units;
}

// The cells of one layer that contain the point; none off the mesh.
bool locateCells(const NavMesh& mesh, const Locator& locator, const Place& place, End& end) {
  const CellId any = locator.locate(place);
  if (any == kNone) return false;
  const LayerId layer = mesh.layerOf(any);
  const Vec2 raw = mesh.lattice().toUnits(place.top());
  end.units = {snap(raw.x), snap(raw.y)};
  end.z = locator.height(place.top(), layer);
  end.cells.resize(std::max<size_t>(end.cells.capacity(), 8));
  size_t found = locator.locateAll(end.units, layer, end.cells);
  if (found > end.cells.size()) {
    end.cells.resize(found);
    found = locator.locateAll(end.units, layer, end.cells);
  }
  end.cells.resize(found);
  return found > 0;
}

// Adds the cells behind portals that contain the point: cells of other layers at a connection.
void addAcrossPortals(const NavMesh& mesh, QueryStamp now, StampedSet& seen, End& end) {
  for (size_t i = 0; i < end.cells.size(); ++i) {
    const CellId cell = end.cells[i];
    for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
      if (mesh.isWall(s) || seen.has(mesh.neighbour(s), now)) continue;
      const Vec2 a = mesh.vertex(mesh.startVertex(s));
      const Vec2 b = mesh.vertex(mesh.endVertex(s));
      if (!isBetween(a, end.units, b) || orient(a, b, end.units) != 0) continue;
      seen.insert(mesh.neighbour(s), now);
      end.cells.push_back(mesh.neighbour(s));
    }
  }
}

}  // namespace

bool locateEnd(const NavMesh& mesh, const Locator& locator, const Place& place, QueryStamp now, StampedSet& seen,
               End& end) {
  end.cells.clear();
  const double reach = mesh.lattice().reach() + mesh.lattice().unit;
  if (std::abs(place.x) > reach || std::abs(place.y) > reach) return false;
  constexpr std::array<Vec2, 9> kMoves{{{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}}};
  const double step = kNudge * mesh.lattice().unit;
  const bool found = std::any_of(kMoves.begin(), kMoves.end(), [&](Vec2 move) {
    Place moved = place;
    moved.x += step * move.x;
    moved.y += step * move.y;
    return locateCells(mesh, locator, moved, end);
  });
  if (!found) return false;
  for (const CellId cell : end.cells) seen.insert(cell, now);
  addAcrossPortals(mesh, now, seen, end);
  return true;
}

}  // namespace wend
