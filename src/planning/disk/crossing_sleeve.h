#pragma once

#include <vector>

#include "planning/disk/cell_contour.h"

// The free part of a cell between two of its free intervals, as a sleeve: a row of segments from its left border to its
// right border, which every path through the crossing passes in this order.
namespace wend {

// Left and right in the direction of travel.
struct SleevePortal {
  ContourPoint left;
  ContourPoint right;
};

// Where a path begins or ends in the cell.
struct SleeveEnd {
  uint32_t interval = 0;
  bool isPoint = false;  // a corner of the cell, where the interval begins; else the whole interval
};

struct SleeveScratch {
  std::vector<ContourPoint> left;
  std::vector<ContourPoint> right;
};

// Appends the segments between the ends, both left out: a triangulation of the area between both borders, without the
// triangles that have all their corners on one of them. False if a border cannot be traced. O(n^2) at worst for
// n points of both borders, as a rule O(n).
bool findSleeve(const ContourCell& cell, const SleeveEnd& entry, const SleeveEnd& exit, SleeveScratch& scratch,
                std::vector<SleevePortal>& portals);

}  // namespace wend
