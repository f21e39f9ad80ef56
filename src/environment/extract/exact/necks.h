#pragma once

#include <vector>

#include "environment/extract/exact/cut.h"

// Free space so narrow that only rounding can have made it.
namespace wend::exact {

// Plugs for every neck of the free space narrower than `width` units. The narrowest place of a neck is between a corner
// that bends into the free space and a side; there the plug stands. What lies between two plugs falls off as a sliver.
// O(n + corners * sides near them).
void findPlugs(const Rings& rings, double width, std::vector<Convex>& plugs);

}  // namespace wend::exact
