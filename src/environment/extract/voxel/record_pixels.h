#pragma once

#include "environment/extract/record.h"
#include "environment/extract/voxel/fragments.h"
#include "environment/extract/voxel/selection.h"

// The floor of the voxel method as rectangles, for a record.
namespace wend::voxel {

// One rectangle for each run of pixels along x within a block that lie on one facet and in one fragment. Their heights
// are those of the first and the last pixel. O(pixels).
void recordPixels(const Blocks& blocks, const DepthMaps& maps, const Fragments& fragments, const Selection& selection,
                  const Measures& measures, extraction::Record& record);

}  // namespace wend::voxel
