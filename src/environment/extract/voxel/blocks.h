#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "environment/extract/facets/facets.h"
#include "environment/extract/voxel/measures.h"

// The world cut into square blocks of pixels, sparse: a block exists where floor may lie.
namespace wend::voxel {

struct BlockPlace {
  int32_t y = 0;  // in blocks
  int32_t x = 0;
  auto operator<=>(const BlockPlace&) const = default;
};

struct Blocks {
  std::vector<BlockPlace> place;    // sorted
  std::vector<uint32_t> begin;      // into triangles, one more than blocks
  std::vector<uint32_t> triangles;  // of each block: whatever may lie over or under it

  uint32_t count() const { return static_cast<uint32_t>(place.size()); }
  uint32_t find(int32_t x, int32_t y) const;  // kNone if there is none
  std::span<const uint32_t> of(uint32_t block) const {
    return std::span(triangles).subspan(begin[block], begin[block + 1] - begin[block]);
  }
};

// Where a triangle may be stood on: floors, and risers that join two of them.
inline bool isFloor(const extraction::Facets& facets, const extraction::Triangle& t) {
  return t.facet != kNone && facets.list[t.facet].triangleCount > 0;
}

// The range of x of a triangle between two values of y, in top view. False if it does not reach there.
bool rangeWithin(const std::array<extraction::Point3, 3>& corners, double low, double high, double& left,
                 double& right);

// An error (kLimit) if drawing at this resolution would need more pixels than kMaxPixels.
inline constexpr double kMaxPixels = 1e8;  // of all triangles together; about 30 bytes each where there is floor
Result<Blocks> makeBlocks(const extraction::Soup& soup, const extraction::Facets& facets, const Measures& measures);

}  // namespace wend::voxel
