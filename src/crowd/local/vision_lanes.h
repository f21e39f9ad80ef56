#pragma once

#include <array>
#include <cmath>
#include <numbers>

#include "base/always_inline.h"
#include "crowd/local/local_view.h"
#include "crowd/local/symmetry.h"

// The vision-based method over all directions at once: one lane per direction, the loop over neighbours outside. Plain
// loops over arrays that a compiler turns into vector instructions of any width; each lane does the same operations in
// the same order, so that every width gives the same bits. A caller inlines visionInLanes() into a function compiled
// for its instruction set.
namespace wend {

inline constexpr int kVisionDirections = 39;  // 150 degrees, 3.95 apart
inline constexpr int kVisionLanes = 40;       // the last one is spare
inline constexpr float kVisionHorizon = 10;   // m at the preferred speed
inline constexpr float kVisionTau = 0.5F;     // s

// Lanes in the order in which they win ties: straight on, then right before left, outwards. The spare lane repeats the
// last direction, so it never wins.
struct VisionFan {
  alignas(64) std::array<float, kVisionLanes> cosine{};
  alignas(64) std::array<float, kVisionLanes> sine{};
  alignas(64) std::array<float, kVisionLanes> right{};  // 1 on this side, else 0
  alignas(64) std::array<float, kVisionLanes> left{};
};
// `step` in degrees.
constexpr VisionFan makeFan(double step) {
  VisionFan fan;
  for (int l = 0; l < kVisionLanes; ++l) {
    const int rank = l < kVisionDirections ? l : kVisionDirections - 1;
    const int ring = (rank + 1) / 2;
    const double steps = rank % 2 == 1 ? -ring : ring;
    const double x = steps * step * std::numbers::pi / 180;
    double sine = 0;
    double cosine = 0;
    double term = 1;
    for (int n = 0; n < 30; n += 2) {
      cosine += term;
      term *= x / (n + 1);
      sine += term;
      term *= -x / (n + 2);
    }
    fan.cosine[l] = static_cast<float>(cosine);
    fan.sine[l] = static_cast<float>(sine);
    fan.right[l] = sine < 0 ? 1.0F : 0.0F;
    fan.left[l] = sine > 0 ? 1.0F : 0.0F;
  }
  return fan;
}
inline constexpr VisionFan kVisionFan = makeFan(150.0 / (kVisionDirections - 1));

template <int kLanes>
struct VisionState {
  alignas(64) float x[kLanes];  // velocity to try, m/s
  alignas(64) float y[kLanes];
  alignas(64) float inverse[kLanes];  // of the time to the first contact, 1/s
};

inline constexpr float kBlocked = 1e30F;  // inverse of the time to a contact that is there
// A contact shallower than half this share of the radii does not count; else an agent along a wall would avoid its end.
inline constexpr float kShallow = 1e-3F;
// Sines below this count as along, not into, what is touched: rounding must not block an agent that slides along a
// wall.
inline constexpr float kGrazing = 1e-4F;

template <int kLanes>
WEND_INLINE void seeDisk(VisionState<kLanes>& lanes, float wx, float wy, float vx, float vy, float reach, float speed) {
  const float square = reach * reach;
  const float ww = wx * wx + wy * wy;
  const float c = ww - square;
  if (c <= 0) {
    const float threshold = kGrazing * speed * std::sqrt(ww);
    for (int l = 0; l < kLanes; ++l) {
      const bool into = wx * lanes.x[l] + wy * lanes.y[l] > threshold;
      lanes.inverse[l] = into ? kBlocked : lanes.inverse[l];
    }
    return;
  }
  const float scale = 1 / c;
  for (int l = 0; l < kLanes; ++l) {
    const float ux = lanes.x[l] - vx;
    const float uy = lanes.y[l] - vy;
    const float b = wx * ux + wy * uy;
    const float k = wx * uy - wy * ux;
    const float whole = square * (ux * ux + uy * uy);
    const float d = whole - k * k;
    const float root = std::sqrt(d > 0 ? d : 0.0F);
    float inverse = (b + root) * scale;
    inverse = d > kShallow * whole ? inverse : 0.0F;
    inverse = b > 0 ? inverse : 0.0F;
    lanes.inverse[l] = inverse > lanes.inverse[l] ? inverse : lanes.inverse[l];
  }
}

template <int kLanes>
WEND_INLINE void seeSide(VisionState<kLanes>& lanes, const WallView& wall, float radius, float speed) {
  const float nx = wall.along.y;  // from walkable ground to the wall
  const float ny = -wall.along.x;
  const float distance = wall.a.x * nx + wall.a.y * ny;
  // From behind it is hidden by other walls.
  if (distance < 0) return;
  const float gap = distance - radius > 1e-6F ? distance - radius : 1e-6F;
  const float scale = 1 / gap;
  const float from = wall.a.x * wall.along.x + wall.a.y * wall.along.y;
  const float to = wall.b.x * wall.along.x + wall.b.y * wall.along.y;
  const float threshold = kGrazing * speed;
  for (int l = 0; l < kLanes; ++l) {
    const float into = lanes.x[l] * nx + lanes.y[l] * ny;
    const float foot = (lanes.x[l] * wall.along.x + lanes.y[l] * wall.along.y) * gap;
    float inverse = into * scale;
    inverse = into > threshold ? inverse : 0.0F;
    inverse = foot >= from * into ? inverse : 0.0F;
    inverse = foot <= to * into ? inverse : 0.0F;
    lanes.inverse[l] = inverse > lanes.inverse[l] ? inverse : lanes.inverse[l];
  }
}

// Neighbours that can be met at all, and when one meets them straight on: here each neighbour has a lane.
struct VisionNeighbours {
  alignas(64) float reach[kMaxNeighbours];
  alignas(64) float ahead[kMaxNeighbours];  // inverse of the time to contact, as in VisionState
  alignas(64) int met[kMaxNeighbours];
};

// `horizon` is the distance walked beyond which nothing matters.
WEND_INLINE float meetAhead(VisionNeighbours& met, const LocalView& view, const Intent& intent, float horizon) {
  const float speed = intent.speed;
  const float x = intent.heading.x * speed;
  const float y = intent.heading.y * speed;
  const float near = view.radius + 0.1F;
  const uint32_t count = avoidedCount(view);
  for (uint32_t j = 0; j < kMaxNeighbours; ++j) {
    const float wx = view.wx[j];
    const float wy = view.wy[j];
    const float vx = view.vx[j];
    const float vy = view.vy[j];
    const float reach = intent.shrink * (view.radius + view.r[j]);
    const float ww = wx * wx + wy * wy;
    const float away = std::sqrt(ww);
    int meet = j < count ? 1 : 0;
    // Members of one group see each other when they are about to touch; as avoids() has it.
    meet =
        view.groups[j] == view.group && view.group != ~0U && ww >= (near + view.r[j]) * (near + view.r[j]) ? 0 : meet;
    // It runs away faster than we walk, or is too far to be met.
    meet = speed * away < wx * vx + wy * vy ? 0 : meet;
    meet = (away - reach) * speed > horizon * (speed + std::sqrt(vx * vx + vy * vy)) ? 0 : meet;
    met.met[j] = meet;
    met.reach[j] = reach;

    const float square = reach * reach;
    const float c = ww - square;
    const float ux = x - vx;
    const float uy = y - vy;
    const float b = wx * ux + wy * uy;
    const float k = wx * uy - wy * ux;
    const float whole = square * (ux * ux + uy * uy);
    const float d = whole - k * k;
    float inverse = (b + std::sqrt(d > 0 ? d : 0.0F)) * (1 / c);
    inverse = d > kShallow * whole ? inverse : 0.0F;
    inverse = b > 0 ? inverse : 0.0F;
    const float touching = wx * x + wy * y > kGrazing * speed * away ? kBlocked : 0.0F;
    inverse = c > 0 ? inverse : touching;
    met.ahead[j] = meet != 0 ? inverse : 0.0F;
  }
  float most = 0;
  for (uint32_t j = 0; j < count; ++j) most = met.ahead[j] > most ? met.ahead[j] : most;
  return most;
}

template <int kLanes>
WEND_INLINE void seeNeighbours(VisionState<kLanes>& lanes, const LocalView& view, const VisionNeighbours& met,
                               float speed) {
  const uint32_t count = avoidedCount(view);
  for (uint32_t j = 0; j < count; ++j) {
    if (met.met[j] != 0) seeDisk(lanes, view.wx[j], view.wy[j], view.vx[j], view.vy[j], met.reach[j], speed);
  }
}

template <int kLanes>
WEND_INLINE void seeWalls(VisionState<kLanes>& lanes, const LocalView& view, const Intent& intent) {
  const float speed = intent.speed;
  const float radius = intent.shrink * view.radius;
  for (uint32_t i = 0; i < view.wallCount; ++i) {
    const WallView& wall = view.walls[i];
    seeSide(lanes, wall, radius, speed);
    // Corners are shared by two walls.
    bool seenA = !wall.cornerA;
    bool seenB = !wall.cornerB;
    for (uint32_t k = 0; k < i; ++k) {
      seenA |= view.walls[k].a == wall.a || view.walls[k].b == wall.a;
      seenB |= view.walls[k].a == wall.b || view.walls[k].b == wall.b;
    }
    if (!seenA) seeDisk(lanes, wall.a.x, wall.a.y, 0, 0, radius, speed);
    if (!seenB) seeDisk(lanes, wall.b.x, wall.b.y, 0, 0, radius, speed);
  }
}

WEND_INLINE LocalChoice visionInLanes(const LocalView& view) {
  const Intent intent = intentOf(view);
  if (intent.speed == 0) return {};
  const float speed = intent.speed;
  // A slow agent looks the same number of seconds ahead, not of metres.
  const float horizon = speed < view.speed ? kVisionHorizon * speed / view.speed : kVisionHorizon;

  VisionState<1> ahead{{intent.heading.x * speed}, {intent.heading.y * speed}, {0}};
  VisionNeighbours met;
  ahead.inverse[0] = meetAhead(met, view, intent, horizon);
  seeWalls(ahead, view, intent);
  if (ahead.inverse[0] * horizon <= speed) return {intent.heading * speed, 0, false};

  VisionState<kVisionLanes> lanes;
  for (int l = 0; l < kVisionLanes; ++l) {
    lanes.x[l] = speed * (kVisionFan.cosine[l] * intent.heading.x - kVisionFan.sine[l] * intent.heading.y);
    lanes.y[l] = speed * (kVisionFan.sine[l] * intent.heading.x + kVisionFan.cosine[l] * intent.heading.y);
    lanes.inverse[l] = 0;
  }
  seeNeighbours(lanes, view, met, speed);
  seeWalls(lanes, view, intent);

  alignas(64) float free[kVisionLanes];  // distance walked
  alignas(64) float cost[kVisionLanes];
  // Keeping to the side of the last step is a little cheaper: no chatter between left and right.
  const float right = view.lastSide < 0 ? 0.02F : 0.0F;
  const float left = view.lastSide > 0 ? 0.02F : 0.0F;
  for (int l = 0; l < kVisionLanes; ++l) {
    const float f = speed / lanes.inverse[l];
    const float capped = f < horizon ? f : horizon;
    free[l] = capped;
    const float factor = 1 - right * kVisionFan.right[l] - left * kVisionFan.left[l];
    cost[l] = (horizon * horizon + capped * capped - 2 * horizon * capped * kVisionFan.cosine[l]) * factor;
  }
  float least[8];
  for (int k = 0; k < 8; ++k) least[k] = cost[k];
  for (int l = 8; l < kVisionLanes; l += 8) {
    for (int k = 0; k < 8; ++k) least[k] = cost[l + k] < least[k] ? cost[l + k] : least[k];
  }
  float bound = least[0];
  for (int k = 1; k < 8; ++k) bound = least[k] < bound ? least[k] : bound;
  bound += 1e-5F * horizon * horizon;
  int best = 0;
  while (best + 1 < kVisionDirections && cost[best] > bound) ++best;

  if (free[best] < 1e-6F) return {{}, 0, false};
  const float slower = free[best] < kVisionTau * speed ? free[best] / (kVisionTau * speed) : 1.0F;
  return {{lanes.x[best] * slower, lanes.y[best] * slower}, best == 0 ? 0 : (best % 2 == 1 ? -1 : 1), false};
}

}  // namespace wend
