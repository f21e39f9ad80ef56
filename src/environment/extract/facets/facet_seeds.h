#pragma once

#include <cstdint>
#include <vector>

#include "environment/extract/soup/soup.h"

// The order in which triangles begin a facet: the largest first, ties by place, never by the order of the input.
namespace wend::extraction {

struct FacetSeeds {
  std::vector<uint32_t> floors;
  std::vector<uint32_t> walls;
  std::vector<uint8_t> alone;  // of each triangle; findAlone()
};
// The walkable triangles, by their area in top view. O(n) for most scenes.
std::vector<uint32_t> floorSeeds(const Soup& soup);
// The near-vertical ones, by their height.
std::vector<uint32_t> wallSeeds(const Soup& soup);

}  // namespace wend::extraction
