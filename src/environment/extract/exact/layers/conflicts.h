#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "environment/extract/exact/drawing/patch_triangles.h"

// Conflicts: pairs of patches of a component that lie above each other, and so cannot be in one layer.
namespace wend::exact {

// Not all pairs are listed: they grow with the square of the storeys.
struct Conflicts {
  // Each once, the smaller first; sorted. All whose facets begin less than `reach` above each other; a patch without
  // any has its nearest, and those up to twice as far.
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  double reach = 0;
  bool all = true;  // no component is higher than that

  // Whether the pairs include all conflicts between two heights. Corners lie a little off their planes.
  bool areAllWithin(double low, double high) const { return high - low < 0.99 * reach; }
};

// O(n log n + pairs). Error: too many (kLimit).
Result<Conflicts> findConflicts(const Soup& soup, const Facets& facets, const Patches& patches,
                                const PatchTriangles& patchTriangles, const Selection& selection,
                                const Tolerances& tolerances, const Context& context);

}  // namespace wend::exact
