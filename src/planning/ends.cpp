#include "planning/ends.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "geometry/predicates.h"
#include "geometry/vec2.h"
#include "mesh/cell_geometry.h"

namespace wend {
namespace {

// Metres divided by the unit miss a lattice point by rounding (about 1e-7 units at the edge of the lattice); within
// this a query point is meant to be the lattice point, so that corners given in metres are exact.
constexpr double kSnap = 1e-6;

// A point on a slanted wall has no exact double. Off the mesh by less than this (0.1 micrometre on the default lattice)
// it is moved onto it.
constexpr double kNudge = 1e-3;
constexpr std::array<Vec2, 9> kMoves{{{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}}};

double snap(double units) {
  const double whole = std::round(units);
  return std::abs(units - whole) <= kSnap ? whole : units;
}

}  // namespace

Vec2 snappedUnits(const Lattice& lattice, const Place& place) {
  const Vec2 raw = lattice.toUnits(place.top());
  return {snap(raw.x), snap(raw.y)};
}

namespace {

// The cells of one layer that contain the point; none off the mesh.
bool locateCells(const NavMesh& mesh, const Locator& locator, const Place& place, End& end) {
  LayerId layer = 0;
  if (mesh.layerCount() > 1) {
    const CellId any = locator.locate(place);
    if (any == kNone) return false;
    layer = mesh.layerOf(any);
  }
  end.units = snappedUnits(mesh.lattice(), place);
  end.z = locator.height(place.top(), layer);
  if (mesh.layerCount() == 1 && place.z && !(std::abs(end.z - *place.z) <= place.tolerance)) return false;
  end.cells.resize(std::max<size_t>(end.cells.capacity(), 8));
  size_t found = locator.locateAll(end.units, layer, end.cells);
  if (found > end.cells.size()) {
    end.cells.resize(found);
    found = locator.locateAll(end.units, layer, end.cells);
  }
  end.cells.resize(found);
  return found > 0;
}

// Whether a wall of the cell runs through p, a lattice point, but for the rounding of the wall's ends. Off the lattice
// they have no exact double, and miss the wall by some 2^-53 of their coordinates.
bool hasWallThrough(const NavMesh& mesh, CellId cell, Vec2 p) {
  // A lattice point that is not on a line through lattice points is at least 1 / length away from it, which is more
  // than this up to coordinates of 1e7 units (1 km on the default lattice). So no obstacle is passed there, however
  // thin; further out none of more than some millionths of a unit.
  constexpr double kRounding = 0x1p-48;
  for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
    if (!mesh.isWall(s)) continue;
    const Vec2 a = mesh.vertex(mesh.startVertex(s));
    const Vec2 b = mesh.vertex(mesh.endVertex(s));
    const double largest = std::max({std::abs(a.x), std::abs(a.y), std::abs(b.x), std::abs(b.y)});
    if (distanceToSegment(p, a, b) <= kRounding * largest) return true;
  }
  return false;
}

bool isWallCorner(const NavMesh& mesh, CellId cell, Vec2 p) {
  for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
    if (mesh.vertex(mesh.startVertex(s)) == p) return mesh.isWall(s) || mesh.isWall(mesh.previousSide(s));
  }
  return false;
}

// Where areas touch in a point, that point is a corner of all of them but one at most, whose wall may run straight
// through it. Not every mesh has a vertex there (ecm has none), and then the point is beside the wall by the rounding
// of the wall's ends. Adds the cells of that wall. Nothing to do at other places than corners.
void addBehindStraightWall(const NavMesh& mesh, const Locator& locator, End& end) {
  const auto isCorner = [&](CellId cell) { return isWallCorner(mesh, cell, end.units); };
  if (!isWhole(end.units) || std::none_of(end.cells.begin(), end.cells.end(), isCorner)) return;
  const LayerId layer = mesh.layerOf(end.cells.front());
  std::array<CellId, 8> near{};
  for (const Vec2 move : kMoves) {
    const Vec2 moved{end.units.x + kNudge * move.x, end.units.y + kNudge * move.y};
    const size_t found = std::min(near.size(), locator.locateAll(moved, layer, near));
    for (size_t i = 0; i < found; ++i) {
      if (std::find(end.cells.begin(), end.cells.end(), near[i]) != end.cells.end()) continue;
      if (hasWallThrough(mesh, near[i], end.units)) end.cells.push_back(near[i]);
    }
  }
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
  const double step = kNudge * mesh.lattice().unit;
  const bool found = std::any_of(kMoves.begin(), kMoves.end(), [&](Vec2 move) {
    Place moved = place;
    moved.x += step * move.x;
    moved.y += step * move.y;
    return locateCells(mesh, locator, moved, end);
  });
  if (!found) return false;
  addBehindStraightWall(mesh, locator, end);
  for (const CellId cell : end.cells) seen.insert(cell, now);
  addAcrossPortals(mesh, now, seen, end);
  return true;
}

}  // namespace wend
