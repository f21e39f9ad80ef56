#include <wend/environment.h>

#include <gtest/gtest.h>

#include "tests/generators/ecm/open_cuts.h"

// Cutting a flat world into layers and opening the connections must give back its medial axis.
namespace wend::ecm {
namespace {

TEST(EcmOpenCutTest, SquaresInStrips) {
  for (uint64_t seed = 0; seed < 600; ++seed) EXPECT_EQ(stripsDifference(seed), "") << "seed " << seed;
}

// Four layers around each inner corner, connections between them, some of them closed: lines that meet, wind around
// obstacles and end in the middle of the floor.
TEST(EcmOpenCutTest, SquaresInAnyLayer) {
  for (uint64_t seed = 0; seed < 200; ++seed) EXPECT_EQ(gridFault(seed, 1.0), "") << "seed " << seed;
}

TEST(EcmOpenCutTest, ClosedConnections) {
  for (uint64_t seed = 0; seed < 400; ++seed) EXPECT_EQ(gridFault(seed, 0.7), "") << "seed " << seed;
}

// Any polygon, cut from vertex to vertex.
TEST(EcmOpenCutTest, RandomPolygonsCutAtDiagonals) {
  for (uint64_t seed = 0; seed < 300; ++seed) EXPECT_EQ(diagonalsDifference(seed), "") << "seed " << seed;
}

// An end of a wall parallel to the connection: along its normal, all circles have the time of the split at its foot.
TEST(EcmOpenCutTest, WallParallelToTheConnection) {
  for (const uint64_t seed : {13249U, 14805U}) EXPECT_EQ(diagonalsDifference(seed), "") << "seed " << seed;
}

// Two vertices 1e-5 units apart that are two.
TEST(EcmOpenCutTest, VerticesCloseTogether) {
  EXPECT_EQ(diagonalsDifference(16730), "");
}

}  // namespace
}  // namespace wend::ecm
