#pragma once

#include <vector>

#include "environment/extract/exact/drawing/patch_triangles.h"

// What links join but polygons do not: passages of a few millimetres that drawing the layers closed.
namespace wend::exact {

// A spot for each passage that is missing, the longest first, until those together would join what links join, and one
// for each part that was cut off from its own patch. O(n log n).
std::vector<ExtractSpot> findLostPassages(const Environment& environment, const Soup& soup, const Facets& facets,
                                          const Patches& patches, const Edges& edges, const Links& links,
                                          const Selection& selection, const PatchTriangles& patchTriangles);

}  // namespace wend::exact
