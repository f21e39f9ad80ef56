#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "environment/extract/exact/facets.h"

// What the seed points could reach if nothing stood in the way: from one under a seed point over all within a step and
// a crack of each other.
namespace wend::exact {

// The floors and the steep triangles: all that one may ever walk or step over.
BoxTree surfaceTree(const Soup& soup, const Context& context);

// A mark for each facet: all of them without seed points. Other triangles that may be walked over are asked about when
// they are reached, each once.
std::vector<uint8_t> withinReach(const Soup& soup, const Facets& facets, const BoxTree& surfaces,
                                 const ExtractSettings& settings, const Tolerances& tolerances,
                                 std::span<const uint32_t> others = {},
                                 const std::function<bool(uint32_t)>& mayWalk = {});

}  // namespace wend::exact
