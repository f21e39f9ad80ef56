#include <gtest/gtest.h>

#include "crowd/local/avoid.h"
#include "tests/crowd/local/views.h"

namespace wend {
namespace {

using test::addNeighbour;

LocalView walkingInStream() {
  LocalView view;
  view.preferred = {1.4F, 0};
  view.velocity = {1.4F, 0};
  return view;
}

// A crowd ahead that fills the view.
LocalView inACrowd(Vec2f velocity) {
  LocalView view = walkingInStream();
  for (int x = 0; x < 4; ++x) {
    for (int y = -1; y <= 2; ++y) {
      addNeighbour(view, {0.6F + 0.5F * static_cast<float>(x), 0.5F * static_cast<float>(y) - 0.25F}, velocity);
    }
  }
  test::sortNeighbours(view);
  return view;
}

TEST(Stream, NobodyNoChange) {
  EXPECT_EQ(stream(walkingInStream(), 0), (Vec2f{1.4F, 0}));
  LocalView standing;
  addNeighbour(standing, {1, 0}, {1, 0});
  EXPECT_EQ(stream(standing, 0), (Vec2f{}));
}

TEST(Stream, OneInOpenSpaceHardlyMatters) {
  LocalView view = walkingInStream();
  addNeighbour(view, {4, 0}, {0.5F, 0});
  EXPECT_GT(stream(view, 0).x, 1.3F);
}

TEST(Stream, ACrowdSetsThePace) {
  const Vec2f joined = stream(inACrowd({0.7F, 0}), 0);
  EXPECT_NEAR(length(joined), 0.7, 0.1);
}

TEST(Stream, ACrowdSetsTheDirection) {
  const Vec2f flow = direction(Vec2f{1, 0.5F}, {});
  const Vec2f joined = stream(inACrowd(flow), 0);
  EXPECT_GT(joined.y, 0.2F);
}

TEST(Stream, WhoIsLateGoesHisOwnWay) {
  EXPECT_EQ(stream(inACrowd({0.7F, 0.3F}), 1), (Vec2f{1.4F, 0}));
}

TEST(Stream, CounterFlowIsNoStream) {
  EXPECT_EQ(stream(inACrowd({-1, 0}), 0), (Vec2f{1.4F, 0}));
}

// Ahead they walk 70 degrees to the left: they turn a corner if they are bound for the same end, else they cross.
TEST(Stream, GoesAroundACornerWithThoseBoundForTheSameEnd) {
  const Vec2f flow{0.34F, 0.94F};
  LocalView view = inACrowd(flow);
  EXPECT_EQ(stream(view, 0), (Vec2f{1.4F, 0}));
  view.bound = {0.8F, 0.6F};
  for (uint32_t j = 0; j < view.count; ++j) {
    view.bx[j] = 0.6F;
    view.by[j] = 0.8F;
  }
  EXPECT_GT(stream(view, 0).y, 0.2F);
  view.bound = {0.8F, -0.6F};
  EXPECT_EQ(stream(view, 0), (Vec2f{1.4F, 0}));
}

TEST(Stream, StandingStreamDoesNotHoldUpWhoHasRoom) {
  LocalView view = walkingInStream();
  for (int k = 0; k < 12; ++k) {
    addNeighbour(view, {1.2F + 0.3F * static_cast<float>(k % 3), 0.5F * static_cast<float>(k - 6)}, {0.1F, 0});
  }
  test::sortNeighbours(view);
  EXPECT_GE(length(stream(view, 0)), 0.3F * 1.4F - 1e-4F);
}

TEST(Stream, WhoHasRoomClosesUpToASlowStream) {
  LocalView view = walkingInStream();
  for (int k = 0; k < 12; ++k) {
    addNeighbour(view, {0.75F + 0.5F * static_cast<float>(k / 4), 0.5F * static_cast<float>(k % 4) - 0.75F}, {0.2F, 0});
  }
  test::sortNeighbours(view);
  // 0.27 m are free ahead: 0.45 m/s.
  const float speed = length(stream(view, 0));
  EXPECT_GT(speed, 0.4F);
  EXPECT_LT(speed, 0.6F);
  for (uint32_t j = 0; j < view.count; ++j) view.wx[j] -= 0.27F;
  EXPECT_LT(length(stream(view, 0)), 0.3F);
}

TEST(Stream, NotIntoAWall) {
  LocalView view = inACrowd({0.7F, 0.7F});
  test::addWall(view, {5, 0.4F}, {-5, 0.4F});
  const Vec2f joined = stream(view, 0);
  EXPECT_TRUE(joined == view.preferred || joined.y < 0.1F);
}

}  // namespace
}  // namespace wend
