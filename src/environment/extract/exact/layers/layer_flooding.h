#pragma once

#include <cstdint>
#include <vector>

#include "environment/extract/exact/layers/conflicts.h"

// Layer flooding of the exact method: gathers patches into layers that do not overlap themselves in top view.
namespace wend::exact {

struct LayerPlan {
  std::vector<uint32_t> layer;  // of each patch, kNone if it is not wanted
  uint32_t count = 0;
};

// Linked patches stay together if they overlap nothing, or all overlap something but not each other. Each layer grows
// from the lowest patches left and takes what has the longest border with it (steps count little) until it would
// overlap itself. So neither triangles nor directions matter. Components get layers of their own. Conflicts that are
// not listed are searched for where patches so far above each other would come into one layer. O(n log n + listed
// conflicts) but for such patches.
LayerPlan floodLayers(const Facets& facets, const Patches& patches, const Edges& edges, const Links& links,
                      const Selection& selection, const PatchTriangles& patchTriangles, const Conflicts& conflicts,
                      const Tolerances& tolerances);

}  // namespace wend::exact
