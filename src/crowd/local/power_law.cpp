#include <algorithm>

#include "crowd/local/avoid.h"
#include "crowd/local/elementary.h"
#include "crowd/local/forces.h"
#include "crowd/local/kernels.h"
#include "crowd/local/symmetry.h"

// I. Karamouzas, B. Skinner, S. Guy: Universal power law governing pedestrian interactions (2014).
namespace wend {
namespace power_law {
namespace {

// -dE/dt of E = k e^(-t/t0) / t^2.
double slope(double time) {
  return kStrength * portableExp(-time / kDecay) / (time * time) * (2 / time + 1 / kDecay);
}

}  // namespace

Vec2 disk(Vec2 x, Vec2 v, double reach) {
  const double a = dot(v, v);
  const double b = -dot(x, v);
  if (a < 1e-8 || b <= 0) return {};
  // Overlapping disks count as smaller ones that just do not touch: pressing on is still resisted.
  reach = std::min(reach, kSmaller * length(x));
  const double c = dot(x, x) - reach * reach;
  const double k = cross(x, v);
  const double d = reach * reach * a - k * k;
  if (d <= 0) return {};
  const double time = std::max(c / (b + std::sqrt(d)), kLeastTime);
  const double root = std::sqrt(std::max(d, kLeastGraze * kLeastGraze * a));
  return (-slope(time) / a) * (v - (1 / root) * (a * x + b * v));
}

Vec2 side(Vec2 n, Vec2 v, double time) {
  const double vn = dot(v, n);
  if (vn < 1e-4) return {};
  return (-slope(std::max(time, kLeastTime)) / vn) * n;
}

}  // namespace power_law

namespace {

constexpr double kXi = 0.54;              // s
constexpr double kMostAcceleration = 20;  // m/s^2
constexpr int kSubsteps = 4;              // the force is stiff: the authors step at 0.005 to 0.033 s

WallView movedWall(WallView wall, Vec2f by) {
  wall.a = wall.a - by;
  wall.b = wall.b - by;
  return wall;
}

// One contact per wall: whichever part of it comes first.
Vec2 wallForce(const LocalView& view, uint32_t i, Vec2f moved, Vec2 velocity, float radius) {
  const WallView wall = movedWall(view.walls[i], moved);
  const Vec2f v = narrow(velocity);
  const float distance = cross(wall.along, -wall.a);
  const Vec2f n = distance >= 0 ? -leftOf(wall.along) : leftOf(wall.along);
  const float toSide = timeToSide(wall, v, radius);
  bool cornerA = wall.cornerA;
  bool cornerB = wall.cornerB;
  for (uint32_t k = 0; k < i; ++k) {  // corners are shared by two walls
    cornerA &= !(view.walls[k].a == view.walls[i].a || view.walls[k].b == view.walls[i].a);
    cornerB &= !(view.walls[k].a == view.walls[i].b || view.walls[k].b == view.walls[i].b);
  }
  const float toA = cornerA ? timeToContact(wall.a, v, radius) : kNever;
  const float toB = cornerB ? timeToContact(wall.b, v, radius) : kNever;
  if (toSide <= toA && toSide <= toB) {
    return toSide < kNever ? power_law::side(wide(n), velocity, static_cast<double>(toSide)) : Vec2{};
  }
  return power_law::disk(-wide(toA <= toB ? wall.a : wall.b), velocity, static_cast<double>(radius));
}

}  // namespace

// Neighbours keep their velocity within the step; the lists are those of its begin.
LocalChoice avoidPowerLaw(const LocalView& view) {
  const Intent intent = nudgedIntentOf(view);
  if (intent.speed == 0) return {};
  const Vec2 preferred = wide(intent.heading * intent.speed);
  const double h = static_cast<double>(view.step) / kSubsteps;
  const auto most = static_cast<double>(view.maxSpeed);
  const uint32_t count = avoidedCount(view);
  Vec2 velocity = wide(view.velocity);
  Vec2 moved;
  for (int n = 0; n < kSubsteps; ++n) {
    Vec2 force;
    for (uint32_t j = 0; j < count; ++j) {
      if (!avoids(view, j)) continue;
      const Vec2 other = wide(Vec2f{view.vx[j], view.vy[j]});
      const Vec2 x = moved - wide(Vec2f{view.wx[j], view.wy[j]}) - (n * h) * other;
      force =
          force + power_law::disk(x, velocity - other, static_cast<double>(intent.shrink * (view.radius + view.r[j])));
    }
    for (uint32_t i = 0; i < view.wallCount; ++i) {
      force = force + wallForce(view, i, narrow(moved), velocity, intent.shrink * view.radius);
    }
    const double strength = length(force);
    if (strength > kMostAcceleration) force = (kMostAcceleration / strength) * force;
    velocity = velocity + h * (force + (1 / kXi) * (preferred - velocity));
    const double speed = length(velocity);
    if (speed > most) velocity = (most / speed) * velocity;
    moved = moved + h * velocity;
  }
  const Vec2f result = narrow(velocity);
  return {result, sideOf(intent.heading, result), true};
}

}  // namespace wend
