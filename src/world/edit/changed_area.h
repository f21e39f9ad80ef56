#pragma once

#include <span>

#include <wend/generate.h>

#include "environment/edit/boundary_change.h"
#include "environment/edit/footprint.h"

namespace wend {

// Boxes that hold every difference between two environments that the same base and different obstacles gave: of each
// boundary edge and connection segment that only one has, and of the footprints that came or went where there is such
// an edge at all. Boxes of one layer do not overlap. Expected O(n).
ChangedArea changedArea(const Environment& before, const Environment& after, std::span<const Footprint> cameOrWent);

// The same from what changed of the boundary. O(what changed, and the connections).
ChangedArea changedArea(const BoundaryChange& change, const Environment& before, const Environment& after,
                        std::span<const Footprint> cameOrWent);

}  // namespace wend
