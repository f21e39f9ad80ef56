#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "environment/extract/voxel/voxel_filter.h"

// What a camera above the scene sees at high resolution, floor by floor: the heights at which each pixel's centre is
// free to stand on. Unlike a picture, a pixel holds all its floors; those of one pixel are a head room apart.
namespace wend::voxel {

// A face too thin for pixels that stands between one pixel and the next.
struct Wall {
  uint16_t pixel;     // of the block; the way leads to the right (0) or up (1) from it
  uint8_t direction;  // 0 or 1
  uint8_t back;       // 0 if the pixel itself lies behind the face, 1 if the next one does
  int32_t low;
  int32_t high;
};

struct DepthMaps {
  std::vector<uint32_t> base;                // first sample of each block, one more than blocks
  std::vector<std::vector<uint32_t>> begin;  // of each block: the samples of its pixels, counted from base; or empty
  std::vector<int32_t> z;                    // of each sample, lattice units; ascending within a pixel
  std::vector<uint32_t> facet;               // of each sample: whose floor it is
  std::vector<std::vector<Wall>> walls;      // of each block, by pixel and direction

  uint32_t count() const { return static_cast<uint32_t>(z.size()); }
  // First and last (exclusive) sample of a pixel.
  std::pair<uint32_t, uint32_t> at(uint32_t block, int32_t pixel) const {
    if (begin[block].empty()) return {0, 0};
    const auto p = static_cast<size_t>(pixel);
    return {base[block] + begin[block][p], base[block] + begin[block][p + 1]};
  }
};

// Head room and slope as the exact method has them, at pixel centres. Cracks between floors up to the gap are closed.
// With one layer only, each pixel has its topmost face, if that is a floor. O(pixels drawn); every block on its own.
DepthMaps drawDepthMaps(const extraction::Soup& soup, const extraction::Facets& facets, const Blocks& blocks,
                        const Voxels& voxels, const Measures& measures, const Context& context);

}  // namespace wend::voxel
