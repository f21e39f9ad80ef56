#pragma once

#include <vector>

#include "environment/extract/exact/cut.h"
#include "environment/extract/exact/tolerances.h"

// Free space so narrow that only rounding can have made it.
namespace wend::exact {

// Plugs for every neck of the free space narrower than the tolerance. The narrowest place of a neck is between a corner
// that bends into the free space and a side; there the plug stands. What lies between two plugs falls off as a sliver.
// O(n + corners * sides near them).
void findPlugs(const Rings& rings, const Tolerances& tolerances, std::vector<Convex>& plugs);

}  // namespace wend::exact
