#include "crowd/local/use_width.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/always_inline.h"
#include "crowd/local/elementary.h"
#include "crowd/local/vision.h"

namespace wend {
namespace {

constexpr float kSameWay = 0.5F;  // cosine of 60 degrees between the directions to the ends of two routes
constexpr float kView = 3;        // m
constexpr uint32_t kLeast = 3;    // agents ahead; fewer are overtaken by avoidance alone
constexpr float kOneSided = 2;    // a mean sine of 0.5 to one side is one-sided
constexpr float kFree = 1.2F;     // slower than 1/6 below the preferred speed: held up
// m between rim and wall: the rule begins, and holds in full. At the mouth of a door or stair agents go straight on.
constexpr float kFromWall = 0.3F;
constexpr float kAwayFromWall = 1.3F;
constexpr double kTurn = 75 * std::numbers::pi / 180;

// One lane per neighbour, as in passing behind.
WEND_INLINE Vec2f useWidthInLanes(const LocalView& view) {
  const float speed = length(view.preferred);
  if (view.count < kLeast || !(speed > 1e-6F)) return view.preferred;
  const float open = (view.free - view.radius - kFromWall) / (kAwayFromWall - kFromWall);
  if (!(open > 0)) return view.preferred;
  const float heldUp = std::clamp(kFree * (1 - length(view.velocity) / speed), 0.0F, 1.0F) * (1 - view.stuck) *
                       std::clamp(open, 0.0F, 1.0F);
  if (!(heldUp > 0)) return view.preferred;
  const Vec2f heading = view.preferred * (1 / speed);
  alignas(64) std::array<float, kMaxNeighbours> sines;  // positive: to the left
  alignas(64) std::array<int32_t, kMaxNeighbours> counts;
  for (uint32_t j = 0; j < laneCount(view); ++j) {
    const float wx = view.wx[j];
    const float wy = view.wy[j];
    const float square = wx * wx + wy * wy;
    const float common = view.bx[j] * view.bound.x + view.by[j] * view.bound.y;
    const int32_t isAhead = static_cast<int32_t>(wx * heading.x + wy * heading.y > 0) &
                            static_cast<int32_t>(square <= kView * kView) & static_cast<int32_t>(common >= kSameWay);
    const float sine = (heading.x * wy - heading.y * wx) / std::sqrt(square);
    sines[j] = isAhead != 0 ? sine : 0.0F;
    counts[j] = isAhead;
  }
  float left = 0;
  int32_t ahead = 0;
  for (uint32_t j = 0; j < view.count; ++j) {
    left += sines[j];
    ahead += counts[j];
  }
  if (ahead < static_cast<int32_t>(kLeast)) return view.preferred;
  const float share = std::clamp(kOneSided * left / static_cast<float>(ahead), -1.0F, 1.0F) * heldUp;
  const SineCosine turn = portableSineCosine(-static_cast<double>(share) * kTurn);
  return view.preferred * static_cast<float>(turn.cosine) + leftOf(view.preferred) * static_cast<float>(turn.sine);
}

Vec2f useWidthBaseline(const LocalView& view) {
  return useWidthInLanes(view);
}
#if defined(__x86_64__)
[[gnu::target("avx2")]] Vec2f useWidthAvx2(const LocalView& view) {
  return useWidthInLanes(view);
}
#else
Vec2f useWidthAvx2(const LocalView& view) {
  return useWidthInLanes(view);
}
#endif

}  // namespace

Vec2f useWidth(const LocalView& view) {
  static const auto widest = available(VectorWidth::kAvx2) ? useWidthAvx2 : useWidthBaseline;
  return widest(view);
}

}  // namespace wend
