#include <wend/environment.h>

#include <gtest/gtest.h>

#include "generators/ecm_open_cuts.h"

// Cutting a flat world into layers and opening the connections must give back its medial axis.
namespace wend::ecm {
namespace {

TEST(EcmOpenCutTest, SquaresInStrips) {
  for (uint64_t seed = 0; seed < 600; ++seed) EXPECT_EQ(stripsDifference(seed), "") << "seed " << seed;
}

// Four layers around each inner corner, doors between them, some of them closed: lines that meet, wind around obstacles
// and end in the middle of the floor.
TEST(EcmOpenCutTest, SquaresInAnyLayer) {
  for (uint64_t seed = 0; seed < 200; ++seed) EXPECT_EQ(gridFault(seed, 1.0), "") << "seed " << seed;
}

TEST(EcmOpenCutTest, ClosedDoors) {
  for (uint64_t seed = 0; seed < 400; ++seed) EXPECT_EQ(gridFault(seed, 0.7), "") << "seed " << seed;
}

// Any polygons, any straight cuts: by triangles of their own triangulation.
TEST(EcmOpenCutTest, RandomPolygonsCutAtDiagonals) {
  for (uint64_t seed = 0; seed < 300; ++seed) EXPECT_EQ(diagonalsDifference(seed), "") << "seed " << seed;
}

}  // namespace
}  // namespace wend::ecm
