#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "environment/edit/footprint.h"
#include "environment/edit/hot_pixels.h"
#include "environment/edit/live_base.h"

// Rings of the base and footprints that meet, cut together.
namespace wend {

// The boundary that one group of rings and footprints leaves in a layer.
struct CutGroup {
  uint32_t layer = 0;
  std::vector<uint32_t> footprints;  // indices
  std::vector<uint32_t> rings;       // of the base, replaced by the loops below
  std::vector<uint32_t> polygons;    // of the base, that the loops belong to; sorted
  std::vector<Ring> outers;          // counter-clockwise
  std::vector<Ring> holes;           // clockwise
};

// Which rings and footprints meet, and what they leave. Groups are in the order of their first ring or footprint.
Result<std::vector<CutGroup>> cutRings(const LiveBase& base, std::span<const Footprint> footprints,
                                       const RoutedSources& routed, const Context& context);

}  // namespace wend
