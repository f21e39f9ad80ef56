#pragma once

#include <cstddef>
#include <vector>

#include "geometry/growth/region_shape.h"

// Joins neighbouring convex polygons whose union is convex.
namespace wend::growth {

using Outline = std::vector<OutlineEdge>;

// Joins pairs until no union of two is convex: the largest union first, equal ones in the order of the polygons.
// Straight corners disappear, so each side ends where the boundary turns. Exact: two polygons are joined if they share
// a whole side of both and turn left or go straight at its ends. A side on a wall is never shared. O(n log n).
void mergeConvex(std::vector<Outline>& cells);

}  // namespace wend::growth
