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
// from the lowest part left and takes what has the longest border with it (steps count little) until it would overlap
// itself. So neither triangles nor directions matter. Parts that are not connected get layers of their own.
// Conflicts that are not listed are looked for where parts so far above each other would come together.
// O(n log n + listed conflicts) but for such parts.
LayerPlan floodLayers(const Facets& facets, const Patches& patches, const Edges& edges, const Links& links,
                      const Selection& selection, const PatchTriangles& patchTriangles, const Conflicts& conflicts,
                      const Tolerances& tolerances);

}  // namespace wend::exact
