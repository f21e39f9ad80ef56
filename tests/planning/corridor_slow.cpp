#include <gtest/gtest.h>

#include "planning/corridor_checks.h"

// The laws of corridor_checks.h in bulk.
namespace wend {
namespace {

class CorridorBulk : public testing::TestWithParam<int> {};

TEST_P(CorridorBulk, Places) {
  checkPlaces(GetParam() % 2 == 0, 1000 + static_cast<uint64_t>(GetParam()), 500);
}

TEST_P(CorridorBulk, Sight) {
  checkSight(GetParam() % 2 == 0, 2000 + static_cast<uint64_t>(GetParam()), 500);
}

TEST_P(CorridorBulk, Views) {
  checkView(GetParam() % 2 == 0, 3000 + static_cast<uint64_t>(GetParam()), 400);
}

TEST_P(CorridorBulk, Routes) {
  EXPECT_GT(checkRoutes(GetParam() % 2 == 0, 4000 + static_cast<uint64_t>(GetParam()), 800), 2000);
}

TEST_P(CorridorBulk, Reach) {
  EXPECT_GT(checkReach(GetParam() % 2 == 0, 5000 + static_cast<uint64_t>(GetParam()), 120), 1000);
}

INSTANTIATE_TEST_SUITE_P(Seeds, CorridorBulk, testing::Range(0, 10));

}  // namespace
}  // namespace wend
