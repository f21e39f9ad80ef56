#pragma once

#include <vector>

#include <wend/navmesh.h>
#include <wend/place.h>

#include "planning/stamped.h"

// The ends of a query on the mesh: its start and its goal.
namespace wend {

// A query point on the mesh.
struct End {
  Vec2 units;
  double z = 0;               // metres, of the surface
  std::vector<CellId> cells;  // all whose closed polygon contains the point, through portals into other layers too
};

// The place in lattice units; what is meant to be a lattice point is one.
Vec2 snappedUnits(const Lattice& lattice, const Place& place);

// Finds the cells of a place. Within its layer the place belongs to every cell that touches it: both sides of a portal,
// all cells around a vertex, and each of the fans that meet only in that point. Returns false off the mesh.
bool locateEnd(const NavMesh& mesh, const Locator& locator, const Place& place, QueryStamp now, StampedSet& seen,
               End& end);

}  // namespace wend
