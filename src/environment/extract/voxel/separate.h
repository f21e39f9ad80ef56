#pragma once

#include <cstdint>
#include <vector>

#include "environment/extract/voxel/layer_flooding.h"

// Neighbouring pixels of one layer with no way between them must not share a border.
namespace wend::voxel {

// The layer of each sample, or kNone where one had to go to keep others apart: the one behind the wall, or the lower
// one at a ledge. Where a layer meets itself after a full turn, the upper end moves on into the layer that follows,
// pixel by pixel, so that the way stays open.
std::vector<uint32_t> separate(const Blocks& blocks, const std::vector<std::array<uint32_t, 4>>& neighbours,
                               const DepthMaps& maps, const Links& links, const Fragments& fragments,
                               const LayerPlan& plan, const Measures& measures);

}  // namespace wend::voxel
