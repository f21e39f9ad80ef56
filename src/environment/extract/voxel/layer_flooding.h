#pragma once

#include <cstdint>
#include <vector>

#include "environment/extract/voxel/fragments.h"

// Layer flooding of the voxel method: gathers fragments into layers that do not overlap themselves in top view.
namespace wend::voxel {

struct LayerPlan {
  std::vector<uint32_t> layer;  // of each fragment
  uint32_t count = 0;
};

// The ordered flooding of NEOGEN-ML: from bottom to top every fragment takes its neighbours into its layer where
// nothing of the layer lies above or below them, and layers that meet become one where they do not overlap. Then layers
// with a common border are joined, the longest first, and components that no layer joins share a layer where they are
// apart.
LayerPlan floodLayers(const Fragments& fragments, const Measures& measures);

}  // namespace wend::voxel
