#pragma once

#include <span>
#include <vector>

#include "planning/clearance/cell_crossings.h"

// The border of the free part of a convex cell, between two of its free intervals: lines and arcs at a radius from the
// walls.
//
// The places that one wall blocks have an outline of two lines and two arcs. The trace follows the outline of a wall
// with the wall on its right. Where the outline enters what another wall blocks, the trace goes on along the other
// outline. It ends where it leaves the cell, at the begin of the next free interval.
namespace wend {

// Counter-clockwise on the border of the cell.
struct ContourInterval {
  Vec2 begin;
  Vec2 end;
  uint32_t endWall = kNoWall;  // index of the wall that ends it; kNoWall at a free corner of the cell
  uint32_t face = 0;           // intervals with the same number are joined
};

struct ContourPoint {
  Vec2 place;
  Vec2 centre;        // the nearest point of the wall
  double radius = 0;  // of the circle around it; 0 at a free corner of the cell, where the centre is the place
};

struct ContourCell {
  std::span<const Vec2> polygon;  // counter-clockwise
  std::span<const ContourInterval> intervals;
  std::span<const Wall> walls;  // those without a limited sight count
  double r = 0;
  double arcStep = 0;  // radians; arcs get a point at least this often
};

// Appends the points of the border from the end of interval `from` to the begin of the next one of its face, both
// included up to rounding, and returns the number of that interval. kNoWall if rounding stops the trace, or if walls
// count in parts of the cell only. O(walls) per line and arc of the border.
uint32_t traceContour(const ContourCell& cell, uint32_t from, std::vector<ContourPoint>& points);

}  // namespace wend
