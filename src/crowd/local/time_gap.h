#pragma once

#include <algorithm>
#include <cmath>

#include "crowd/local/local_view.h"
#include "crowd/local/symmetry.h"

// Speed by the time gap to the agent ahead: for methods that first choose a direction.
namespace wend {

// How far the agent can walk straight on in the direction until it touches another, at most `most`. Negative if they
// overlap. Radii count by the factor `shrink`.
inline float gapAhead(const LocalView& view, Vec2f heading, float shrink, float most) {
  float gap = most;
  const uint32_t count = avoidedCount(view);
  for (uint32_t j = 0; j < count; ++j) {
    const Vec2f w{view.wx[j], view.wy[j]};
    if (!avoids(view, j)) continue;
    const float reach = shrink * (view.radius + view.r[j]);
    if (dot(heading, w) >= 0 && std::abs(cross(heading, w)) <= reach) gap = std::min(gap, length(w) - reach);
  }
  return gap;
}

// Walks in the direction, at most as fast as covers the gap in `timeGap` seconds.
inline LocalChoice walkBehind(const Intent& intent, Vec2f heading, float gap, float timeGap) {
  const float speed = std::clamp(gap / timeGap, 0.0F, intent.speed);
  return {heading * speed, sideOf(intent.heading, heading), true};
}

}  // namespace wend
