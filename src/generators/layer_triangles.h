#pragma once

#include <vector>

#include <wend/environment.h>

#include "geometry/triangulation/triangulation.h"

// Where several generators begin: the constrained Delaunay triangulation of every layer.
namespace wend {

// One per layer, in parallel. Connections are boundary edges of their layers, so no triangle crosses one. An error
// names the layer. Expected O(n log n).
Result<std::vector<FreeTriangulation>> triangulateLayers(const Environment& environment, const Context& context);

// Whether all layers can be triangulated, with the same error if not; much cheaper for polygons that validate() would
// accept.
Status checkLayers(const Environment& environment, const Context& context);

}  // namespace wend
