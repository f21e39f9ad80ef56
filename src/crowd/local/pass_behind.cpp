#include "crowd/local/pass_behind.h"

#include <algorithm>
#include <array>
#include <numbers>

#include "base/always_inline.h"
#include "crowd/local/elementary.h"
#include "crowd/local/vision.h"

namespace wend {
namespace {

// Of the directions to the ends of two routes: between these cosines (53 and 134 degrees) agents cross.
constexpr float kSameWay = 0.6F;
constexpr float kOpposite = -0.7F;
constexpr float kView = 4;  // m
constexpr float kFull = 2;  // half of the agents ahead cross at right angles: the whole turn
// 10 to 20 degrees let crossing streams flow; at 30 degrees they meet head-on.
constexpr double kTurn = 15 * std::numbers::pi / 180;
// A quarter of the agents ahead cross from the left, and a quarter from the right: all go around the middle.
constexpr float kFromBothSides = 4;
// 30 to 60 degrees let four streams flow; without it they block each other.
constexpr double kTurnAround = 45 * std::numbers::pi / 180;

// One lane per neighbour, without branches; the sums go in the order of neighbours, so every width gives the same bits.
WEND_INLINE Vec2f passBehindInLanes(const LocalView& view) {
  const float speed = length(view.preferred);
  if (view.count == 0 || !(speed > 1e-6F)) return view.preferred;
  const Vec2f heading = view.preferred * (1 / speed);
  alignas(64) std::array<float, kMaxNeighbours> sideways;  // of a crossing agent's direction; positive: to the left
  alignas(64) std::array<int32_t, kMaxNeighbours> ahead;
  for (uint32_t j = 0; j < laneCount(view); ++j) {
    const float wx = view.wx[j];
    const float wy = view.wy[j];
    const float bx = view.bx[j];
    const float by = view.by[j];
    const float along = bx * view.bound.x + by * view.bound.y;
    const int32_t isAhead = static_cast<int32_t>(wx * heading.x + wy * heading.y > 0) &
                            static_cast<int32_t>(wx * wx + wy * wy <= kView * kView);
    const int32_t crosses = isAhead & static_cast<int32_t>(along <= kSameWay) &
                            static_cast<int32_t>(along >= kOpposite) &
                            (static_cast<int32_t>(bx != 0) | static_cast<int32_t>(by != 0));
    const float side = heading.x * by - heading.y * bx;
    sideways[j] = crosses != 0 ? side : 0.0F;
    ahead[j] = isAhead;
  }
  float leftwards = 0;
  float rightwards = 0;
  int32_t seen = 0;
  for (uint32_t j = 0; j < view.count; ++j) {
    leftwards += std::max(sideways[j], 0.0F);
    rightwards += std::max(-sideways[j], 0.0F);
    seen += ahead[j];
  }
  if (leftwards == 0 && rightwards == 0) return view.preferred;
  const auto agents = static_cast<float>(seen);
  const float both = view.side == 0 ? 0.0F : std::min(1.0F, kFromBothSides * std::min(leftwards, rightwards) / agents);
  const float share = std::clamp(kFull * (leftwards - rightwards) / agents, -1.0F, 1.0F) * (1 - both);
  const SineCosine turn =
      portableSineCosine(-static_cast<double>(share) * kTurn - static_cast<double>(both) * view.side * kTurnAround);
  return view.preferred * static_cast<float>(turn.cosine) + leftOf(view.preferred) * static_cast<float>(turn.sine);
}

Vec2f passBehindBaseline(const LocalView& view) {
  return passBehindInLanes(view);
}
#if defined(__x86_64__)
[[gnu::target("avx2")]] Vec2f passBehindAvx2(const LocalView& view) {
  return passBehindInLanes(view);
}
#else
Vec2f passBehindAvx2(const LocalView& view) {
  return passBehindInLanes(view);
}
#endif

}  // namespace

Vec2f passBehind(const LocalView& view) {
  static const auto widest = available(VectorWidth::kAvx2) ? passBehindAvx2 : passBehindBaseline;
  return widest(view);
}

}  // namespace wend
