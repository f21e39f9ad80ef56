#pragma once

#include <span>
#include <vector>

#include "planning/clearance_walls.h"

// The walls near a cell whose surroundings lie above each other: a floor wound around a column, a ramp above its own
// foot. There a wall counts only for those places of the cell from which it is in sight, straight over the surface.
namespace wend {

// A convex polygon.
struct Sight {
  std::vector<Vec2> polygon;
};

struct SightWall {
  SideId wall = kNone;
  std::vector<Vec2> from;  // where in the cell it is in sight; empty for the whole cell
};

// The walls nearer than r to a place that sees them. One wall may come up several times, seen past different vertices;
// false if that would be too many times, and nothing is known.
//
// Which places see a wall through a row of portals? Those from which no right end of a portal lies to the left of a
// left end: each pair of ends is a half-plane, so the places are a convex polygon, cut out of the cell while the search
// goes from portal to portal.
bool findWallsInSight(const NavMesh& mesh, CellId cell, double r, std::vector<SightWall>& walls);

// Whether two cells of different layers lie above each other.
bool isAnyAbove(const NavMesh& mesh, std::span<const CellId> cells);

}  // namespace wend
