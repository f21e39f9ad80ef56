#pragma once

#include <utility>
#include <vector>

#include "environment/extract/exact/layers.h"

// Fewer layers: a part of the world that fits into one layer moves into another part's, where both are apart in top
// view and at about the same height.
namespace wend::exact {

void shareLayers(const Facets& facets, const Patches& patches, const Edges& edges, const Links& links,
                 const Selection& selection, const std::vector<std::pair<uint32_t, uint32_t>>& conflicts,
                 const Tolerances& tolerances, const Context& context, LayerPlan& plan);

}  // namespace wend::exact
