#include "crowd/local/headway.h"

#include <cmath>

#include <gtest/gtest.h>

#include "crowd/local/keep_side.h"
#include "tests/crowd/local/views.h"

namespace wend {
namespace {

using test::addNeighbour;

LocalView walking() {
  LocalView view;
  view.radius = 0.2F;
  view.preferred = {1.4F, 0};
  view.velocity = {1.4F, 0};
  view.bound = {1, 0};
  return view;
}

// With the direction to the end of its route.
void addBound(LocalView& view, Vec2f at, Vec2f velocity, Vec2f bound) {
  addNeighbour(view, at, velocity);
  view.bx[view.count - 1] = bound.x;
  view.by[view.count - 1] = bound.y;
}

TEST(Headway, NobodyAheadNoLimit) {
  LocalView view = walking();
  EXPECT_EQ(headwaySpeed(view, {1, 0}), view.maxSpeed);
  addBound(view, {-1, 0}, {1.4F, 0}, {1, 0});
  EXPECT_EQ(headwaySpeed(view, {1, 0}), view.maxSpeed);
}

TEST(Headway, KeepsTheTimeGapBehindAnAgentOfEqualSpeed) {
  LocalView view = walking();
  addBound(view, {0.9F, 0}, {1.4F, 0}, {1, 0});
  EXPECT_NEAR(headwaySpeed(view, {1, 0}), (0.9F - view.bodyLength) / view.timeGap, 1e-5F);
  view.timeGap = 1;
  EXPECT_NEAR(headwaySpeed(view, {1, 0}), 0.9F - view.bodyLength, 1e-5F);
  view.timeGap = 0;
  EXPECT_EQ(headwaySpeed(view, {1, 0}), view.maxSpeed);
}

TEST(Headway, IsZeroInAQueueAndNeverNegative) {
  LocalView view = walking();
  addBound(view, {0.4F, 0}, {}, {1, 0});
  EXPECT_EQ(headwaySpeed(view, {1, 0}), 0);
  LocalView coincident = walking();
  addBound(coincident, {}, {}, {1, 0});
  EXPECT_EQ(headwaySpeed(coincident, {1, 0}), coincident.maxSpeed);
}

TEST(Headway, AJammedAgentClosesUpToContact) {
  LocalView view = walking();
  addBound(view, {0.5F, 0}, {}, {1, 0});
  const float patient = headwaySpeed(view, {1, 0});
  view.stuck = 1;
  EXPECT_GT(headwaySpeed(view, {1, 0}), patient);
  EXPECT_NEAR(headwaySpeed(view, {1, 0}), (0.5F - 0.2F - view.r[0]) / view.timeGap, 1e-5F);
}

TEST(Headway, AgentsBesideTheLaneDoNotCount) {
  LocalView view = walking();
  addBound(view, {0.6F, 0.6F}, {1, 0}, {1, 0});
  EXPECT_GT(headwaySpeed(view, {1, 0}), view.speed);
}

// A lane is 0.12 m wider on either side per m/s. With lanes of one width, staggered crowds walked freely at 1 person
// per m2, where people are slowed down by a tenth to a fifth.
TEST(Headway, AFasterAgentNeedsAWiderLane) {
  const auto beside = [](float aside) {
    LocalView view = walking();
    addBound(view, {0.5F, aside}, {1, 0}, {1, 0});
    return headwaySpeed(view, {1, 0});
  };
  const float staggered = 0.67F * (0.2F + 0.24F);
  float before = beside(staggered);
  EXPECT_LT(before, 0.25F);
  // Up to the maximum speed.
  for (float extra = 0.02F; extra < 0.24F; extra += 0.02F) {
    EXPECT_NEAR(beside(staggered + extra), extra / 0.12F, 0.2F) << extra;
    EXPECT_GT(beside(staggered + extra), before) << extra;
    before = beside(staggered + extra);
  }
  EXPECT_NEAR(beside(-staggered - 0.12F), 1, 1e-4F) << "on both sides";
  EXPECT_EQ(beside(staggered + 0.4F), walking().maxSpeed);
}

// A lane of 0.7 m has no width for two of 0.4 m abreast: staggered agents walked at 0.39 m/s at 1.9 per metre.
TEST(Headway, AgentsWalkInSingleFileWhereTwoDoNotFit) {
  const auto inLane = [](float width) {
    LocalView view = walking();
    addBound(view, {0.6F, 0.33F}, {1, 0}, {1, 0});
    view.r[0] = 0.2F;
    view.free = 0.2F;
    test::addWall(view, {-5, -0.2F}, {5, -0.2F});
    test::addWall(view, {5, width - 0.2F}, {-5, width - 0.2F});
    return headwaySpeed(view, {1, 0});
  };
  EXPECT_NEAR(inLane(0.7F), (std::hypot(0.6F, 0.33F) - 0.48F) / 0.55F, 1e-5F);
  EXPECT_NEAR(inLane(0.9F), (0.33F - 0.67F * 0.4F) / 0.12F, 1e-4F);
}

// Slim agents side by side at a door waited for each other, and the door was blocked.
TEST(Headway, SlimNeighboursSideBySideDoNotWait) {
  LocalView view = walking();
  view.radius = 0.15F;
  addBound(view, {0.05F, 0.31F}, {}, {1, 0});
  view.r[0] = 0.15F;
  EXPECT_LT(0.31F, 0.67F * view.bodyLength);
  EXPECT_GT(headwaySpeed(view, {1, 0}), 0.6F);
}

TEST(Headway, FadesWhereOthersCrossOrComeTheOppositeWay) {
  for (const Vec2f other : {Vec2f{0, 1}, Vec2f{-1, 0}}) {
    LocalView view = walking();
    addBound(view, {0.7F, 0}, {1, 0}, {1, 0});
    const float alone = headwaySpeed(view, {1, 0});
    addBound(view, {2, 1}, other, other);
    EXPECT_LT(alone, 0.5F);
    EXPECT_EQ(headwaySpeed(view, {1, 0}), view.maxSpeed);
  }
}

TEST(KeepSide, NobodyOncomingNoChange) {
  LocalView view = walking();
  EXPECT_EQ(keepSide(view), view.preferred);
  addBound(view, {2, 0}, {1, 0}, {1, 0});
  addBound(view, {2, 1}, {0, 1}, {0, 1});
  EXPECT_EQ(keepSide(view), view.preferred);
}

TEST(KeepSide, TurnsToTheChosenSideAndKeepsTheSpeed) {
  LocalView view = walking();
  addBound(view, {3, 0}, {-1, 0}, {-1, 0});
  const Vec2f right = keepSide(view);
  EXPECT_LT(right.y, -0.3F);
  EXPECT_NEAR(length(right), 1.4F, 1e-4F);
  view.side = -1;
  const Vec2f left = keepSide(view);
  EXPECT_EQ(left.x, right.x);
  EXPECT_EQ(left.y, -right.y);
  view.side = 0;
  EXPECT_EQ(keepSide(view), view.preferred);
}

TEST(KeepSide, WhoPassesAtEaseIsNoReason) {
  LocalView view = walking();
  addBound(view, {3, 1}, {-1, 0}, {-1, 0});   // on the other side already
  addBound(view, {3, -1}, {-1, 0}, {-1, 0});  // on the own side: crossing over would block both
  EXPECT_EQ(keepSide(view), view.preferred);
}

TEST(KeepSide, StopsAtTheWall) {
  LocalView view = walking();
  addBound(view, {3, 0}, {-1, 0}, {-1, 0});
  WallView& wall = view.walls[view.wallCount++];
  wall.a = {-5, -0.22F};
  wall.b = {5, -0.22F};
  wall.along = {1, 0};
  EXPECT_EQ(keepSide(view), view.preferred);
}

}  // namespace
}  // namespace wend
