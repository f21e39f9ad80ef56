#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "crowd/local/elementary.h"
#include "crowd/local/headway.h"
#include "crowd/local/keep_side.h"
#include "crowd/local/kernels.h"
#include "crowd/local/pass_behind.h"
#include "crowd/local/symmetry.h"
#include "crowd/local/use_width.h"
#include "tests/crowd/local/views.h"

// The rules of local movement look at all neighbours at once. Here are the same rules, one neighbour at a time: both
// give the same bits.
namespace wend {
namespace {

// Metres between the nearest walls on both sides of a heading.
float plainWidth(const LocalView& view, Vec2f heading) {
  if (view.free > 1) return HUGE_VALF;
  float left = HUGE_VALF;
  float right = HUGE_VALF;
  for (uint32_t i = 0; i < view.wallCount; ++i) {
    const Vec2f a = view.walls[i].a;
    const Vec2f b = view.walls[i].b;
    for (const bool isLeft : {true, false}) {
      const Vec2f way = isLeft ? leftOf(heading) : -leftOf(heading);
      const float atA = cross(way, a);
      const float atB = cross(way, b);
      if ((atA > 0) == (atB > 0)) continue;
      const float distance = dot(a + (b - a) * (atA / (atA - atB)), way);
      float& least = isLeft ? left : right;
      if (distance > 0) least = std::min(least, distance);
    }
  }
  return left + right;
}

float plainHeadway(const LocalView& view, Vec2f heading) {
  const float width = plainWidth(view, heading);
  float gap = HUGE_VALF;
  int seen = 0;
  int others = 0;
  for (uint32_t j = 0; j < avoidedCount(view); ++j) {
    const Vec2f w{view.wx[j], view.wy[j]};
    if (!(dot(w, heading) > 0) || !avoids(view, j)) continue;
    const Vec2f bound{view.bx[j], view.by[j]};
    const bool sameEnd = dot(bound, view.bound) > 0.5F;
    ++seen;
    if (!sameEnd && bound != Vec2f{}) ++others;
    const float sum = view.radius + view.r[j];
    const float aside = std::abs(cross(heading, w));
    const bool isInFile = width < 2 * sum && aside < width;
    const Vec2f v{view.vx[j], view.vy[j]};
    if (!sameEnd && !(length(v) > 0.1F && dot(v, heading) > 0.7F * length(v))) continue;
    const float behind = length(w) - (view.stuck * sum + (1 - view.stuck) * std::max(view.bodyLength, sum));
    gap = std::min(gap, std::max(behind, isInFile ? 0.0F : (aside - 0.67F * sum) * (view.timeGap / 0.12F)));
  }
  if (seen == 0 || !(view.timeGap > 0)) return view.maxSpeed;
  const float mixed = std::min(1.0F, 10 * static_cast<float>(others) / static_cast<float>(seen));
  return std::max(std::min(view.maxSpeed, std::max(gap, 0.0F) / view.timeGap), mixed * view.maxSpeed);
}

Vec2f turned(Vec2f v, double angle) {
  const SineCosine turn = portableSineCosine(angle);
  return v * static_cast<float>(turn.cosine) + leftOf(v) * static_cast<float>(turn.sine);
}

Vec2f plainPassBehind(const LocalView& view) {
  const float speed = length(view.preferred);
  if (view.count == 0 || !(speed > 1e-6F)) return view.preferred;
  const Vec2f heading = view.preferred * (1 / speed);
  float leftwards = 0;
  float rightwards = 0;
  int seen = 0;
  for (uint32_t j = 0; j < view.count; ++j) {
    const Vec2f w{view.wx[j], view.wy[j]};
    if (!(dot(w, heading) > 0) || dot(w, w) > 16) continue;
    ++seen;
    const Vec2f bound{view.bx[j], view.by[j]};
    const float along = dot(bound, view.bound);
    if (along > 0.6F || along < -0.7F || bound == Vec2f{}) continue;
    const float side = cross(heading, bound);
    (side > 0 ? leftwards : rightwards) += std::abs(side);
  }
  if (leftwards == 0 && rightwards == 0) return view.preferred;
  const float both =
      view.side == 0 ? 0 : std::min(1.0F, 4 * std::min(leftwards, rightwards) / static_cast<float>(seen));
  const float share = std::clamp(2 * (leftwards - rightwards) / static_cast<float>(seen), -1.0F, 1.0F) * (1 - both);
  return turned(view.preferred, -static_cast<double>(share) * (15 * std::numbers::pi / 180) -
                                    static_cast<double>(both) * view.side * (45 * std::numbers::pi / 180));
}

Vec2f plainUseWidth(const LocalView& view) {
  const float speed = length(view.preferred);
  if (view.count < 3 || !(speed > 1e-6F)) return view.preferred;
  const float open = (view.free - view.radius - 0.3F) / (1.3F - 0.3F);
  const float heldUp = std::clamp(1.2F * (1 - length(view.velocity) / speed), 0.0F, 1.0F) * (1 - view.stuck) *
                       std::clamp(open, 0.0F, 1.0F);
  if (!(heldUp > 0)) return view.preferred;
  const Vec2f heading = view.preferred * (1 / speed);
  float left = 0;
  int ahead = 0;
  for (uint32_t j = 0; j < view.count; ++j) {
    const Vec2f w{view.wx[j], view.wy[j]};
    if (!(dot(w, heading) > 0) || dot(w, w) > 9) continue;
    if (view.bx[j] * view.bound.x + view.by[j] * view.bound.y < 0.5F) continue;
    left += cross(heading, w) / length(w);
    ++ahead;
  }
  if (ahead < 3) return view.preferred;
  const float share = std::clamp(2 * left / static_cast<float>(ahead), -1.0F, 1.0F) * heldUp;
  return turned(view.preferred, -static_cast<double>(share) * (75 * std::numbers::pi / 180));
}

Vec2f plainKeepSide(const LocalView& view) {
  const float speed = length(view.preferred);
  if (view.side == 0 || view.count == 0 || !(speed > 1e-6F)) return view.preferred;
  const Vec2f heading = view.preferred * (1 / speed);
  const Vec2f aside = view.side > 0 ? -leftOf(heading) : leftOf(heading);
  float need = 0;
  for (uint32_t j = 0; j < view.count; ++j) {
    const Vec2f w{view.wx[j], view.wy[j]};
    if (!(dot(w, heading) > 0) || !(view.bx[j] * view.bound.x + view.by[j] * view.bound.y < -0.7F)) continue;
    const float apart = -dot(w, aside);
    if (apart >= -0.8F) need = std::max(need, std::min(1.0F, (0.9F - apart) / 0.9F));
  }
  for (uint32_t i = 0; need > 0 && i < view.wallCount; ++i) {
    const Vec2f w = nearestOn(view.walls[i]);
    if (!(dot(w, aside) > 0.7F * length(w))) continue;
    need = std::min(need, std::clamp((length(w) - view.radius) / 0.15F - 0.3F, 0.0F, 1.0F));
  }
  if (!(need > 0)) return view.preferred;
  const SineCosine turn = portableSineCosine(static_cast<double>(need) * (25 * std::numbers::pi / 180));
  return view.preferred * static_cast<float>(turn.cosine) + aside * (speed * static_cast<float>(turn.sine));
}

// Views in which every rule has something to do now and then: ends of routes, groups, held up, standing.
LocalView crowdedView(Random& random) {
  LocalView view = test::randomView(random);
  const auto unit = [&] { return direction(test::randomVector(random, 1), {1, 0}); };
  view.bound = unit();
  view.free = test::real(random, 0, 3);
  view.side = static_cast<int>(random.between(-1, 1));
  if (random.chance(0.2)) {
    // A lane along the way.
    const Vec2f along = direction(view.velocity, {1, 0});
    view.free = test::real(random, 0.05, 0.3);
    view.wallCount = 0;
    for (const Vec2f side : {leftOf(along), -leftOf(along)}) {
      const Vec2f foot = side * static_cast<float>(test::real(random, 0.2, 0.6));
      test::addWall(view, foot + along * 5.0F, foot - along * 5.0F);
    }
  }
  if (random.chance(0.2)) view.group = 7;
  if (random.chance(0.1)) view.timeGap = 0;
  const bool oneWay = random.chance(0.3);
  for (uint32_t j = 0; j < view.count; ++j) {
    const bool same = oneWay || random.chance(0.4);
    const Vec2f bound = random.chance(0.1) ? Vec2f{} : same ? view.bound : random.chance(0.4) ? -view.bound : unit();
    view.bx[j] = bound.x;
    view.by[j] = bound.y;
    if (random.chance(0.3)) view.groups[j] = 7;
    if (random.chance(0.5)) view.wx[j] *= 0.4F, view.wy[j] *= 0.4F;
    if (random.chance(0.1)) view.vx[j] = view.vy[j] = 0;
  }
  return view;
}

TEST(RulesInLanes, GiveTheBitsOfOneNeighbourAtATime) {
  Random random(23);
  int limited = 0;
  int behind = 0;
  int wide = 0;
  int aside = 0;
  for (int k = 0; k < 40000; ++k) {
    LocalView view = crowdedView(random);
    const Vec2f heading = direction(view.velocity, {});
    const float headway = headwaySpeed(view, heading);
    ASSERT_EQ(headway, plainHeadway(view, heading)) << k;
    ASSERT_EQ(passBehind(view), plainPassBehind(view)) << k;
    ASSERT_EQ(useWidth(view), plainUseWidth(view)) << k;
    ASSERT_EQ(keepSide(view), plainKeepSide(view)) << k;
    limited += headway < view.maxSpeed ? 1 : 0;
    behind += passBehind(view) != view.preferred ? 1 : 0;
    wide += useWidth(view) != view.preferred ? 1 : 0;
    aside += keepSide(view) != view.preferred ? 1 : 0;
  }
  // Each rule acted often enough for the comparison to mean something.
  EXPECT_GT(limited, 1000);
  EXPECT_GT(behind, 1000);
  EXPECT_GT(wide, 1000);
  EXPECT_GT(aside, 1000);
}

}  // namespace
}  // namespace wend
