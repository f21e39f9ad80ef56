#include <algorithm>

#include "crowd/local/avoid.h"
#include "crowd/local/vision_lanes.h"

// I. Karamouzas, M. Overmars: A velocity-based approach for simulating human collision avoidance (2010). Velocities
// around the preferred one are sampled; how far they may deviate depends on how near the next contact is.
namespace wend {
namespace {

constexpr float kDirectionWeight = 5, kSpeedWeight = 0.5F, kDeviationWeight = 1, kTimeWeight = 1;
constexpr float kSoon = 2.5F, kLater = 6, kLatest = 8;  // s
constexpr float kMiddleTurn = static_cast<float>(std::numbers::pi / 6);
constexpr float kMostTurn = static_cast<float>(std::numbers::pi / 2);
constexpr int kSpeeds = 5;
constexpr double kTurnStep = 4.5;          // degrees; 19 to each side
constexpr float kMostSpeed = 1.8F / 1.4F;  // of the own preferred one
inline constexpr VisionFan kFan = makeFan(kTurnStep);

float turnAllowed(float time) {
  if (time < kSoon) {
    const float rest = 1 - time / kSoon;
    return kMiddleTurn + (kMostTurn - kMiddleTurn) * rest * rest;
  }
  if (time < kLater) return kMiddleTurn;
  return time < kLatest ? kMiddleTurn * (kLatest - time) / (kLatest - kLater) : 0;
}

struct Best {
  float cost;
  Vec2f velocity;
};

float timeCost(float inverse) {
  // Without a contact 1/0 is infinite, as it should be.
  return kTimeWeight * std::max(0.0F, kLatest - 1 / inverse) / kLatest;
}

// All directions at one speed. The fan is in the order of rank, so that right comes before left.
WEND_INLINE void tryFan(const LocalView& view, const Intent& intent, float speed, float mostSpeed, int directions,
                        Best& best) {
  VisionState<kVisionLanes> lanes;
  for (int l = 0; l < kVisionLanes; ++l) {
    lanes.x[l] = speed * (kFan.cosine[l] * intent.heading.x - kFan.sine[l] * intent.heading.y);
    lanes.y[l] = speed * (kFan.sine[l] * intent.heading.x + kFan.cosine[l] * intent.heading.y);
    lanes.inverse[l] = 0;
  }
  Intent tried = intent;
  tried.speed = speed;
  seeAll(lanes, view, tried, kLatest * speed);
  const Vec2f preferred = intent.heading * intent.speed;
  const float change = kSpeedWeight * std::abs(speed - length(view.velocity)) / mostSpeed;
  for (int l = 0; l < directions; ++l) {
    const Vec2f velocity{lanes.x[l], lanes.y[l]};
    const float cost = kDirectionWeight * (1 - kFan.cosine[l]) / 2 + change +
                       kDeviationWeight * length(velocity - preferred) / (2 * mostSpeed) + timeCost(lanes.inverse[l]);
    if (cost < best.cost) best = {cost, velocity};
  }
}

WEND_INLINE LocalChoice karamouzasInLanes(const LocalView& view) {
  const Intent intent = intentOf(view);
  if (intent.speed == 0) return {};
  const Vec2f preferred = intent.heading * intent.speed;
  VisionState<1> ahead{{preferred.x}, {preferred.y}, {0}};
  seeAll(ahead, view, intent, kLatest * intent.speed);
  const float time = 1 / ahead.inverse[0];
  if (time >= kLatest) return {preferred, 0, false};

  const float mostSpeed = std::max(intent.speed, std::min(view.maxSpeed, kMostSpeed * view.speed));
  const float range = mostSpeed - intent.speed;
  const float slowest = time < kSoon ? mostSpeed / kSpeeds : std::max(intent.speed - range, 0.1F * intent.speed);
  const float steps = turnAllowed(time) / (static_cast<float>(kTurnStep) * static_cast<float>(std::numbers::pi) / 180);
  const int directions = std::min(1 + 2 * static_cast<int>(steps), kVisionDirections);

  const float own = length(view.velocity);
  Best best{kSpeedWeight * std::abs(intent.speed - own) / mostSpeed + timeCost(ahead.inverse[0]), preferred};
  VisionState<1> stand{{0}, {0}, {0}};
  Intent standing = intent;
  standing.speed = 0;
  seeAll(stand, view, standing, kLatest);
  const float standCost =
      kSpeedWeight * own / mostSpeed + kDeviationWeight * intent.speed / (2 * mostSpeed) + timeCost(stand.inverse[0]);
  if (standCost < best.cost) best = {standCost, {}};
  for (int k = 0; k < kSpeeds; ++k) {
    const float speed = slowest + (mostSpeed - slowest) * static_cast<float>(k) / (kSpeeds - 1);
    tryFan(view, intent, speed, mostSpeed, directions, best);
  }
  return {best.velocity, sideOf(intent.heading, best.velocity), false};
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] LocalChoice avx2(const LocalView& view) {
  return karamouzasInLanes(view);
}
#endif

}  // namespace

LocalChoice avoidKaramouzas(const LocalView& view) {
#if defined(__x86_64__)
  static const bool wide = __builtin_cpu_supports("avx2") != 0;
  if (wide) return avx2(view);
#endif
  return karamouzasInLanes(view);
}

}  // namespace wend
