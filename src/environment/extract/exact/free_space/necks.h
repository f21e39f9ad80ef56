#pragma once

#include <vector>

#include "environment/extract/polygons/cut.h"
#include "environment/extract/tolerances.h"

// Free space so narrow that only rounding can have made it.
namespace wend::exact {

// Plugs for every neck of the free space narrower than the tolerance. The narrowest place of a neck is between a corner
// that bends into the free space and a side; there the plug stands. What lies between two plugs falls off as a sliver.
// O(n + corners * sides near them).
void findPlugs(const Rings& rings, const Tolerances& tolerances, std::vector<Convex>& plugs);

// Takes out hairs: spikes of free space between two lines that are the same, such as the common side of two obstacles
// that were cut each on its own. A plug would take more than the hair, from the border that it grows on. True if there
// were any. O(n).
bool dropHairs(Rings& rings, const Tolerances& tolerances);

}  // namespace wend::exact
