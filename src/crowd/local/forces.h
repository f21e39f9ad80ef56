#pragma once

#include "crowd/local/local_view.h"
#include "geometry/vec2.h"

// Social force and the power law: the forces of these methods between two disks, so that tests can check them one by
// one. x is the own position minus the other's, v the own velocity minus the other's, reach the sum of the radii; all
// per SI unit.
namespace wend {

// The wall relative to an agent that has moved within the step.
inline WallView seenFrom(Vec2f moved, WallView wall) {
  wall.a = wall.a - moved;
  wall.b = wall.b - moved;
  return wall;
}

inline Vec2 atMost(Vec2 velocity, double speed) {
  const double length = wend::length(velocity);
  return length > speed ? (speed / length) * velocity : velocity;
}

namespace power_law {
inline constexpr double kStrength = 1.5;     // m^2
inline constexpr double kDecay = 3;          // s
inline constexpr double kLeastTime = 0.05;   // s; nearer contacts are no stronger
inline constexpr double kLeastGraze = 0.02;  // m; half the chord below which a grazing contact is no stronger

inline constexpr double kSmaller = 0.99;  // of the distance: the sum of radii of disks that overlap

// Acceleration: minus the gradient of k e^(-t/t0) / t^2, t the time to contact. Zero without a contact to come.
Vec2 disk(Vec2 x, Vec2 v, double reach);
// The side of a wall, n the unit vector from the agent to its line, `time` until the side is touched.
Vec2 side(Vec2 n, Vec2 v, double time);
}  // namespace power_law

namespace social_force {
inline constexpr double kRepulsion = 2000;  // N
inline constexpr double kRange = 0.08;      // m
inline constexpr double kBody = 1.2e5;      // kg/s^2
inline constexpr double kFriction = 2.4e5;  // kg/(m s)
inline constexpr double kCutOff = 2.5;      // m

// Newton: repulsion and, in contact, body force, along n, the unit vector from the other. d is the distance.
Vec2 normal(Vec2 n, double reach, double distance);
// Newton: sliding friction in contact, against the own velocity relative to the other.
Vec2 friction(Vec2 n, Vec2 v, double reach, double distance);
}  // namespace social_force

namespace social_force_1995 {
inline constexpr double kRepulsion = 2.1;  // m^2/s^2
inline constexpr double kRange = 0.3;      // m
inline constexpr double kStepTime = 2;     // s; an agent's territory reaches as far as it walks in this time
inline constexpr double kWall = 10;        // m^2/s^2
inline constexpr double kWallRange = 0.2;  // m
inline constexpr double kBehind = 0.5;     // weight of what is out of sight

// Acceleration away from an agent whose next step is `step`; x is the own position minus the other's.
Vec2 repulsion(Vec2 x, Vec2 step);
// Acceleration away from the nearest point of a wall; x is the own position minus that point.
Vec2 wall(Vec2 x);
}  // namespace social_force_1995

}  // namespace wend
