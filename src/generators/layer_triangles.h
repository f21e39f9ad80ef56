#pragma once

#include <string>
#include <vector>

#include <wend/environment.h>
#include <wend/navmesh.h>

#include "geometry/triangulation/triangulation.h"

// What several generators begin with: the constrained Delaunay triangulation of every layer.
namespace wend {

// One per layer, in parallel. Connections are boundary edges of their layers, so no triangle crosses one. An error
// names the layer. Expected O(n log n).
Result<std::vector<FreeTriangulation>> triangulateLayers(const Environment& environment, const Context& context);

// The triangles as the cells of a mesh: exact and convex. `generator` and `settingsHash` are for MeshBuilder::build().
Result<NavMesh> triangleMesh(const Environment& environment, const std::string& generator, uint64_t settingsHash,
                             const Context& context);

// Whether all layers can be triangulated, with the same error if not; much cheaper for polygons that validate() would
// accept.
Status checkLayers(const Environment& environment, const Context& context);

}  // namespace wend
