#pragma once

#include <array>
#include <span>
#include <vector>

#include <wend/navmesh.h>

#include "planning/clearance/distances.h"

// The walls near a cell whose surroundings lie above each other: a floor wound around a column, a ramp above its own
// foot. There a wall counts only for those places of the cell that see it, straight over the surface.
//
// A place is blocked if and only if a wall is nearer than r over the surface. The nearest point of all walls is either
// a corner in sight, or the foot of the perpendicular on a wall in sight. So only corners and feet are searched. From a
// corner, light spreads through a row of portals as a wedge; from a wall, at right angles, as a slab. Both are the area
// between two lines, so the part of a cell that a corner or a wall blocks, seen through one row, is convex.
namespace wend {

// The places between two lines.
struct Sight {
  struct Line {
    Vec2 at;
    Vec2 along;  // of length 1; what counts is on its left
  };
  std::array<Line, 2> lines;
  double slack = 0;  // places this near count too: then rounding leaves no gap between neighbouring rows

  bool contains(Vec2 p) const { return off(lines[0], p) >= 0 && off(lines[1], p) >= 0; }
  // The part of segment ab that counts, as fractions of it.
  Interval clip(Vec2 a, Vec2 b) const;
  // Cuts off the places that do not count; `scratch` is memory. Fewer than 3 corners: nothing is left.
  void clip(std::vector<Vec2>& polygon, std::vector<Vec2>& scratch) const;

 private:
  double off(const Line& line, Vec2 p) const { return cross(line.along, p - line.at) + slack; }
};

// A corner (a == b) or a part of a wall, and where in a cell it counts.
struct SightWall {
  SideId wall = kNone;
  Vec2 a;
  Vec2 b;
  bool everywhere = false;
  Sight sight;
};

// The walls in sight for one radius. Each wall spreads its light once, when a query first needs a cell near it.
// O(cells in sight) per wall.
class SightTable {
 public:
  // The walls in sight of a cell and nearer than r (lattice units) to it, in ascending order, among the candidates
  // (ascending; all walls nearer than r in plan must be among them). One wall may come up several times.
  void find(const NavMesh& mesh, CellId cell, double r, std::span<const SideId> candidates,
            std::vector<SightWall>& walls);

 private:
  std::vector<uint8_t> spread_;              // per side
  std::vector<std::vector<SightWall>> lit_;  // per cell
};

// Whether two cells of different layers lie above each other.
bool isAnyAbove(const NavMesh& mesh, std::span<const CellId> cells);

}  // namespace wend
