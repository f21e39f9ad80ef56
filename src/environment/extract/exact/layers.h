#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "environment/extract/exact/surface.h"

// Patches gathered into layers that do not overlap themselves in top view.
namespace wend::exact {

struct LayerPlan {
  std::vector<uint32_t> layer;  // of each patch, kNone if it is not wanted
  uint32_t count = 0;
};

// Linked patches stay together if they overlap nothing, or all overlap something but not each other. Each layer grows
// from the lowest part left and takes what has the longest border with it (steps count little) until it would overlap
// itself. So neither triangles nor directions matter. Parts that are not connected get layers of their own.
// O(n log n + conflicts).
LayerPlan makeLayers(const Facets& facets, const Patches& patches, const Edges& edges, const Links& links,
                     const Selection& selection, const std::vector<std::pair<uint32_t, uint32_t>>& conflicts,
                     const Tolerances& tolerances, const Context& context);

}  // namespace wend::exact
