#pragma once

#include <span>
#include <vector>

#include "environment/extract/steep/steep_borders.h"

// Lower bounds on how much a gradient line over a steep triangle climbs, without following any line. They use the
// triangles and sides over which such lines may lead, and the floors that they may reach.
namespace wend::extraction {

// Of some steep triangles, by their places: a line over it from floor to floor, as GradientLines follows them, comes at
// least as low as the foot and as high as the top. It may end a little lower, across a crack; what it climbed counts.
struct ClimbBounds {
  std::vector<double> foot;  // minus infinity if no floor can be reached
  std::vector<double> top;   // plus infinity if no floor can be reached
};

// Visits only what the given triangles lead to, and keeps what it looks up in the borders. Expected O(n log n).
ClimbBounds climbBounds(const Soup& soup, const TriangleNeighbours& neighbours, const SteepFaces& faces,
                        SteepBorders& borders, std::span<const uint32_t> triangles, const Context& context);

}  // namespace wend::extraction
