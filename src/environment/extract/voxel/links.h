#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "environment/extract/voxel/depth_map.h"

// Links between neighbouring samples: an agent may pass from one to the other. The flood fill with the step height.
namespace wend::voxel {

enum Direction : uint8_t { kRight, kUp, kLeft, kDown };

struct Links {
  std::vector<std::array<uint32_t, 4>> to;  // of each sample: the one to its right, above, left, below; or kNone
  // Where a wall closes the way to the right (bit 0) or up (bit 1); bits 2 and 3: the sample beyond lies behind the
  // wall.
  std::vector<uint8_t> walled;
};

// The block beside each block, by direction, or kNone.
std::vector<std::array<uint32_t, 4>> neighbourBlocks(const Blocks& blocks);

// The pixel beside a pixel: moves `block` to its neighbour where the pixel lies at the border. Beyond the last block,
// `block` becomes kNone.
inline int32_t step(const std::vector<std::array<uint32_t, 4>>& neighbours, uint32_t& block, int32_t pixel,
                    Direction direction) {
  const int32_t x = pixel & (kBlock - 1);
  const int32_t y = pixel >> kBlockShift;
  constexpr int32_t kLast = kBlock - 1;
  const bool leaves = direction == kRight  ? x == kLast
                      : direction == kUp   ? y == kLast
                      : direction == kLeft ? x == 0
                                           : y == 0;
  if (leaves) block = neighbours[block][direction];
  switch (direction) {
    case kRight:
      return leaves ? pixel - kLast : pixel + 1;
    case kUp:
      return leaves ? pixel - kLast * kBlock : pixel + kBlock;
    case kLeft:
      return leaves ? pixel + kLast : pixel - 1;
    default:
      return leaves ? pixel + kLast * kBlock : pixel - kBlock;
  }
}

// Two samples are linked if each is the other's nearest in height, they differ by at most a step (or by what the
// steepest floor rises over a pixel), and no wall between them is higher than a step above the lower one. In a single
// layer their normals must not differ by more than the turn, too.
Links makeLinks(const extraction::Facets& facets, const Blocks& blocks,
                const std::vector<std::array<uint32_t, 4>>& neighbours, const DepthMaps& maps, const Measures& measures,
                const Context& context);

}  // namespace wend::voxel
