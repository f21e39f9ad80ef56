#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include <wend/context.h>
#include <wend/navmesh.h>

// Brushfire: distances from obstacles, spread over the surface from sample to sample.
namespace wend::cdg {

// Per sample, what lies across its sides +x, +y, -x, -y, or kNone.
using Sides = std::vector<std::array<uint32_t, 4>>;

// Samples from `begin` to before `end`, side by side with all ways; below and above of them others lie side by side.
// The links of the first sample give those of all.
struct Stretch {
  uint32_t begin;
  uint32_t end;
};

// The samples to which a straight walk leads from a sample.
struct SurfaceLinks {
  static constexpr uint8_t kAllWays = 0xff;

  Sides sides;  // mutual
  // Bit 2 k: across side k. Bit 2 k + 1: across the corner between side k and the next one, if both ways around it lead
  // to the same sample.
  std::vector<uint8_t> ways;
  std::vector<Stretch> stretches;  // in order; most samples are in one

  bool has(uint32_t from, size_t way) const { return (ways[from] >> way & 1U) != 0; }
  // Only where there is a way.
  uint32_t across(uint32_t from, size_t way) const {
    const uint32_t side = sides[from][way / 2];
    return way % 2 == 0 ? side : sides[side][(way / 2 + 1) % 4];
  }
};

// From a sample to the nearest square that cannot be walked to.
struct NearestGap {
  static constexpr int32_t kUnreached = std::numeric_limits<int32_t>::max();

  int32_t gap = kUnreached;  // from the centre of the sample to the square in half sides, squared: a whole number
};

// Every square that is missing among a sample's eight neighbours spreads over links, the nearest first, and each sample
// keeps the nearest that came to it: the nearest one seen over the surface, or, rarely, one that is hardly farther.
// Distances are whole numbers; equal ones spread in the order in which they came. No two samples are more than
// `farthest` columns or rows apart. O(samples + largest gap).
std::vector<NearestGap> measureGaps(const SurfaceLinks& links, int32_t farthest, const Context& context);

}  // namespace wend::cdg
