#pragma once

#include <vector>

#include "environment/extract/exact/drawing/patch_heights.h"
#include "environment/extract/exact/drawing/separate.h"

// From the borders of patches to the environment.
namespace wend::exact {

struct Assembly {
  const Scene& scene;
  const Soup& soup;
  const Facets& facets;
  const Patches& patches;
  const PatchTriangles& patchTriangles;
  const PatchHeights& heights;
  const PatchBorders& borders;
  const LayerPlan& plan;
  const Separation& separation;
};

// The environment; what could not be kept goes to `spots`.
Result<Environment> assemble(const Assembly& from, const ExtractSettings& settings, const Tolerances& tolerances,
                             std::vector<ExtractSpot>& spots, const Context& context);

}  // namespace wend::exact
