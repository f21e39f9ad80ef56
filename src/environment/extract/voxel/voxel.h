#pragma once

#include <wend/extract.h>

#include "environment/extract/record.h"

// The voxel method, after NEOGEN-ML: a coarse grid of voxels says where floor may be, depth maps of high resolution say
// where it is, flooding with the step height finds the components, and the borders between pixels become polygons.
// It needs only the positions of triangles, so it takes any soup. Its edges are as exact as its pixels.
//
// The original floods coarse voxels into layers and then draws each layer. Here the pixels come first, and layers are
// made of what they say about each column of voxels: a corridor narrower than two voxels, a ceiling between two slices
// and the rim of every obstacle need no repair afterwards.
namespace wend::voxel {

// The settings are valid. `record` may be null.
Result<Extraction> extract(const Scene& scene, const ExtractSettings& settings, const Context& context,
                           extraction::Record* record = nullptr);

}  // namespace wend::voxel
