#include "crowd/local/keep_side.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/always_inline.h"
#include "crowd/local/elementary.h"
#include "crowd/local/kernels.h"
#include "crowd/local/vision.h"

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

// One lane per neighbour, without branches. The largest of some numbers is the same in any order.
WEND_INLINE float sideNeeded(const LocalView& view, Vec2f heading, Vec2f aside) {
  alignas(64) std::array<float, kMaxNeighbours> needs;
  for (uint32_t j = 0; j < laneCount(view); ++j) {
    const float wx = view.wx[j];
    const float wy = view.wy[j];
    const float apart = -(wx * aside.x + wy * aside.y);  // positive: it passes on the other side already
    const float common = view.bx[j] * view.bound.x + view.by[j] * view.bound.y;
    const int32_t meets = static_cast<int32_t>(wx * heading.x + wy * heading.y > 0) &
                          static_cast<int32_t>(common < kOpposed) & static_cast<int32_t>(apart >= -kOtherSide);
    const float need = (kPassing - apart) / kPassing;
    const float most = need < 1 ? need : 1.0F;
    needs[j] = meets != 0 ? most : 0.0F;
  }
  float need = 0;
  for (uint32_t j = 0; j < view.count; ++j) need = std::max(need, needs[j]);
  return need;
}

WEND_INLINE Vec2f keepSideInLanes(const LocalView& view) {
  const float speed = length(view.preferred);
  if (view.side == 0 || view.count == 0 || !(speed > 1e-6F)) return view.preferred;
  const Vec2f heading = view.preferred * (1 / speed);
  const Vec2f aside = view.side > 0 ? -leftOf(heading) : leftOf(heading);
  float need = sideNeeded(view, heading, aside);
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

Vec2f keepSideBaseline(const LocalView& view) {
  return keepSideInLanes(view);
}
#if defined(__x86_64__)
[[gnu::target("avx2")]] Vec2f keepSideAvx2(const LocalView& view) {
  return keepSideInLanes(view);
}
#else
Vec2f keepSideAvx2(const LocalView& view) {
  return keepSideInLanes(view);
}
#endif

}  // namespace

Vec2f keepSide(const LocalView& view) {
  static const auto widest = available(VectorWidth::kAvx2) ? keepSideAvx2 : keepSideBaseline;
  return widest(view);
}

}  // namespace wend
