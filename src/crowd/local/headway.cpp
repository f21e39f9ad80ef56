#include "crowd/local/headway.h"

#include <algorithm>
#include <cmath>

#include "crowd/local/symmetry.h"

namespace wend {
namespace {

// Of the two radii: an agent farther aside than this does not count as ahead. People walk staggered, with their
// shoulders in the gap between two others. The body length does not count here: neighbours side by side at a door, who
// are narrower than it, would wait for each other.
constexpr float kStagger = 0.67F;
constexpr float kSameEnd = 0.5F;   // cosine of 60 degrees between the directions to the ends of two routes
constexpr float kAlong = 0.7F;     // cosine of 45 degrees: a smaller angle to the heading counts as the same way
constexpr float kStanding = 0.1F;  // m/s; a slower agent has no direction
constexpr float kMixed = 10;       // one agent among so many with another direction ends the headway

}  // namespace

float headwaySpeed(const LocalView& view, Vec2f heading) {
  float gap = HUGE_VALF;
  uint32_t seen = 0;
  uint32_t others = 0;
  const uint32_t count = avoidedCount(view);
  for (uint32_t j = 0; j < count; ++j) {
    const Vec2f w{view.wx[j], view.wy[j]};
    if (!(dot(w, heading) > 0) || !avoids(view, j)) continue;
    const Vec2f bound{view.bx[j], view.by[j]};
    const bool sameEnd = dot(bound, view.bound) > kSameEnd;
    ++seen;
    if (!sameEnd && bound != Vec2f{}) ++others;
    const float sum = view.radius + view.r[j];
    const float body = std::max(view.bodyLength, sum);
    if (std::abs(cross(heading, w)) >= kStagger * sum) continue;
    const Vec2f v{view.vx[j], view.vy[j]};
    const float speed = length(v);
    if (!sameEnd && !(speed > kStanding && dot(v, heading) > kAlong * speed)) continue;
    // A jammed agent closes up to contact.
    gap = std::min(gap, length(w) - (view.stuck * sum + (1 - view.stuck) * body));
  }
  if (seen == 0 || !(view.timeGap > 0)) return view.maxSpeed;
  const float mixed = std::min(1.0F, kMixed * static_cast<float>(others) / static_cast<float>(seen));
  const float kept = std::min(view.maxSpeed, std::max(gap, 0.0F) / view.timeGap);
  return std::max(kept, mixed * view.maxSpeed);
}

}  // namespace wend
