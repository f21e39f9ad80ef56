#pragma once

#include <vector>

#include "planning/corridor/retraction.h"
#include "planning/stamped.h"

// Sight between two places on a corridor map, and the radius of the largest disk that can move straight between them.
namespace wend {

struct CorridorSightScratch {
  struct Entry {
    uint32_t arc;
    double in;  // length along the segment where it enters the cell
  };
  std::vector<Entry> stack;
  StampedArray<double> seenUpTo;  // per arc: how far along the segment it was tested
};

struct CorridorSight {
  bool visible = false;
  double clearance = 0;     // lattice units; least distance of the segment, as far as seen, from obstacles
  Vec2 narrowest;           // the point of the segment where that is
  uint32_t endArc = kNone;  // in whose cell it ends, if visible
};

// Walks the straight segment from cell to cell. The nearest obstacle of each of its points bounds the point's own cell,
// so the answer is exact, also where the segment passes above or below other layers. Stops early, not visible, once the
// clearance falls below `enough`. With `to.arc` unknown (kNone) the segment ends wherever the surface leads it; a
// clearance of `to` that is not known is infinity. O(cells passed).
CorridorSight lookAlong(const CorridorGraph& graph, const Retraction& from, const Retraction& to, double enough,
                        QueryStamp now, CorridorSightScratch& scratch);

}  // namespace wend
