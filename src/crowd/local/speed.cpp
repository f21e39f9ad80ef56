#include <algorithm>

#include "crowd/local/avoid.h"
#include "crowd/local/elementary.h"
#include "crowd/local/kernels.h"
#include "crowd/local/symmetry.h"
#include "crowd/local/time_gap.h"

// A. Tordeux, M. Chraibi, A. Seyfried: Collision-free speed model for pedestrian dynamics (2016). No inertia: the
// direction is bent by those around, the speed is what the gap ahead allows.
namespace wend {
namespace {

constexpr float kStrength = 8;
constexpr float kRange = 0.1F;  // m
constexpr float kWallStrength = 5;
constexpr float kWallRange = 0.02F;  // m
constexpr float kTimeGap = 1;        // s
constexpr float kCutOff = 3;         // m

float repulsion(float strength, float gap, float range) {
  return strength * static_cast<float>(portableExp(-static_cast<double>(gap / range)));
}

}  // namespace

LocalChoice avoidSpeed(const LocalView& view) {
  const Intent intent = nudgedIntentOf(view);
  if (intent.speed == 0) return {{}, 0, true};
  const uint32_t count = avoidedCount(view);
  Vec2f bent = intent.heading;
  for (uint32_t j = 0; j < count; ++j) {
    const Vec2f w{view.wx[j], view.wy[j]};
    const float distance = length(w);
    if (distance > kCutOff || !avoids(view, j)) continue;
    const float reach = intent.shrink * (view.radius + view.r[j]);
    const Vec2f towards = distance > 1e-6F ? w * (1 / distance) : -apart(view.id, view.ids[j]);
    bent = bent - towards * repulsion(kStrength, distance - reach, kRange);
  }
  for (uint32_t i = 0; i < view.wallCount; ++i) {
    const Vec2f w = nearestOn(view.walls[i]);
    const float distance = length(w);
    if (distance > kCutOff) continue;
    const Vec2f towards = direction(w, -leftOf(view.walls[i].along));
    bent = bent - towards * repulsion(kWallStrength, distance - view.radius, kWallRange);
  }
  const Vec2f heading = direction(bent, direction(view.velocity, intent.heading));

  const float gap = gapAhead(view, heading, intent.shrink, kTimeGap * intent.speed);
  return walkBehind(intent, heading, gap, kTimeGap);
}

}  // namespace wend
