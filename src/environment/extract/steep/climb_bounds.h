#pragma once

#include <span>
#include <vector>

#include "environment/extract/steep/steep_borders.h"

// How much a gradient line over a steep triangle climbs at least, without following any: from which triangle to which
// such lines may lead is known, over which sides, and where they may come to a floor.
namespace wend::extraction {

// Of some steep triangles, by their places: a line over it from floor to floor, as GradientLines follows them, comes at
// least as low as the foot and as high as the top. It may end a little lower, across a crack; what it climbed counts.
struct ClimbBounds {
  std::vector<double> foot;  // minus infinity if no floor can be reached
  std::vector<double> top;   // plus infinity if no floor can be reached
};

// Looks at what can be come to from the given triangles only. Expected O(n log n).
ClimbBounds climbBounds(const Soup& soup, const TriangleNeighbours& neighbours, const SteepFaces& faces,
                        const SteepBorders& borders, std::span<const uint32_t> triangles, const Context& context);

}  // namespace wend::extraction
