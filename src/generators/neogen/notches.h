#pragma once

#include <wend/context.h>

#include "generators/neogen/subdivision.h"

// Resolves notches: adds portals until no boundary vertex has an angle above 180 degrees in any cell.
namespace wend::neogen {

// Portals between pairs of notches that lie in each other's area of interest, the shortest first.
void connectNotchPairs(Subdivision& subdivision, const Context& context);

// One portal, at most two, for every notch that is left: to the nearest element in its area of interest.
void connectNotches(Subdivision& subdivision, const Context& context);

// Those that end inside a connection first, then the longest.
std::vector<Subdivision::Half> portalsByLength(const Subdivision& subdivision);

// Leaves out every portal that neither of its ends needs, the longest first. Corners only grow, so one pass is enough.
void removeUnneeded(Subdivision& subdivision);

}  // namespace wend::neogen
