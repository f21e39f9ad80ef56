#pragma once

#include "environment/extract/exact/layers/layer_flooding.h"

// Fewer layers: a component that fits into one layer moves into the layer of another component, where both are apart in
// top view and at about the same height.
namespace wend::exact {

// O(n log^2 n) in practice: each component tries a few layers, and tests only what lies beneath and beside it.
void shareLayers(const Facets& facets, const Patches& patches, const Edges& edges, const Links& links,
                 const Selection& selection, const PatchTriangles& patchTriangles, const Tolerances& tolerances,
                 LayerPlan& plan);

}  // namespace wend::exact
