#pragma once

#include <cmath>
#include <vector>

#include <wend/navigator.h>

#include "planning/clearance/distances.h"
#include "planning/stamped.h"

// The visibility polygon of a place: the walls in sight of it and near it, through the portals of a mesh with convex
// cells.
namespace wend {

// A part of a wall in sight, counter-clockwise as seen.
struct SeenWall {
  Vec2 from;
  Vec2 to;
  SideId side = kNone;  // kNone where it is out of range
};

struct SightScratch {
  struct View {
    SideId side;  // to be seen through, or the wall that is seen
    Vec2 right;   // directions that bound the view
    Vec2 left;
    bool whole;  // no bounds yet
  };
  std::vector<View> open;
  std::vector<SeenWall> seen;
  std::vector<CellId> cells;
  std::vector<CellId> around;  // cells at a corner
  StampedSet visited;
  QueryStamp stamp;
};

// Every wall part seen from p in `cell`, counter-clockwise, nearer than `range` lattice units (0: any distance).
// O(cells in sight times their sides). A place on a wall or corner sees what its cell sees.
void lookAround(const NavMesh& mesh, CellId cell, Vec2 p, double range, SightScratch& scratch);

}  // namespace wend
