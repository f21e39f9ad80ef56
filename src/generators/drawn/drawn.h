#pragma once

#include <wend/generator.h>

// Regions drawn by hand, or given by what they mean (rooms, zones), as the cells of a mesh: the labelled regions of the
// environment, so that they can be measured, compared and planned on like any other mesh.
//
// Each polygon of a labelled region becomes a cell, as far as it is free; where two overlap the place belongs to the
// one that comes first. A polygon with holes is cut into triangles. Cells may be concave: the traits of the mesh say
// whether all are convex. What no region covers has no cell, so the mesh is not exact. Without any labelled region the
// polygons of free space are the regions.
namespace wend::drawn {

// O(r n log n) for r polygons with n vertices on a layer.
Result<NavMesh> generate(const Environment& environment, const Context& context = {});

Generator entry();

}  // namespace wend::drawn
