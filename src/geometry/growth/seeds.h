#pragma once

#include <optional>
#include <span>
#include <vector>

#include <wend/result.h>

#include "geometry/growth/growth_space.h"

// Where regions begin.
//
// No wall has an end inside a square between four neighbouring lattice points, so walls cross such a square from border
// to border, and each of its free parts is convex. A seed is one of these parts: the smallest region there is. So there
// is a seed in every gap, however narrow, and a region either contains a seed wholly or not at all.
namespace wend::growth {

struct Seed {
  Point square;  // its lower left corner
  // A place in the closed square, not on a wall other than `wall`: tells which part of the square is meant.
  Int128 x = 0;
  Int128 y = 0;
  Int128 denominator = 1;
  uint32_t wall = kNone;  // the wall that the place lies on, if any; the part left of it is meant
};

// One beside the middle of each wall.
std::vector<Seed> wallSeeds(const GrowthSpace& space);
// A lattice point strictly inside free space.
Seed pointSeed(Point p);
// The points of a grid that lie strictly inside free space.
std::vector<Seed> gridSeeds(std::span<const Polygon> free, int64_t pitch);
// kLimit if a grid over the box has more points than memory is spent on.
Status checkSeedCount(const Box& box, int64_t pitch);
// One beside the middle of each stretch of a region's sides that neither a wall nor another region covers. Stretches of
// at most `gap` units are left out.
std::vector<Seed> freeSideSeeds(GrowthSpace& space, uint32_t region, int64_t gap);

// The region of a seed; nothing if some region has the place already.
std::optional<Region> plant(GrowthSpace& space, const Seed& seed);

}  // namespace wend::growth
