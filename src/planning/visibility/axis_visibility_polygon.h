#pragma once

#include <vector>

#include "planning/corridor/retraction.h"

// The visibility polygon of a place on a corridor map. The annotations also cut the free space into convex pieces: per
// arc the quad between its obstacle points, per true vertex the polygon of its nearest points. All corners lie on
// obstacles; sides between obstacle points of opposite sides are open, all others are walls. The view is passed from
// piece to piece through open sides; its bounds are corners, so every decision is the exact sign of an orientation.
namespace wend {

struct ViewPoint {
  Vec2 units;
  LayerId layer = 0;
  uint8_t window = 0;  // the side to the next point is not a wall
};

struct VisibilityScratch {
  struct Entry {
    uint32_t piece;
    uint32_t side;
    Vec2 right;  // the view: from the ray through `right` counter-clockwise to that through `left`
    Vec2 left;
  };
  std::vector<Entry> stack;
  std::vector<uint32_t> pieces;   // candidates for the one around the viewpoint
  std::vector<ViewPoint> points;  // the answer, counter-clockwise
};

// Fills `scratch.points` with the star-shaped polygon seen from a place, up to `range` lattice units (0 = unlimited;
// the circle is drawn with 5 degrees per side). Costs O(pieces seen); never looks into a piece that is not seen. A
// place on an obstacle or on the border of a piece is moved into the piece by about 1e-6 units.
void seeFrom(const CorridorGraph& graph, const Retraction& place, double range, VisibilityScratch& scratch);

}  // namespace wend
