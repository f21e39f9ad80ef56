#pragma once

#include <cstdint>
#include <numbers>

#include "crowd/local/local_view.h"

// What breaks exact symmetry and jams, the same in every run: a hash of ids and seconds instead of random numbers.
namespace wend {

// Uniform in [-1, 1], decided by both numbers.
float hashed(uint32_t id, uint64_t n);

// Unit vector from agent `other` to agent `self` where both stand on one point; apart(i, j) == -apart(j, i).
Vec2f apart(uint32_t self, uint32_t other);

// The preferred velocity after the effect of patience.
struct Intent {
  Vec2f heading;     // unit, or zero: stand
  float speed = 0;   // of the preferred velocity
  float shrink = 1;  // factor on radii in predictions, never in contact
};
inline constexpr double kJamTurn = std::numbers::pi / 3;
// A jammed agent turns aside by up to 60 degrees, for a second at a time, and takes itself and others for 5 % smaller;
// to the right where the others want another direction; 10 % smaller where they want the opposite one.
Intent intentOf(const LocalView& view);
// The same and, where there are neighbours, a slight turn of up to 0.012 rad, more to the right: for methods without a
// rule of their own for agents that meet head-on.
Intent nudgedIntentOf(const LocalView& view, double jamTurn = kJamTurn);

// Among agents that jam each other those that walk have the right of way, so a stream that has begun to pass a door
// goes on until a gap comes. Where all stand, it belongs to one direction, which turns with time. The others step back
// and aside: returns the velocity to do so, or zero. An agent behind one that steps back sees this wish and steps back
// too.
Vec2f giveWay(const LocalView& view);

// The side of the heading a velocity is on: -1 right, 0 straight on, 1 left.
inline int sideOf(Vec2f heading, Vec2f velocity) {
  const float side = cross(heading, velocity);
  return side > 0 ? 1 : (side < 0 ? -1 : 0);
}

// Members of a group do not avoid each other unless they are about to touch.
inline bool avoids(const LocalView& view, uint32_t j) {
  if (view.group == ~0U || view.groups[j] != view.group) return true;
  const float near = view.radius + view.r[j] + 0.1F;
  return view.wx[j] * view.wx[j] + view.wy[j] * view.wy[j] < near * near;
}

inline uint32_t avoidedCount(const LocalView& view) {
  return view.count < kAvoidNeighbours ? view.count : kAvoidNeighbours;
}

}  // namespace wend
