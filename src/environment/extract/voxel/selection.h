#pragma once

#include <cstdint>
#include <vector>

#include "environment/extract/soup/solids.h"
#include "environment/extract/voxel/links.h"

// Which samples are part of the result.
namespace wend::voxel {

struct Selection {
  std::vector<uint32_t> layer;  // of each sample, or kNone if it is left out
  uint32_t layers = 0;
  uint32_t components = 0;
  uint32_t droppedComponents = 0;
  double droppedArea = 0;   // m2
  uint32_t insides = 0;     // components inside solids
  double insideArea = 0;    // m2
  uint32_t detached = 0;    // components that neither hold a seed point nor are the largest
  double detachedArea = 0;  // m2
};

// Linked samples form a component. Kept are the components with a seed point, or those of at least the least area that
// do not lie inside solids (may be null); of these the largest alone if the settings drop detached components. `layer`
// is that of each sample, or kNone.
Result<Selection> select(const Blocks& blocks, const DepthMaps& maps, const Links& links, std::vector<uint32_t> layer,
                         const ExtractSettings& settings, const Measures& measures, const extraction::Solids* solids);

}  // namespace wend::voxel
