#include "crowd/local/keep_side.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "crowd/local/elementary.h"
#include "crowd/local/kernels.h"

namespace wend {
namespace {

constexpr float kOpposed =
    -0.7F;                        // cosine between the directions to the ends of two routes: opposite within 45 degrees
constexpr float kPassing = 0.9F;  // m between the ways of two agents that pass each other at ease
constexpr float kOtherSide = 0.8F;  // m; an agent so far on the own side passes there: crossing over would block both
constexpr double kTurn = 25 * std::numbers::pi / 180;
constexpr float kWallMargin = 0.15F;  // m, the scale on which a wall stops the drift
constexpr float kTouchesWall = 0.3F;  // of that scale
constexpr float kBeside = 0.7F;       // cosine of 45 degrees: the wall stands on the own side

}  // namespace

Vec2f keepSide(const LocalView& view) {
  const float speed = length(view.preferred);
  if (view.side == 0 || view.count == 0 || !(speed > 1e-6F)) return view.preferred;
  const Vec2f heading = view.preferred * (1 / speed);
  const Vec2f aside = view.side > 0 ? -leftOf(heading) : leftOf(heading);
  float need = 0;
  for (uint32_t j = 0; j < view.count; ++j) {
    const Vec2f w{view.wx[j], view.wy[j]};
    if (!(dot(w, heading) > 0) || !(view.bx[j] * view.bound.x + view.by[j] * view.bound.y < kOpposed)) continue;
    const float apart = -dot(w, aside);  // positive: it passes on the other side already
    if (apart < -kOtherSide) continue;
    need = std::max(need, std::min(1.0F, (kPassing - apart) / kPassing));
  }
  for (uint32_t i = 0; need > 0 && i < view.wallCount; ++i) {
    const Vec2f w = nearestOn(view.walls[i]);
    const float distance = length(w);
    if (!(dot(w, aside) > kBeside * distance)) continue;
    need = std::min(need, std::clamp((distance - view.radius) / kWallMargin - kTouchesWall, 0.0F, 1.0F));
  }
  if (!(need > 0)) return view.preferred;
  const SineCosine turn = portableSineCosine(static_cast<double>(need) * kTurn);
  return view.preferred * static_cast<float>(turn.cosine) + aside * (speed * static_cast<float>(turn.sine));
}

}  // namespace wend
