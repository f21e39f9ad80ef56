#pragma once

#include <wend/context.h>

#include "generators/neogen/subdivision.h"

// Fewer portals by local search.
namespace wend::neogen {

// A portal that resolves two notches cannot be saved; one that only one of its ends needs is spare. A group of k
// neighbouring portals with at least two spare ends is taken out, and k - 1 portals for the notches that appear are
// searched for: pairs of notches in each other's area of interest first, then single cuts. This is the search for
// augmenting paths of a matching, restricted to paths of up to three portals in neighbouring cells and to portals that
// do not cross. Each success saves a cell, so the search ends; what a portal looks at is limited, so it takes time
// proportional to the portals. With `relaxed`, where convex corners alone do not make simple polygons of the cells,
// results that would break one are refused.
void savePortals(Subdivision& subdivision, bool relaxed, const Context& context);

}  // namespace wend::neogen
