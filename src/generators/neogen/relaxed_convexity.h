#pragma once

#include <utility>
#include <vector>

#include "generators/neogen/neogen.h"
#include "generators/neogen/subdivision.h"

// Relaxed convexity: which notches get a portal, given alpha and tau, and the cells around those that get none.
namespace wend::neogen {

// A corner of the boundary: its vertex and the next one of the walk. No two corners of a layer have both in common.
using BoundaryCorner = std::pair<Point, Point>;

struct NotchChoice {
  size_t kept = 0;                      // notches that get a portal
  std::vector<BoundaryCorner> ignored;  // the others, sorted
};

// A notch needs an angle above 180 + alpha degrees. Of each run of notches between two other vertices, tau keeps the
// furthest from the line between the ends of the run and goes on with the two halves, until what is left lies within
// tau of its line (as Ramer, Douglas and Peucker do). A ring of notches only is a run from its first to its last
// vertex, both kept.
NotchChoice chooseNotches(const Layer& layer, const Lattice& lattice, const Settings& settings);

// Marks these notches of the component as ignored; false if it has none of them. Call it before the functions below.
bool ignoreNotches(Subdivision& subdivision, std::span<const BoundaryCorner> ignored);

// Around ignored notches, a cell may surround a hole or touch itself. Such cells are cut into triangles, so that
// every cell is a simple polygon.
void cutCellsThatAreNotSimple(Subdivision& subdivision);

// Leaves out portals that neither end needs, the longest first, as long as the cells stay simple polygons, as all must
// be before. O(n log n).
void mergeSimply(Subdivision& subdivision);

}  // namespace wend::neogen
