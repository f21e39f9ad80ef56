#include "crowd/local/symmetry.h"

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

Intent turnedIntentOf(const LocalView& view, double angle, double jamTurn) {
  Intent intent;
  intent.speed = length(view.preferred);
  if (!(intent.speed > 1e-6F)) return {};
  intent.heading = view.preferred * (1 / intent.speed);
  if (view.stuck > 0) {
    const auto second = static_cast<uint64_t>(static_cast<double>(view.frame) * static_cast<double>(view.step));
    angle += static_cast<double>(view.stuck) * jamTurn * static_cast<double>(hashed(view.id, second + 1));
    intent.shrink = 1 - kJamShrink * view.stuck;
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

Intent intentOf(const LocalView& view) {
  return turnedIntentOf(view, 0, kJamTurn);
}

Intent nudgedIntentOf(const LocalView& view, double jamTurn) {
  if (view.count == 0) return turnedIntentOf(view, 0, jamTurn);
  return turnedIntentOf(view, -0.002 - 0.01 * static_cast<double>(hashed(view.id, 0)), jamTurn);
}

}  // namespace wend
