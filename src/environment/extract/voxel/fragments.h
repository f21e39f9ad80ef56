#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "environment/extract/voxel/links.h"

// The floor in one column of voxels as connected parts that do not lie above themselves: what layers are made of.
namespace wend::voxel {

struct FragmentLink {
  uint32_t a = 0;  // fragments, a < b
  uint32_t b = 0;
  uint32_t pixels = 0;  // linked ones along their common border
};

struct Fragments {
  std::vector<uint32_t> of;                              // of each sample
  std::vector<int32_t> low;                              // of each fragment: its lowest height
  std::vector<int32_t> high;                             // and its highest
  std::vector<FragmentLink> links;                       // each pair once
  std::vector<std::pair<uint32_t, uint32_t>> conflicts;  // pairs that lie above each other, sorted
  std::vector<std::pair<uint32_t, uint32_t>> touching;   // pairs with neighbouring pixels that are not linked

  uint32_t count() const { return static_cast<uint32_t>(low.size()); }
};

// Each fragment grows from its lowest sample over links within its column, and leaves out what lies above it.
Fragments makeFragments(const std::vector<std::array<uint32_t, 4>>& neighbours, const DepthMaps& maps,
                        const Links& links, const Measures& measures, const Context& context);

}  // namespace wend::voxel
