#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "crowd/local/local_view.h"

// The time until two disks, or a disk and a wall, touch. Centres are relative to that of the agent.
namespace wend {

inline constexpr float kNever = std::numeric_limits<float>::infinity();

// The first t >= 0 at which a disk at w, approached with relative velocity u, is at distance `reach` (the sum of the
// radii). Touching already: 0 while approaching. The smaller root as c / (b + sqrt D) neither cancels nor divides by a
// small speed; D as a difference of areas keeps its digits when the disks are small and far.
inline float timeToContact(Vec2f w, Vec2f u, float reach) {
  const float c = dot(w, w) - reach * reach;
  const float b = dot(w, u);
  if (b <= 0) return kNever;
  if (c <= 0) return 0;
  const float k = cross(w, u);
  const float d = reach * reach * dot(u, u) - k * k;
  if (d < 0) return kNever;
  return c / (b + std::sqrt(d));
}

// The same for the side of a wall, without its ends; never the infinite line. Walls seen from behind count.
inline float timeToSide(const WallView& wall, Vec2f v, float radius) {
  const float distance = cross(wall.along, -wall.a);
  const Vec2f n = distance >= 0 ? -leftOf(wall.along) : leftOf(wall.along);  // from the agent to the wall's line
  const float gap = std::max(std::abs(distance) - radius, 0.0F);
  const float vn = dot(v, n);
  if (vn <= 0) return kNever;
  const float t = gap / vn;
  const float foot = dot(v, wall.along) * t;
  return foot >= dot(wall.a, wall.along) && foot <= dot(wall.b, wall.along) ? t : kNever;
}

// A wall with the ends at which the obstacle sticks out.
inline float timeToWall(const WallView& wall, Vec2f v, float radius) {
  float t = timeToSide(wall, v, radius);
  if (wall.cornerA) t = std::min(t, timeToContact(wall.a, v, radius));
  if (wall.cornerB) t = std::min(t, timeToContact(wall.b, v, radius));
  return t;
}

// From the agent to the nearest point of the wall.
inline Vec2f nearestOn(const WallView& wall) {
  const float s = -dot(wall.a, wall.along);
  const float whole = dot(wall.b - wall.a, wall.along);
  if (s <= 0) return wall.a;
  return s >= whole ? wall.b : wall.a + wall.along * s;
}

}  // namespace wend
