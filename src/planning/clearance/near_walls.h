#pragma once

#include <span>
#include <vector>

#include <wend/navmesh.h>

#include "planning/clearance/distances.h"
#include "planning/stamped.h"

// The walls near a cell, found through portals only, so that other layers above or below never count.
namespace wend {

struct WallSearchScratch {
  QueryStamp stamp;
  StampedSet seen;
  struct Visit {
    CellId cell;
    SideId entry;
  };
  std::vector<Visit> open;
  std::vector<Vec2> polygon;
  std::vector<CellId> cells;  // those visited, each once
};

inline Vec2 sideStart(const NavMesh& mesh, SideId side) {
  return mesh.vertex(mesh.startVertex(side));
}
inline Vec2 sideEnd(const NavMesh& mesh, SideId side) {
  return mesh.vertex(mesh.endVertex(side));
}

// Appends the walls nearer than r to the cell (lattice units), ascending. Complete: the segment from a point of the
// cell to its nearest wall is free, so every portal on it is nearer than r. Walls hidden behind others may be among
// them; they block only what those block, unless cells lie above each other (walls_in_sight.h). O(sides of the cell
// times sides of cells within r).
void findWalls(const NavMesh& mesh, CellId cell, double r, WallSearchScratch& scratch, std::vector<SideId>& walls);

// Where the straight segment from a in a convex cell to b leaves the cell: the fraction of the segment, and the side;
// kNone if b is in the cell. `entry` is the side by which the segment came. Through a corner it may leave by either
// side.
struct CellExit {
  double at = 1;
  SideId side = kNone;
};
CellExit findExit(const NavMesh& mesh, CellId cell, SideId entry, Vec2 a, Vec2 b);

}  // namespace wend
