#pragma once

#include <gtest/gtest.h>

#include "geometry/voronoi/voronoi.h"
#include "tests/geometry/random_walls.h"
#include "tests/geometry/voronoi/voronoi_laws.h"

namespace wend::testing {

// The part of the diagram inside random walls against the whole one, for some seeds. Gives how many have a part, which
// must be made wherever loops do not touch.
inline size_t expectPartsLikeTheWhole(uint64_t first, uint64_t end) {
  size_t parts = 0;
  size_t apart = 0;
  for (uint64_t seed = first; seed < end; ++seed) {
    const std::vector<Segment> walls = randomWalls(seed);
    const auto part = voronoiInside(walls);
    EXPECT_TRUE(part.ok()) << "seed " << seed;
    if (!part.ok()) continue;
    apart += walls.empty() || loopsTouch(walls) ? 0 : 1;
    if (!part->inside) continue;
    ++parts;
    EXPECT_EQ(findDifferenceInside(*part, walls), "") << "seed " << seed;
  }
  EXPECT_EQ(parts, apart) << "wherever loops do not touch";
  return parts;
}

}  // namespace wend::testing
