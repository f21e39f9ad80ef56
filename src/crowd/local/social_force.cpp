#include <algorithm>

#include "crowd/local/avoid.h"
#include "crowd/local/elementary.h"
#include "crowd/local/forces.h"
#include "crowd/local/kernels.h"
#include "crowd/local/symmetry.h"

// D. Helbing, I. Farkas, T. Vicsek: Simulating dynamical features of escape panic (2000).
namespace wend {
namespace social_force {

Vec2 normal(Vec2 n, double reach, double distance) {
  const double overlap = reach - distance;
  return (kRepulsion * portableExp(overlap / kRange) + kBody * std::max(overlap, 0.0)) * n;
}

Vec2 friction(Vec2 n, Vec2 v, double reach, double distance) {
  const double overlap = std::max(reach - distance, 0.0);
  const Vec2 t = leftOf(n);
  return (-kFriction * overlap * dot(v, t)) * t;
}

}  // namespace social_force

namespace {

constexpr double kTau = 0.5;           // s
constexpr double kLongestStep = 0.01;  // s; stability of the body force in a crowd
constexpr int kMostSubsteps = 50;

// What the step needs of a force: friction takes off at most half of the sliding speed, however deep the overlap.
Vec2 changeOf(Vec2 n, Vec2 v, double reach, double distance, double mass, double h) {
  const Vec2 push = (h / mass) * social_force::normal(n, reach, distance);
  if (distance >= reach) return push;
  Vec2 drag = (h / mass) * social_force::friction(n, v, reach, distance);
  const double sliding = std::abs(dot(v, leftOf(n)));
  const double dragged = length(drag);
  if (dragged > 0.5 * sliding && dragged > 0) drag = (0.5 * sliding / dragged) * drag;
  return push + drag;
}

}  // namespace

// Neighbours keep their velocity within the step; the lists are those of its begin.
LocalChoice avoidSocialForce(const LocalView& view) {
  const Intent intent = nudgedIntentOf(view);
  const Vec2 preferred = wide(intent.heading * intent.speed);
  const auto step = static_cast<double>(view.step);
  const int substeps = std::clamp(static_cast<int>(std::ceil(step / kLongestStep - 1e-6)), 1, kMostSubsteps);
  const double h = step / substeps;
  const auto mass = static_cast<double>(view.mass);
  const auto most = static_cast<double>(view.maxSpeed);
  const auto radius = static_cast<double>(view.radius);
  const uint32_t count = avoidedCount(view);
  Vec2 velocity = wide(view.velocity);
  Vec2 moved;
  for (int n = 0; n < substeps; ++n) {
    Vec2 change = (h / kTau) * (preferred - velocity);
    for (uint32_t j = 0; j < count; ++j) {
      if (!avoids(view, j)) continue;
      const Vec2 other = wide(Vec2f{view.vx[j], view.vy[j]});
      const Vec2 x = moved - wide(Vec2f{view.wx[j], view.wy[j]}) - (n * h) * other;
      const double distance = length(x);
      if (distance > social_force::kCutOff) continue;
      const Vec2 away = distance > 1e-9 ? (1 / distance) * x : wide(apart(view.id, view.ids[j]));
      change = change + changeOf(away, velocity - other, radius + static_cast<double>(view.r[j]), distance, mass, h);
    }
    for (uint32_t i = 0; i < view.wallCount; ++i) {
      const WallView wall = seenFrom(narrow(moved), view.walls[i]);
      const Vec2 x = -wide(nearestOn(wall));
      const double distance = length(x);
      if (distance > social_force::kCutOff) continue;
      change = change + changeOf(direction(x, wide(leftOf(wall.along))), velocity, radius, distance, mass, h);
    }
    velocity = atMost(velocity + change, most);
    moved = moved + h * velocity;
  }
  const Vec2f result = narrow(velocity);
  return {result, sideOf(intent.heading, result), true};
}

}  // namespace wend
