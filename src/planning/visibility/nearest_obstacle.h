#pragma once

#include <cmath>

#include "planning/visibility/mesh_visibility_polygon.h"

// The nearest wall of a place or a segment, and the empty disk beside it, on a mesh with convex cells.
namespace wend {

// The least distance from segment ab to a wall, lattice units, infinity if the mesh has none; negative if the segment
// leaves the mesh. Walls are found through portals. `end` becomes the cell of b.
double clearanceOfSegment(const NavMesh& mesh, CellId cell, Vec2 a, Vec2 b, SightScratch& scratch,
                          CellId* end = nullptr);

struct NearestWall {
  Vec2 point;  // lattice units
  double distance = HUGE_VAL;
  SideId side = kNone;  // kNone: no wall within reach
};
// In sight of p, and nearer than `reach` lattice units. O(cells within the distance).
NearestWall nearestWall(const NavMesh& mesh, CellId cell, Vec2 p, double reach, SightScratch& scratch);

// The nearest of all walls that p sees, at any distance.
NearestWall nearestObstacle(const NavMesh& mesh, CellId cell, Vec2 p, SightScratch& scratch);

// A disk without walls that touches the nearest one and contains p, found by bisection, with a radius up to
// `reach`.
struct EmptyDisk {
  NearestWall wall;
  Vec2 centre;
  double radius = 0;
};
EmptyDisk emptyDiskAround(const NavMesh& mesh, CellId cell, Vec2 p, double reach, SightScratch& scratch);

}  // namespace wend
