#pragma once

#include <vector>

#include "environment/extract/exact/free_space/patches.h"
#include "environment/extract/facets/facets.h"
#include "geometry/index/box_tree.h"

// The free part of each facet: without what geometry within head room above it covers.
namespace wend::exact {

struct FreeSpace {
  Patches patches;
  uint32_t cut = 0;  // facets that lost something
  std::vector<ExtractSpot> spots;
  bool tangled = false;  // a floor was given up because what lies above it crosses itself too often
};

// Only facets with a mark in `wanted` are looked at. Error: what lies above the floors crosses itself too often
// (kLimit).
Result<FreeSpace> makeFreeSpace(const Soup& soup, const Facets& facets, const TriangleTrees& trees,
                                const std::vector<uint8_t>& wanted, const ExtractSettings& settings,
                                const Tolerances& tolerances, const Context& context);

// Takes out the patches with a mark.
void removePatches(Patches& patches, const std::vector<uint8_t>& marks, const Context& context);

}  // namespace wend::exact
