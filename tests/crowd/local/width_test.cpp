#include <cmath>

#include <gtest/gtest.h>

#include "crowd/local/pass_behind.h"
#include "crowd/local/use_width.h"
#include "tests/crowd/local/views.h"

// Rules that turn the preferred velocity: against the current of a crossing stream, and to the free side of a queue.
namespace wend {
namespace {

using test::addNeighbour;

LocalView walkingInCorridor() {
  LocalView view;
  view.preferred = {1.4F, 0};
  view.velocity = {1.4F, 0};
  view.bound = {1, 0};
  return view;
}

void addBound(LocalView& view, Vec2f at, Vec2f bound) {
  addNeighbour(view, at, bound);
  view.bx[view.count - 1] = bound.x;
  view.by[view.count - 1] = bound.y;
}

float degrees(Vec2f v) {
  return std::atan2(v.y, v.x) * 57.29578F;
}

TEST(PassBehind, TurnsToWhereCrossingAgentsComeFrom) {
  LocalView fromTheLeft = walkingInCorridor();
  addBound(fromTheLeft, {2, 1}, {0, -1});
  EXPECT_NEAR(degrees(passBehind(fromTheLeft)), 15, 0.01);
  EXPECT_NEAR(length(passBehind(fromTheLeft)), 1.4F, 1e-5F);
  LocalView fromTheRight = walkingInCorridor();
  addBound(fromTheRight, {2, -1}, {0, 1});
  EXPECT_NEAR(degrees(passBehind(fromTheRight)), -15, 0.01);
  // One of four that go along: a quarter, doubled.
  LocalView few = fromTheRight;
  for (const float y : {-0.5F, 0.0F, 0.5F}) addBound(few, {1, y}, {1, 0});
  EXPECT_NEAR(degrees(passBehind(few)), -7.5, 0.01);
}

TEST(PassBehind, NothingChangesWithoutACrossingStream) {
  LocalView view = walkingInCorridor();
  EXPECT_EQ(passBehind(view), view.preferred);
  addBound(view, {2, 0}, {1, 0});     // the same way
  addBound(view, {2, 1}, {-1, 0});    // the opposite way
  addBound(view, {-1, 0}, {0, 1});    // behind
  addBound(view, {4.5F, 0}, {0, 1});  // far
  addBound(view, {1, 1}, {});         // goes nowhere
  EXPECT_EQ(passBehind(view), view.preferred);
}

TEST(PassBehind, StreamsFromBothSidesGoAroundTheMiddle) {
  LocalView view = walkingInCorridor();
  addBound(view, {2, 1}, {0, -1});
  addBound(view, {2, -1}, {0, 1});
  EXPECT_NEAR(degrees(passBehind(view)), -45, 0.01);
  view.side = -1;
  EXPECT_NEAR(degrees(passBehind(view)), 45, 0.01);
  // Who keeps to no side goes straight on: the currents cancel out.
  view.side = 0;
  EXPECT_EQ(passBehind(view), view.preferred);
  // One of eight from either side: half of the turn.
  view.side = 1;
  for (const float x : {0.6F, 0.8F, 1.0F, 1.2F, 1.4F, 1.6F}) addBound(view, {x, 0}, {1, 0});
  EXPECT_NEAR(degrees(passBehind(view)), -22.5, 0.01);
}

LocalView queueOn(float side) {
  LocalView view = walkingInCorridor();
  view.velocity = {};
  view.free = 3;
  for (const float x : {0.5F, 1.0F, 1.5F}) addBound(view, {x, side * x}, {1, 0});
  return view;
}

TEST(UseWidth, AHeldUpAgentTurnsToTheFreeSide) {
  EXPECT_NEAR(degrees(useWidth(queueOn(1))), -75, 0.01);
  EXPECT_NEAR(degrees(useWidth(queueOn(-1))), 75, 0.01);
  EXPECT_NEAR(length(useWidth(queueOn(1))), 1.4F, 1e-5F);
  // Half the speed: less.
  LocalView slow = queueOn(1);
  slow.velocity = {0.7F, 0};
  EXPECT_NEAR(degrees(useWidth(slow)), -45, 0.1);
}

TEST(UseWidth, NothingChangesAtFreeSpeedOrInTheMiddle) {
  LocalView fast = queueOn(1);
  fast.velocity = {1.4F, 0};
  EXPECT_EQ(useWidth(fast), fast.preferred);
  LocalView middle = queueOn(1);
  for (const float x : {0.5F, 1.0F, 1.5F}) addBound(middle, {x, -x}, {1, 0});
  EXPECT_NEAR(degrees(useWidth(middle)), 0, 0.01);
  LocalView others = queueOn(1);
  others.bound = {-1, 0};
  EXPECT_EQ(useWidth(others), others.preferred);
  LocalView jammed = queueOn(1);
  jammed.stuck = 1;
  EXPECT_EQ(useWidth(jammed), jammed.preferred);
  LocalView atAWall = queueOn(1);
  atAWall.free = 0.5F;
  EXPECT_EQ(useWidth(atAWall), atAWall.preferred);
  LocalView two = queueOn(1);
  two.count = 2;
  EXPECT_EQ(useWidth(two), two.preferred);
}

}  // namespace
}  // namespace wend
