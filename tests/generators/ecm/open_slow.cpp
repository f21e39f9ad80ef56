#include <gtest/gtest.h>

#include "tests/generators/ecm/open_cuts.h"

// Cut worlds by the thousand; seeds that the quick tests do not use.
namespace wend::ecm {
namespace {

TEST(EcmOpenSlow, SquaresInStrips) {
  for (uint64_t seed = 10'000; seed < 20'000; ++seed) EXPECT_EQ(stripsDifference(seed), "") << "seed " << seed;
}

TEST(EcmOpenSlow, SquaresInAnyLayer) {
  for (uint64_t seed = 10'000; seed < 16'000; ++seed) EXPECT_EQ(gridFault(seed, 1.0), "") << "seed " << seed;
}

TEST(EcmOpenSlow, ClosedConnections) {
  for (uint64_t seed = 10'000; seed < 14'000; ++seed) EXPECT_EQ(gridFault(seed, 0.7), "") << "seed " << seed;
}

TEST(EcmOpenSlow, RandomPolygonsCutAtDiagonals) {
  for (uint64_t seed = 10'000; seed < 20'000; ++seed) EXPECT_EQ(diagonalsDifference(seed), "") << "seed " << seed;
}

}  // namespace
}  // namespace wend::ecm
