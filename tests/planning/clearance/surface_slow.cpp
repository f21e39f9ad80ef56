#include <cstdio>

#include <gtest/gtest.h>

#include "tests/planning/clearance/surface_check.h"

namespace wend {
namespace {

TEST(ClearanceSurfaceSlow, EqualsLookingAtEveryWallInSight) {
  SurfaceClearanceCount count;
  for (uint64_t seed = 1000; seed < 1150 && !HasFailure(); ++seed) checkSurfaceClearance(seed, 12, count);
  EXPECT_GE(count.worlds, 60U);
  printf("worlds %zu, places %zu, found %zu, unreachable %zu\n", count.worlds, count.places, count.found,
         count.unreachable);
}

}  // namespace
}  // namespace wend
