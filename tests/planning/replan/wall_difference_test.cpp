#include "planning/replan/wall_difference.h"

#include <gtest/gtest.h>

namespace wend {
namespace {

TEST(WallDifference, NothingAndOneWall) {
  EXPECT_TRUE(wallDifference({}).empty());
  const std::vector<WallPiece> one{{0, {0, 0}, {100, 0}, true}};
  ASSERT_EQ(wallDifference(one).size(), 1U);
  EXPECT_EQ(wallDifference(one)[0].b, (Vec2{100, 0}));
}

// An obstacle against a wall: the wall's two parts stay, the piece behind the obstacle went.
TEST(WallDifference, AWallCutInTwo) {
  const std::vector<WallPiece> walls{{0, {0, 0}, {1000, 0}, true},       {0, {0, 0}, {400, 0}, false},
                                     {0, {600, 1}, {1000, 0}, false},    {0, {400, 0}, {400, 200}, false},
                                     {0, {400, 200}, {600, 200}, false}, {0, {600, 200}, {600, 1}, false},
                                     {0, {400, 0}, {400, 0}, false}};
  const std::vector<WallPiece> pieces = wallDifference(walls);
  ASSERT_EQ(pieces.size(), 4U);
  EXPECT_TRUE(pieces[0].went);
  EXPECT_NEAR(pieces[0].a.x, 400, 1e-9);
  EXPECT_NEAR(pieces[0].b.x, 600, 1e-9);
  for (size_t i = 1; i < 4; ++i) EXPECT_FALSE(pieces[i].went);
}

TEST(WallDifference, OtherLayersAndCrossingWallsDoNotCover) {
  const std::vector<WallPiece> walls{
      {0, {0, 0}, {100, 0}, true}, {1, {0, 0}, {100, 0}, false}, {0, {50, -50}, {50, 50}, false}};
  EXPECT_EQ(wallDifference(walls).size(), 3U);
}

}  // namespace
}  // namespace wend
