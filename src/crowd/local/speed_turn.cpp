#include <algorithm>
#include <cmath>

#include "crowd/local/avoid.h"
#include "crowd/local/elementary.h"
#include "crowd/local/kernels.h"
#include "crowd/local/symmetry.h"
#include "crowd/local/time_gap.h"

// The collision-free speed model with rotational steering, third variant of the model in JuPedSim (2026), after its
// published specification. The agent turns away from the one neighbour that matters most, by an angle that follows
// within 0.3 s; the speed is what the gap in the direction of movement, and a little that in the preferred one, allows.
namespace wend {
namespace {

constexpr float kLargestTurn = 1.57F;  // rad
constexpr float kRangeAhead = 2;       // m
constexpr float kRangeAside = 0.8F;    // m
constexpr float kSideScale = 0.05F;    // m; nearer to straight ahead the side counts less
constexpr float kTurnTime = 0.3F;      // s
constexpr float kTimeGap = 1;          // s
constexpr float kPreferredShare = 0.15F;
constexpr float kWallStrength = 5;
constexpr float kWallRange = 0.02F;  // m
constexpr float kCutOff = 3;         // m

Vec2f turned(Vec2f v, float angle) {
  const SineCosine turn = portableSineCosine(static_cast<double>(angle));
  const auto c = static_cast<float>(turn.cosine);
  const auto s = static_cast<float>(turn.sine);
  return {v.x * c - v.y * s, v.x * s + v.y * c};
}

Vec2f bentByWalls(const LocalView& view, Vec2f heading) {
  Vec2f bent = heading;
  for (uint32_t i = 0; i < view.wallCount; ++i) {
    const Vec2f w = nearestOn(view.walls[i]);
    const float distance = length(w);
    if (distance > kCutOff) continue;
    const float push =
        kWallStrength * static_cast<float>(portableExp(-static_cast<double>((distance - view.radius) / kWallRange)));
    bent = bent - direction(w, -leftOf(view.walls[i].along)) * push;
  }
  return direction(bent, heading);
}

// The angle to turn away from the neighbour ahead that matters most; positive to the left.
float turnFrom(const LocalView& view, Vec2f heading) {
  float most = 0;
  float side = 0;
  for (uint32_t j = 0; j < avoidedCount(view); ++j) {
    const Vec2f w{view.wx[j], view.wy[j]};
    const float ahead = dot(heading, w);
    if (!(ahead > 0) || !avoids(view, j)) continue;
    const float aside = cross(heading, w);
    const double decay = static_cast<double>(ahead / kRangeAhead + std::abs(aside) / kRangeAside);
    const auto weight = static_cast<float>(portableExp(-decay));
    if (!(weight > most)) continue;
    most = weight;
    // Straight ahead: to the right.
    side = aside == 0 ? 1.0F : aside / (std::abs(aside) + kSideScale);
  }
  const double e = portableExp(static_cast<double>(-2 * most));
  return -kLargestTurn * side * static_cast<float>((1 - e) / (1 + e));  // tanh
}

}  // namespace

LocalChoice avoidSpeedTurn(const LocalView& view) {
  const Intent intent = nudgedIntentOf(view);
  if (intent.speed == 0) return {{}, 0, true};
  const Vec2f reference = bentByWalls(view, intent.heading);
  const float target = turnFrom(view, reference);
  // The angle of the last step is that between the velocity and the reference.
  float angle = 0;
  if (dot(view.velocity, reference) > 0) {
    angle = static_cast<float>(portableAtan2(static_cast<double>(cross(reference, view.velocity)),
                                             static_cast<double>(dot(reference, view.velocity))));
  }
  angle += (target - angle) * std::min(1.0F, view.step / kTurnTime);
  const Vec2f heading = turned(reference, angle);
  const float most = kTimeGap * intent.speed;
  const float gap = (1 - kPreferredShare) * gapAhead(view, heading, intent.shrink, most) +
                    kPreferredShare * gapAhead(view, intent.heading, intent.shrink, most);
  return walkBehind(intent, heading, gap, kTimeGap);
}

}  // namespace wend
