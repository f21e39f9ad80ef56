#include "crowd/local/pass_behind.h"

#include <algorithm>
#include <numbers>

#include "crowd/local/elementary.h"

namespace wend {
namespace {

// Of the directions to the ends of two routes: between these cosines (53 and 134 degrees) agents cross.
constexpr float kSameWay = 0.6F;
constexpr float kOpposite = -0.7F;
constexpr float kView = 4;  // m
constexpr float kFull = 2;  // half of the agents ahead cross at right angles: the whole turn
// 10 to 20 degrees let crossing streams flow; at 30 degrees they meet head-on.
constexpr double kTurn = 15 * std::numbers::pi / 180;

}  // namespace

Vec2f passBehind(const LocalView& view) {
  const float speed = length(view.preferred);
  if (view.count == 0 || !(speed > 1e-6F)) return view.preferred;
  const Vec2f heading = view.preferred * (1 / speed);
  float current = 0;  // positive: the others walk to the left
  uint32_t seen = 0;
  for (uint32_t j = 0; j < view.count; ++j) {
    const Vec2f w{view.wx[j], view.wy[j]};
    if (!(dot(w, heading) > 0) || dot(w, w) > kView * kView) continue;
    ++seen;
    const Vec2f bound{view.bx[j], view.by[j]};
    const float along = dot(bound, view.bound);
    if (along > kSameWay || along < kOpposite || bound == Vec2f{}) continue;
    current += cross(heading, bound);
  }
  if (current == 0) return view.preferred;
  const float share = std::clamp(kFull * current / static_cast<float>(seen), -1.0F, 1.0F);
  const SineCosine turn = portableSineCosine(-static_cast<double>(share) * kTurn);
  return view.preferred * static_cast<float>(turn.cosine) + leftOf(view.preferred) * static_cast<float>(turn.sine);
}

}  // namespace wend
