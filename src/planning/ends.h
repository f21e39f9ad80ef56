#pragma once

#include <vector>

#include <wend/navmesh.h>

#include "planning/stamped.h"

// Where a query begins and ends on the mesh.
namespace wend {

// A query point on the mesh.
struct End {
  Vec2 units;
  double z = 0;               // metres, of the surface
  std::vector<CellId> cells;  // all whose closed polygon contains the point, through portals into other layers too
};

// Finds the cells of a point given in metres. The layer is the one nearest in height to z, within 1 m, or the lowest
// one if no heights are given. Within it the point belongs to every cell that touches it: both sides of a portal, all
// cells around a vertex, and each of the fans that meet only in that point. Returns false off the mesh.
bool locateEnd(const NavMesh& mesh, const Locator& locator, Vec3 metres, bool withHeights, QueryStamp now,
               StampedSet& seen, End& end);

}  // namespace wend
