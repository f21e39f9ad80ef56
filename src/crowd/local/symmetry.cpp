#include "crowd/local/symmetry.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "crowd/local/elementary.h"

namespace wend {
namespace {

uint64_t scrambled(uint64_t word) {
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9ULL;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebULL;
  return word ^ (word >> 31);
}

Vec2f rotated(Vec2f v, double angle) {
  const SineCosine turn = portableSineCosine(angle);
  const auto c = static_cast<float>(turn.cosine);
  const auto s = static_cast<float>(turn.sine);
  return {v.x * c - v.y * s, v.x * s + v.y * c};
}

constexpr float kJamShrink = 0.05F;
// An agent jammed by others from the opposite direction makes itself thinner, so that they can pass each other.
constexpr float kOpposedShrink = 0.1F;
constexpr float kHeadOn = -0.5F;          // cosine between wishes; agents that meet before a door are not head-on
constexpr float kInTheWay = 0.3F;         // metres between rims
constexpr float kOtherWay = 0.3F;         // cosine between wishes below which agents block each other
constexpr double kRightOfWayPeriod = 12;  // s
constexpr float kClearlyFirst = 0.5F;     // of 2 for opposite wishes along the hand
constexpr float kWalks = 0.1F;            // m/s; an opponent that comes faster is not held up
constexpr float kStepBack = 0.6F;         // of the preferred speed

// Neighbour j is near, ahead, and wants another way that leads towards here.
bool isOpponent(const LocalView& view, Vec2f heading, uint32_t j) {
  const Vec2f w{view.wx[j], view.wy[j]};
  const float near = view.radius + view.r[j] + kInTheWay;
  return dot(w, w) <= near * near && dot(w, heading) > 0 && dot(w, view.wishes[j]) < 0 &&
         dot(view.wishes[j], heading) < kOtherWay;
}

// The least cosine between the own wish and that of an opponent; 1 without one.
float mostOpposed(const LocalView& view, Vec2f heading) {
  float least = 1;
  for (uint32_t j = 0; j < view.count; ++j) {
    if (isOpponent(view, heading, j)) least = std::min(least, dot(view.wishes[j], heading));
  }
  return least;
}

Intent turnedIntentOf(const LocalView& view, double angle, double jamTurn) {
  Intent intent;
  intent.speed = length(view.preferred);
  if (!(intent.speed > 1e-6F)) return {};
  intent.heading = view.preferred * (1 / intent.speed);
  if (view.stuck > 0) {
    const auto second = static_cast<uint64_t>(static_cast<double>(view.frame) * static_cast<double>(view.step));
    const double turn = static_cast<double>(hashed(view.id, second + 1));
    const float opposed = mostOpposed(view, intent.heading);
    // Both turn to their right: the two streams sort themselves into lanes.
    angle += static_cast<double>(view.stuck) * jamTurn * (opposed < 1 ? -std::abs(turn) : turn);
    intent.shrink = 1 - (opposed < kHeadOn ? kOpposedShrink : kJamShrink) * view.stuck;
  }
  if (angle != 0) intent.heading = rotated(intent.heading, angle);
  return intent;
}

}  // namespace

float hashed(uint32_t id, uint64_t n) {
  const uint64_t word = scrambled(scrambled(id + 0x9e3779b97f4a7c15ULL) + n * 0x9e3779b97f4a7c15ULL);
  // 24 bits fill a float exactly.
  return static_cast<float>(static_cast<int32_t>(word >> 40) - (1 << 23)) * (1.0F / (1 << 23));
}

Vec2f apart(uint32_t self, uint32_t other) {
  const uint32_t low = self < other ? self : other;
  const uint32_t high = self < other ? other : self;
  const Vec2f way = rotated({1, 0}, std::numbers::pi * static_cast<double>(hashed(low, high)));
  return self < other ? way : -way;
}

Vec2f giveWay(const LocalView& view) {
  if (!(view.stuck > 0)) return {};
  const Vec2f heading = direction(view.preferred, {});
  const double time = static_cast<double>(view.frame) * static_cast<double>(view.step);
  const Vec2f hand =
      rotated({1, 0}, 2 * std::numbers::pi * (time / kRightOfWayPeriod - std::floor(time / kRightOfWayPeriod)));
  for (uint32_t j = 0; j < view.count; ++j) {
    const Vec2f wish = view.wishes[j];
    if (view.sameGoal[j] || !isOpponent(view, heading, j)) continue;
    // An opponent that comes goes on: through a door a whole stream passes before the other one begins.
    const bool comes = dot(wish, {view.vx[j], view.vy[j]}) > kWalks;
    if (!comes && !(dot(wish - heading, hand) > kClearlyFirst)) continue;
    const Vec2f w{view.wx[j], view.wy[j]};
    const float side = cross(w, wish);  // positive: to the left of its way
    if (std::abs(side) > view.radius + view.r[j]) continue;
    const Vec2f aside = side >= 0 ? leftOf(wish) : -leftOf(wish);
    return direction(wish + aside, {}) * (kStepBack * view.speed * view.stuck);
  }
  return {};
}

Intent intentOf(const LocalView& view) {
  return turnedIntentOf(view, 0, kJamTurn);
}

Intent nudgedIntentOf(const LocalView& view, double jamTurn) {
  if (view.count == 0) return turnedIntentOf(view, 0, jamTurn);
  return turnedIntentOf(view, -0.002 - 0.01 * static_cast<double>(hashed(view.id, 0)), jamTurn);
}

}  // namespace wend
