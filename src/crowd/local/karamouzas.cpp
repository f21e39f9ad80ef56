#include <algorithm>

#include "base/always_inline.h"
#include "crowd/local/avoid.h"
#include "crowd/local/vision_lanes.h"

// I. Karamouzas, M. Overmars: A velocity-based approach for simulating human collision avoidance (2010). Velocities
// around the preferred one are sampled; how far they may deviate depends on how near the next contact is.
namespace wend {
namespace {

constexpr float kDirectionWeight = 1, kSpeedWeight = 0.05F, kDeviationWeight = 1, kTimeWeight = 1;
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

// Velocities to try, with the time to the first contact with people and with walls. Walls count for less long: along a
// corridor every turn would meet one within the horizon.
template <int kLanes>
struct Tries {
  VisionState<kLanes> people;
  VisionState<kLanes> walls;
};
constexpr float kWallHorizon = 1.5F;  // s

// No contact is 1/0, infinitely late.
float timeCost(float people, float walls) {
  const float late = std::max(0.0F, kLatest - 1 / people) / kLatest;
  const float lateWall = std::max(0.0F, kWallHorizon - 1 / walls) / kWallHorizon;
  return kTimeWeight * std::max(late, lateWall);
}

struct Best {
  float cost;
  Vec2f velocity;
  float inverse;  // of the time to the first contact
};

template <int kLanes>
WEND_INLINE void look(Tries<kLanes>& tries, const LocalView& view, const Intent& intent, float speed) {
  Intent tried = intent;
  tried.speed = speed;
  for (int l = 0; l < kLanes; ++l) {
    tries.walls.x[l] = tries.people.x[l];
    tries.walls.y[l] = tries.people.y[l];
    tries.people.inverse[l] = 0;
    tries.walls.inverse[l] = 0;
  }
  VisionNeighbours met;
  meetAhead(met, view, tried, kLatest * speed);
  seeNeighbours(tries.people, view, met, speed);
  seeWalls(tries.walls, view, tried);
}

// All directions at one speed. The fan is in the order of rank, so that right comes before left.
WEND_INLINE void tryFan(const LocalView& view, const Intent& intent, float speed, float mostSpeed, int directions,
                        Best& best) {
  Tries<kVisionLanes> tries;
  for (int l = 0; l < kVisionLanes; ++l) {
    tries.people.x[l] = speed * (kFan.cosine[l] * intent.heading.x - kFan.sine[l] * intent.heading.y);
    tries.people.y[l] = speed * (kFan.sine[l] * intent.heading.x + kFan.cosine[l] * intent.heading.y);
  }
  look(tries, view, intent, speed);
  const Vec2f preferred = intent.heading * intent.speed;
  const float change = kSpeedWeight * std::abs(speed - length(view.velocity)) / mostSpeed;
  for (int l = 0; l < directions; ++l) {
    const Vec2f velocity{tries.people.x[l], tries.people.y[l]};
    const float cost = kDirectionWeight * (1 - kFan.cosine[l]) / 2 + change +
                       kDeviationWeight * length(velocity - preferred) / (2 * mostSpeed) +
                       timeCost(tries.people.inverse[l], tries.walls.inverse[l]);
    if (cost < best.cost) best = {cost, velocity, std::max(tries.people.inverse[l], tries.walls.inverse[l])};
  }
}

WEND_INLINE LocalChoice karamouzasInLanes(const LocalView& view) {
  const Intent intent = intentOf(view);
  if (intent.speed == 0) return {};
  const Vec2f preferred = intent.heading * intent.speed;
  Tries<1> ahead;
  ahead.people.x[0] = preferred.x;
  ahead.people.y[0] = preferred.y;
  look(ahead, view, intent, intent.speed);
  const float people = ahead.people.inverse[0];
  const float walls = ahead.walls.inverse[0];
  const float time = 1 / std::max(people, walls);
  if (1 / people >= kLatest && 1 / walls >= kWallHorizon) return {preferred, 0, false};

  const float mostSpeed = std::max(intent.speed, std::min(view.maxSpeed, kMostSpeed * view.speed));
  const float range = mostSpeed - intent.speed;
  const float slowest = time < kSoon ? mostSpeed / kSpeeds : std::max(intent.speed - range, 0.1F * intent.speed);
  const float steps = turnAllowed(time) / (static_cast<float>(kTurnStep) * static_cast<float>(std::numbers::pi) / 180);
  const int directions = std::min(1 + 2 * static_cast<int>(steps), kVisionDirections);

  const float own = length(view.velocity);
  Best best{kSpeedWeight * std::abs(intent.speed - own) / mostSpeed + timeCost(people, walls), preferred,
            std::max(people, walls)};
  Tries<1> stand;
  stand.people.x[0] = 0;
  stand.people.y[0] = 0;
  look(stand, view, intent, 0);
  // Standing has no direction: as bad as across.
  const float standCost = kDirectionWeight / 2 + kSpeedWeight * own / mostSpeed +
                          kDeviationWeight * intent.speed / (2 * mostSpeed) +
                          timeCost(stand.people.inverse[0], stand.walls.inverse[0]);
  if (standCost < best.cost) best = {standCost, {}, 0};
  for (int k = 0; k < kSpeeds; ++k) {
    const float speed = slowest + (mostSpeed - slowest) * static_cast<float>(k) / (kSpeeds - 1);
    tryFan(view, intent, speed, mostSpeed, directions, best);
  }
  // The costs allow contacts: no agent walks into one faster than it can brake.
  const float brake = std::min(1.0F, 1 / (best.inverse * kVisionTau));
  const Vec2f velocity = best.velocity * brake;
  return {velocity, sideOf(intent.heading, velocity), false};
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
