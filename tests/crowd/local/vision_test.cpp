#include "crowd/local/vision.h"

#include <bit>

#include <gtest/gtest.h>

#include "crowd/local/avoid.h"
#include "crowd/local/kernels.h"
#include "crowd/local/vision_lanes.h"
#include "tests/crowd/local/views.h"

namespace wend {
namespace {

using test::addNeighbour;
using test::addWall;

bool sameBits(const LocalChoice& a, const LocalChoice& b) {
  return std::bit_cast<uint32_t>(a.velocity.x) == std::bit_cast<uint32_t>(b.velocity.x) &&
         std::bit_cast<uint32_t>(a.velocity.y) == std::bit_cast<uint32_t>(b.velocity.y) && a.side == b.side;
}

LocalView walkingAhead() {
  LocalView view;
  view.preferred = {1.4F, 0};
  view.velocity = {1.4F, 0};
  return view;
}

TEST(Vision, AloneStraightOn) {
  const LocalChoice choice = avoidVision(walkingAhead());
  EXPECT_EQ(choice.velocity, (Vec2f{1.4F, 0}));
  EXPECT_EQ(choice.side, 0);
  LocalView standing;
  EXPECT_EQ(avoidVision(standing).velocity, (Vec2f{}));
}

TEST(Vision, HeadOnPassesOnTheRight) {
  LocalView view = walkingAhead();
  addNeighbour(view, {4, 0}, {-1.4F, 0});
  const LocalChoice choice = avoidVision(view);
  EXPECT_EQ(choice.side, -1);
  EXPECT_LT(choice.velocity.y, 0);
  EXPECT_NEAR(length(choice.velocity), 1.4, 1e-5);
}

TEST(Vision, TouchingNeighbourBlocksItsHalfPlane) {
  LocalView view = walkingAhead();
  addNeighbour(view, {0.4F, 0.2F}, {0, 0});
  const LocalChoice choice = avoidVision(view);
  EXPECT_LE(choice.velocity.x * 0.4F + choice.velocity.y * 0.2F, 1e-4F);
  addNeighbour(view, {0.4F, -0.2F}, {0, 0});
  EXPECT_EQ(avoidVision(view).velocity, (Vec2f{}));  // both: nowhere to go within the fan
}

TEST(Vision, SlowsDownBeforeADeadEnd) {
  LocalView view = walkingAhead();
  addWall(view, {0.5F, -20}, {0.5F, 20});  // 0.26 m before the nose, no way round
  const float ahead = avoidVision(view).velocity.x;
  EXPECT_LT(ahead, 0.6F);
}

TEST(Vision, SlidesAlongATouchedWall) {
  LocalView view = walkingAhead();
  addWall(view, {-5, -0.24F}, {5, -0.24F});
  const LocalChoice choice = avoidVision(view);
  EXPECT_EQ(choice.velocity, (Vec2f{1.4F, 0}));
}

// The same lanes compiled here, where nothing is vectorised, and every width of the library.
TEST(Vision, EveryWidthGivesTheSameBits) {
  Random random(4);
  for (int n = 0; n < 20000; ++n) {
    const LocalView view = test::randomView(random);
    const LocalChoice scalar = visionInLanes(view);
    for (const VectorWidth width : {VectorWidth::kBaseline, VectorWidth::kAvx2, VectorWidth::kAvx512}) {
      if (!available(width)) continue;
      ASSERT_TRUE(sameBits(avoidVisionWith(width, view), scalar)) << n;
    }
  }
}

// One direction at a time, with the kernels and in double precision.
LocalChoice obviousVision(const LocalView& view, double& margin) {
  const Intent intent = intentOf(view);
  double best = 1e30;
  double second = 1e30;
  LocalChoice choice;
  for (int rank = 0; rank < kVisionDirections; ++rank) {
    const int j = (rank + 1) / 2 * (rank % 2 == 1 ? -1 : 1);
    const double angle = j * 150.0 / 38 * std::numbers::pi / 180;
    const Vec2f v = Vec2f{static_cast<float>(std::cos(angle) * intent.heading.x - std::sin(angle) * intent.heading.y),
                          static_cast<float>(std::sin(angle) * intent.heading.x + std::cos(angle) * intent.heading.y)} *
                    intent.speed;
    float time = kVisionHorizon / intent.speed;
    for (uint32_t k = 0; k < std::min(view.count, kAvoidNeighbours); ++k) {
      time = std::min(time, timeToContact({view.wx[k], view.wy[k]}, v - Vec2f{view.vx[k], view.vy[k]},
                                          intent.shrink * (view.radius + view.r[k])));
    }
    for (uint32_t k = 0; k < view.wallCount; ++k) {
      const WallView& wall = view.walls[k];
      const float radius = intent.shrink * view.radius;
      time = std::min({time, timeToContact(wall.a, v, radius), timeToContact(wall.b, v, radius)});
      if (cross(wall.along, -wall.a) >= 0) time = std::min(time, timeToSide(wall, v, radius));
    }
    const double f = static_cast<double>(time * intent.speed);
    const double horizon = static_cast<double>(kVisionHorizon);
    double cost = horizon * horizon + f * f - 2 * horizon * f * std::cos(angle);
    if (j * view.lastSide > 0) cost *= 0.98;
    if (cost < best - 1e-3) {
      second = best;
      best = cost;
      choice.velocity = v * std::min(1.0F, time / kVisionTau);
      choice.side = j > 0 ? 1 : (j < 0 ? -1 : 0);
    } else {
      second = std::min(second, cost);
    }
  }
  margin = second - best;
  return choice;
}

TEST(Vision, AgainstOneDirectionAtATime) {
  Random random(5);
  int clear = 0;
  int turned = 0;
  for (int n = 0; n < 5000; ++n) {
    const LocalView view = test::randomView(random);
    double margin = 0;
    const LocalChoice obvious = obviousVision(view, margin);
    if (margin < 0.02) continue;  // a tie: rounding may decide
    const LocalChoice choice = avoidVision(view);
    // A grazing contact may be seen by one and not by the other.
    if (length(choice.velocity - obvious.velocity) < 0.02F) ++clear;
    ++turned;
  }
  EXPECT_GT(turned, 2000);
  EXPECT_GT(clear, turned * 99 / 100);
}

TEST(Vision, MembersOfAGroupDoNotAvoidEachOther) {
  LocalView view = walkingAhead();
  view.group = 3;
  addNeighbour(view, {1.5F, 0}, {0.5F, 0});
  EXPECT_NE(avoidVision(view).side, 0);
  view.groups[0] = 3;
  EXPECT_EQ(avoidVision(view).side, 0);
  view.wx[0] = 0.5F;
  EXPECT_NE(avoidVision(view).velocity.x, 1.4F);
}

}  // namespace
}  // namespace wend
