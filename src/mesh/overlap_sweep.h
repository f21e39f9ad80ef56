#pragma once

#include <vector>

#include <wend/navmesh.h>

// Finds cells of a layer that overlap. A line sweeps the plane from left to right and keeps the sides it cuts in order
// (Shamos and Hoey 1976). Each side knows the cell below and the cell above it. If no two sides cross, and between any
// two neighbours on the line both name the same cell, then every place of the plane has exactly one cell or none: a
// simple loop around a place would otherwise have to end without one of its sides being passed. All decisions are
// exact; sides may touch and overlap, no new points are computed. O(n log n).
namespace wend {

struct SweepSide {
  Vec2 left;  // before `right` by x, then y
  Vec2 right;
  CellId below = kNone;
  CellId above = kNone;
  SideId side = kNone;
};
// A side of a cell on its left, and the cell on its right or kNone.
SweepSide sweepSide(Vec2 start, Vec2 end, CellId cell, CellId neighbour, SideId side);

enum class SweepFaultKind : uint8_t {
  kCrossing,  // two sides cross; the sweep ends here
  kLabels,    // two neighbours on the sweep line disagree about the cell between them
  kTouch,     // more than two sides meet at a place (only for single loops)
  kSlit,      // two walls lie back to back, with nothing between them
};
struct SweepFault {
  SweepFaultKind kind;
  SideId first = kNone;   // kNone: the outside
  SideId second = kNone;  // above the first
  CellId firstCell = kNone;
  CellId secondCell = kNone;
  Vec2 place;  // lattice units
};

// At most `limit` faults, in the order of the sweep.
std::vector<SweepFault> sweepSides(std::vector<SweepSide> sides, size_t limit);

// Whether a closed loop neither crosses nor touches itself. Its cells are not looked at.
bool isSimple(std::vector<SweepSide> loop);

}  // namespace wend
