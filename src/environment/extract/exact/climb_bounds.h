#pragma once

#include <vector>

#include "environment/extract/exact/steep_borders.h"

// How much a gradient line over a steep triangle climbs at least, without following any: from which triangle to which
// such lines may lead is known, and where they may come to a floor.
namespace wend::exact {

// Of each steep triangle, by its place: a line over it from floor to floor, as GradientLines follows them, begins no
// higher than the foot and ends no lower than the top.
struct ClimbBounds {
  std::vector<double> foot;  // minus infinity if no floor can be reached
  std::vector<double> top;   // plus infinity if no floor can be reached
};

// Expected O(n log n).
ClimbBounds climbBounds(const Soup& soup, const SidePartners& partners, const SteepFaces& faces,
                        const SteepBorders& borders, const Tolerances& tolerances);

}  // namespace wend::exact
