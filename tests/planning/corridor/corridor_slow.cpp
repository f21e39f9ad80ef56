#include <gtest/gtest.h>

#include "tests/planning/corridor/checks.h"
#include "tests/planning/corridor/reach.h"
#include "tests/planning/corridor/surface.h"

// The laws of corridor_checks.h, corridor_surface.h and corridor_reach.h in bulk.
namespace wend {
namespace {

// What `make test` has time for; seeds that no other test uses.
TEST(CorridorSlow, Surfaces) {
  const SurfaceCount count = checkSurfaces(100'000, 1500);
  EXPECT_GT(count.worlds, 1000);
  EXPECT_GT(count.routes, 3000);
}

TEST(CorridorSlow, Reach) {
  EXPECT_GT(checkReachInStrips(100'000, 150), 1500);
  EXPECT_GT(checkReachOnSurfaces(100'000, 150), 1000);
}

// 20,000 worlds of each kind, and 10,000 questions who can get where.
class CorridorBulk : public testing::TestWithParam<int> {
 protected:
  static bool fine() { return GetParam() % 2 == 0; }
  static uint64_t seed(uint64_t kind) { return 1000 * kind + static_cast<uint64_t>(GetParam()); }
};

TEST_P(CorridorBulk, Places) {
  checkPlaces(fine(), seed(1), 2000);
}

TEST_P(CorridorBulk, Sight) {
  checkSight(fine(), seed(2), 2000);
}

TEST_P(CorridorBulk, Views) {
  checkView(fine(), seed(3), 2000);
}

TEST_P(CorridorBulk, Routes) {
  EXPECT_GT(checkRoutes(fine(), seed(4), 2000), 5000);
}

TEST_P(CorridorBulk, Reach) {
  EXPECT_GT(checkReach(fine(), seed(5), 120), 1000);
}

TEST_P(CorridorBulk, Surfaces) {
  const SurfaceCount count = checkSurfaces(1'000'000 + 3000 * static_cast<uint64_t>(GetParam()), 3000);
  EXPECT_GT(count.worlds, 2000);
  RecordProperty("worlds", count.worlds);
  RecordProperty("routes", count.routes);
}

TEST_P(CorridorBulk, ReachInStrips) {
  const int asked = checkReachInStrips(2'000'000 + 1000 * static_cast<uint64_t>(GetParam()), 100);
  EXPECT_GT(asked, 1000);
  RecordProperty("asked", asked);
}

TEST_P(CorridorBulk, ReachOnSurfaces) {
  const int asked = checkReachOnSurfaces(3'000'000 + 1000 * static_cast<uint64_t>(GetParam()), 150);
  EXPECT_GT(asked, 1000);
  RecordProperty("asked", asked);
}

INSTANTIATE_TEST_SUITE_P(Seeds, CorridorBulk, testing::Range(0, 10));

}  // namespace
}  // namespace wend
