#pragma once

#include <functional>
#include <span>
#include <vector>

#include <wend/context.h>

#include "geometry/growth/advance.h"
#include "geometry/growth/region_shape.h"
#include "geometry/growth/seeds.h"

// The loop of growth: plant seeds, grow, plant again where a region's side borders on unclaimed space, until nothing is
// unclaimed.
namespace wend::growth {

enum class Turns : uint8_t {
  kSingle,  // one region after the other, each until nothing of it moves
  kAll,     // all together: each round gives every side of every region one step
};

struct GrowSettings {
  GrowthRules rules;
  Turns turns = Turns::kSingle;
  int64_t step = 0;        // lattice units per turn of a side; 0 = in proportion to the region (with snap only)
  int64_t resolution = 0;  // without snap: a side that collides halves its step down to this; 0 = step
  bool reseed = true;
  int64_t gap = 0;  // free stretches up to this length are not seeded
  // Single turns: regions below this number that are not in `beside` are known to border on no unclaimed space.
  uint32_t firstAsked = 0;
  std::vector<uint32_t> beside;
  uint64_t frames = 0;  // stop after this many regions (single) or rounds (all); 0 = never
};

struct GrowReport {
  GrowthCounts counts;
  uint64_t seeds = 0;   // planted
  uint64_t rounds = 0;  // of all regions, or of one
};

// Grows from the seeds, in their order; then, if `reseed` is on, beside the regions there are. Stops early when the
// context is cancelled: the caller must then drop the result.
//
// `begin`, if given, grows each region first, one after the other; what it leaves is grown as usual. It returns the
// sides that are stopped, and leaves the grower looking at the region's surroundings.
using BeginRegion = std::function<StoppedSides(Grower&, Region&)>;
GrowReport grow(GrowthSpace& space, std::span<const Seed> seeds, const GrowSettings& settings, const Context& context,
                const BeginRegion& begin = {});

}  // namespace wend::growth
