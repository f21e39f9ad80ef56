#pragma once

#include <wend/queries.h>

#include "planning/clearance/portal_shrinking.h"
#include "planning/surface/cell_buckets.h"
#include "planning/visibility/nearest_obstacle.h"

// What the queries of places and moves work on: a mesh of convex cells, and the walls near each cell for one radius.
namespace wend {

struct Surface {
  const NavMesh& mesh;
  const Locator& locator;
  const CellBuckets& buckets;
  ShrunkPortals* table = nullptr;  // of the disk; null for a point

  double unit() const { return mesh.lattice().unit; }
  double radius() const { return table == nullptr ? 0 : table->radius(); }  // lattice units
  Vec3 lifted(Vec2 units, CellId cell) const {
    const Vec2 metres = mesh.lattice().toMetres(units);
    return {metres.x, metres.y, locator.height(metres, mesh.layerOf(cell))};
  }
  // Whether the surface of a cell at a place is at the height of a query.
  bool isAtHeight(const Place& query, Vec2 units, CellId cell) const {
    return !query.z || std::abs(lifted(units, cell).z - *query.z) <= query.tolerance;
  }
  bool isFree(CellId cell, Vec2 units) const { return table == nullptr || table->isFree(cell, units); }
};

// A place on the mesh, lattice units.
struct SurfacePlace {
  Vec2 units;
  CellId cell = kNone;
};

}  // namespace wend
