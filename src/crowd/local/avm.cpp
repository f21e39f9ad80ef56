#include <algorithm>
#include <cmath>

#include "crowd/local/avoid.h"
#include "crowd/local/elementary.h"
#include "crowd/local/kernels.h"
#include "crowd/local/symmetry.h"
#include "crowd/local/time_gap.h"

// Anticipation velocity model. Q. Xu, M. Chraibi, A. Seyfried: Anticipation in a velocity-based model for pedestrian
// dynamics (2021). As the collision-free speed model, but neighbours act at the place where they will be, and only
// sideways: across the preferred direction. So agents that meet head-on pass each other instead of slowing each other
// down, and lanes form.
namespace wend {
namespace {

constexpr float kStrength = 8;
constexpr float kRange = 0.1F;        // m
constexpr float kAnticipation = 1;    // s
constexpr float kReaction = 0.3F;     // s, in which the direction follows
constexpr float kTimeGap = 1.06F;     // s
constexpr float kCutOff = 3;          // m
constexpr float kWallBuffer = 0.1F;   // m
constexpr float kLeastSpeed = 1e-3F;  // m/s; a slower agent has no direction

// The influence of neighbour j, positive to the left of the preferred direction.
float influence(const LocalView& view, const Intent& intent, Vec2f facing, uint32_t j) {
  const Vec2f w{view.wx[j], view.wy[j]};
  const Vec2f v{view.vx[j], view.vy[j]};
  const float distance = length(w);
  if (distance > kCutOff || !avoids(view, j)) return 0;
  const Vec2f towards = distance > 1e-6F ? w * (1 / distance) : -apart(view.id, view.ids[j]);
  if (dot(towards, intent.heading) < 0 && dot(towards, facing) < 0) return 0;
  const float reach = intent.shrink * (view.radius + view.r[j]);
  const float closed = dot(view.velocity - v, towards) * kAnticipation;
  const float gap = std::max(0.0F, distance - reach - closed);
  // An agent that comes from the opposite direction counts twice as much as one that walks along.
  const float speed = length(v);
  const float along = speed > kLeastSpeed ? dot(v, intent.heading) / speed : 1.0F;
  const float strength =
      kStrength * (1 + 0.5F * (1 - along)) * static_cast<float>(portableExp(-static_cast<double>(gap / kRange)));
  // Away from where it will be; straight ahead: to the right.
  const float side = cross(intent.heading, w + v * kAnticipation);
  return side < 0 ? strength : -strength;
}

}  // namespace

LocalChoice avoidAnticipation(const LocalView& view) {
  const Intent intent = nudgedIntentOf(view);
  if (intent.speed == 0) return {{}, 0, true};
  const uint32_t count = avoidedCount(view);
  const Vec2f facing = length(view.velocity) > kLeastSpeed ? direction(view.velocity, intent.heading) : intent.heading;
  float aside = 0;
  for (uint32_t j = 0; j < count; ++j) aside += influence(view, intent, facing, j);
  const Vec2f target = direction(intent.heading + leftOf(intent.heading) * aside, intent.heading);

  // A turn from behind is done at once, any other one within the reaction time.
  Vec2f heading = target;
  if (dot(intent.heading, facing) > 0) {
    heading = direction(facing + (target - facing) * std::min(1.0F, view.step / kReaction), target);
  }
  // Walls are surfaces to slide along: the part of the direction that leads into one is taken away.
  for (uint32_t i = 0; i < view.wallCount; ++i) {
    const Vec2f w = nearestOn(view.walls[i]);
    const float distance = length(w);
    if (distance > view.radius + kWallBuffer) continue;
    const Vec2f towards = direction(w, -leftOf(view.walls[i].along));
    const float into = dot(heading, towards);
    if (into > 0) heading = direction(heading - towards * into, {});
  }

  const float gap = gapAhead(view, heading, intent.shrink, kTimeGap * intent.speed);
  return walkBehind(intent, heading, gap, kTimeGap);
}

}  // namespace wend
