#include "crowd/local/use_width.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "crowd/local/elementary.h"

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

}  // namespace

Vec2f useWidth(const LocalView& view) {
  const float speed = length(view.preferred);
  if (view.count < kLeast || !(speed > 1e-6F)) return view.preferred;
  const float open = (view.free - view.radius - kFromWall) / (kAwayFromWall - kFromWall);
  const float heldUp = std::clamp(kFree * (1 - length(view.velocity) / speed), 0.0F, 1.0F) * (1 - view.stuck) *
                       std::clamp(open, 0.0F, 1.0F);
  if (!(heldUp > 0)) return view.preferred;
  const Vec2f heading = view.preferred * (1 / speed);
  float left = 0;  // sum of sines
  uint32_t ahead = 0;
  for (uint32_t j = 0; j < view.count; ++j) {
    const Vec2f w{view.wx[j], view.wy[j]};
    const float square = dot(w, w);
    if (!(dot(w, heading) > 0) || square > kView * kView) continue;
    if (view.bx[j] * view.bound.x + view.by[j] * view.bound.y < kSameWay) continue;
    left += cross(heading, w) / std::sqrt(square);
    ++ahead;
  }
  if (ahead < kLeast) return view.preferred;
  const float share = std::clamp(kOneSided * left / static_cast<float>(ahead), -1.0F, 1.0F) * heldUp;
  const SineCosine turn = portableSineCosine(-static_cast<double>(share) * kTurn);
  return view.preferred * static_cast<float>(turn.cosine) + leftOf(view.preferred) * static_cast<float>(turn.sine);
}

}  // namespace wend
