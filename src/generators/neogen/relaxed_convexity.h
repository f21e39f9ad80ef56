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
  std::vector<BoundaryCorner> strict;   // kept although within alpha, sorted
};

// A notch needs an angle above 180 + alpha degrees. In a row of smaller ones, as on a finely drawn curve, the angles
// add up, and the one with which they exceed alpha is kept: a row turns by at most alpha between kept notches. Of each
// run of notches between two other vertices, tau keeps the furthest from the line between the ends of the run and goes
// on with the two halves, until what is left lies within tau of its line (as Ramer, Douglas and Peucker do). A ring of
// notches only is a run from its first to its last vertex, both kept.
NotchChoice chooseNotches(const Layer& layer, const Lattice& lattice, const Settings& settings);

// Marks these notches of the component as ignored or strict; false if it ignores none. Call it before the functions
// below.
bool ignoreNotches(Subdivision& subdivision, const NotchChoice& choice);

// Of an ignored notch: how far it stands out of the convex hull of its cell, lattice units.
struct Dent {
  BoundaryCorner notch;
  double depth;
  bool withinAlpha;  // alpha allows the notch, tau does not: it needs a portal
};
// The deepest ignored notch over each side of each cell's convex hull, if it stands out by more than tau.
std::vector<Dent> deepDents(const Subdivision& subdivision, double tau);

// Around ignored notches, a cell may surround a hole or touch itself. Such cells are cut into triangles, so that
// every cell is a simple polygon.
void cutCellsThatAreNotSimple(Subdivision& subdivision);

// Leaves out portals that neither end needs, the longest first, as long as the cells stay simple polygons, as all must
// be before. O(n log n).
void mergeSimply(Subdivision& subdivision);

}  // namespace wend::neogen
