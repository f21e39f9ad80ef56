#include <gtest/gtest.h>

#include "tests/planning/clearance/surface_check.h"

namespace wend {
namespace {

TEST(ClearanceSurface, EqualsLookingAtEveryWallInSight) {
  SurfaceClearanceCount count;
  for (uint64_t seed = 1; seed <= 8 && !HasFailure(); ++seed) checkSurfaceClearance(seed, 8, count);
  EXPECT_GE(count.worlds, 5U);
  EXPECT_GE(count.places, 150U);
  EXPECT_GE(count.found, 50U);
  EXPECT_GE(count.unreachable, 10U);
}

}  // namespace
}  // namespace wend
