#include <gtest/gtest.h>

#include "crowd/local/avoid.h"
#include "crowd/local/symmetry.h"

namespace wend {
namespace {

constexpr uint64_t kPeriod = 120;  // frames in which the right of way goes round

// Jammed at the origin, wants `way`; someone touches it at `at` and wants `wish`.
LocalView jammed(Vec2f way, Vec2f at, Vec2f wish, uint64_t frame) {
  LocalView view;
  view.frame = frame;
  view.preferred = way * view.speed;
  view.stuck = 1;
  view.count = 1;
  view.wx[0] = at.x;
  view.wy[0] = at.y;
  view.r[0] = view.radius;
  view.wishes[0] = wish;
  return view;
}

TEST(GiveWay, NobodyDoesWhoIsNotJammed) {
  for (uint64_t frame = 0; frame < kPeriod; ++frame) {
    LocalView view = jammed({1, 0}, {0.48F, 0}, {-1, 0}, frame);
    view.stuck = 0;
    EXPECT_EQ(giveWay(view), Vec2f{});
    view = jammed({1, 0}, {0.48F, 0}, {-1, 0}, frame);
    view.count = 0;
    EXPECT_EQ(giveWay(view), Vec2f{});
    view.preferred = {};
    EXPECT_EQ(giveWay(view), Vec2f{});
  }
}

TEST(GiveWay, NobodyDoesForWhoStandsOrGoesTheSameWay) {
  for (uint64_t frame = 0; frame < kPeriod; ++frame) {
    EXPECT_EQ(giveWay(jammed({1, 0}, {0.48F, 0}, {}, frame)), Vec2f{});
    EXPECT_EQ(giveWay(jammed({1, 0}, {0.48F, 0}, {1, 0}, frame)), Vec2f{});
    // Behind, and too far away.
    EXPECT_EQ(giveWay(jammed({1, 0}, {-0.48F, 0}, {-1, 0}, frame)), Vec2f{});
    EXPECT_EQ(giveWay(jammed({1, 0}, {2, 0}, {-1, 0}, frame)), Vec2f{});
  }
}

// From both sides of a door people come towards each other, and nobody steps back; unless the other one does.
TEST(GiveWay, NobodyDoesForWhoWaitsForTheSameDoor) {
  bool gave = false;
  for (uint64_t frame = 0; frame < kPeriod; ++frame) {
    LocalView view = jammed({1, 0}, {0.48F, 0}, {-1, 0}, frame);
    gave = gave || !(giveWay(view) == Vec2f{});
    view.sameGoal[0] = true;
    EXPECT_EQ(giveWay(view), Vec2f{});
  }
  EXPECT_TRUE(gave);
}

// Never both of two, each for about as long; along any line.
TEST(GiveWay, TwoWhoMeetTakeTurns) {
  for (const Vec2f way : {Vec2f{1, 0}, Vec2f{0, 1}, Vec2f{0.6F, 0.8F}, Vec2f{-0.8F, 0.6F}}) {
    uint64_t here = 0;
    uint64_t there = 0;
    for (uint64_t frame = 0; frame < kPeriod; ++frame) {
      const Vec2f a = giveWay(jammed(way, way * 0.48F, -way, frame));
      const Vec2f b = giveWay(jammed(-way, way * -0.48F, way, frame));
      EXPECT_TRUE(a == Vec2f{} || b == Vec2f{}) << frame;
      // Back, and out of the way.
      EXPECT_LE(dot(a, way), 0);
      EXPECT_GE(dot(b, way), 0);
      here += a == Vec2f{} ? 0 : 1;
      there += b == Vec2f{} ? 0 : 1;
    }
    EXPECT_GT(here, kPeriod / 3);
    EXPECT_GT(there, kPeriod / 3);
  }
}

// Streams through a door change after the last one has passed, not when the right of way turns.
TEST(GiveWay, AJammedAgentLetsThoseWhoWalkGoOn) {
  for (const Vec2f way : {Vec2f{1, 0}, Vec2f{0.6F, 0.8F}}) {
    for (uint64_t frame = 0; frame < kPeriod; ++frame) {
      LocalView view = jammed(way, way * 0.48F, -way, frame);
      view.vx[0] = -0.3F * way.x;
      view.vy[0] = -0.3F * way.y;
      EXPECT_LT(dot(giveWay(view), way), 0) << frame;
      view.stuck = 0;
      EXPECT_EQ(giveWay(view), Vec2f{}) << frame;
    }
  }
}

// Whoever stands behind one who steps back steps back as well, or the first could not.
TEST(GiveWay, TheQueueBehindDoesLikewise) {
  int followed = 0;
  for (uint64_t frame = 0; frame < kPeriod; ++frame) {
    const Vec2f first = giveWay(jammed({1, 0}, {0.48F, 0.05F}, {-1, 0}, frame));
    if (first == Vec2f{}) continue;
    followed += giveWay(jammed({1, 0}, {0.48F, 0}, direction(first, {}), frame)) == Vec2f{} ? 0 : 1;
  }
  EXPECT_GT(followed, 20);
}

// Who is beside the way of the other already need not step back.
TEST(GiveWay, NotFromBesideTheWay) {
  for (uint64_t frame = 0; frame < kPeriod; ++frame) {
    EXPECT_EQ(giveWay(jammed({1, 0}, {0.3F, 0.6F}, {-1, 0}, frame)), Vec2f{});
  }
}

TEST(GiveWay, OpponentsTurnToTheirRight) {
  for (uint64_t frame = 0; frame < 1000; ++frame) {
    LocalView view = jammed({1, 0}, {0.48F, 0}, {-1, 0}, frame);
    view.id = static_cast<uint32_t>(frame);
    EXPECT_LE(intentOf(view).heading.y, 0);
  }
}

// One who crosses among four who go along: no stream, or all would be carried off.
TEST(GiveWay, AStreamEndsWhereAnotherCrosses) {
  LocalView view;
  view.preferred = {1.4F, 0};
  view.count = 5;
  for (uint32_t j = 0; j < view.count; ++j) {
    view.wx[j] = 0.6F + 0.1F * static_cast<float>(j);
    view.wy[j] = j % 2 == 0 ? 0.3F : -0.3F;
    view.vx[j] = 0.5F;
    view.vy[j] = 0.3F;
    view.r[j] = view.radius;
  }
  EXPECT_LT(length(stream(view, 0)), 1.35F);
  view.vx[4] = 0;
  view.vy[4] = 1;
  EXPECT_EQ(stream(view, 0), view.preferred);
}

}  // namespace
}  // namespace wend
