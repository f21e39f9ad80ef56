#include <algorithm>

#include "crowd/local/avoid.h"
#include "crowd/local/elementary.h"
#include "crowd/local/forces.h"
#include "crowd/local/kernels.h"
#include "crowd/local/symmetry.h"

// D. Helbing, P. Molnar: Social force model for pedestrian dynamics, Physical Review E 51(5), 1995. Each pedestrian has
// an elliptical territory that reaches as far ahead as its next step; others are repelled from it. Constants as
// published there.
namespace wend {
namespace social_force_1995 {

Vec2 repulsion(Vec2 x, Vec2 step) {
  const Vec2 ahead = x - step;
  const double near = length(x);
  const double far = length(ahead);
  const double sum = near + far;
  const double square = sum * sum - dot(step, step);
  // Inside the line of the step the ellipse has no width; nearer than this it is no stronger.
  constexpr double kLeast = 1e-3;
  const double b = std::max(kLeast, 0.5 * std::sqrt(std::max(0.0, square)));
  if (!(near > 0) || !(far > 0)) return {};
  const Vec2 gradient = (sum / (4 * b)) * ((1 / near) * x + (1 / far) * ahead);
  return (kRepulsion / kRange * portableExp(-b / kRange)) * gradient;
}

Vec2 wall(Vec2 x) {
  const double distance = length(x);
  if (!(distance > 0)) return {};
  return (kWall / kWallRange * portableExp(-distance / kWallRange) / distance) * x;
}

}  // namespace social_force_1995

namespace {

constexpr double kTau = 0.5;           // s
constexpr double kLongestStep = 0.05;  // s
constexpr int kMostSubsteps = 10;

}  // namespace

LocalChoice avoidSocialForce1995(const LocalView& view) {
  namespace sf = social_force_1995;
  const Intent intent = nudgedIntentOf(view);
  const Vec2 heading = wide(intent.heading);
  const Vec2 preferred = static_cast<double>(intent.speed) * heading;
  const auto step = static_cast<double>(view.step);
  const int substeps = std::clamp(static_cast<int>(std::ceil(step / kLongestStep - 1e-6)), 1, kMostSubsteps);
  const double h = step / substeps;
  const auto most = static_cast<double>(view.maxSpeed);
  const uint32_t count = avoidedCount(view);
  Vec2 velocity = wide(view.velocity);
  Vec2 moved;
  // What lies behind counts half. The cosine of half the angle of sight, 100 degrees.
  constexpr double kSight = -0.17364817766693033;
  const auto weighted = [&](Vec2 force) {
    return dot(heading, -force) >= kSight * length(force) ? force : sf::kBehind * force;
  };
  for (int n = 0; n < substeps; ++n) {
    Vec2 change = (h / kTau) * (preferred - velocity);
    for (uint32_t j = 0; j < count; ++j) {
      if (!avoids(view, j)) continue;
      const Vec2 other = wide(Vec2f{view.vx[j], view.vy[j]});
      const Vec2 x = moved - wide(Vec2f{view.wx[j], view.wy[j]}) - (n * h) * other;
      if (length(x) > social_force::kCutOff) continue;
      change = change + h * weighted(sf::repulsion(x, sf::kStepTime * other));
    }
    for (uint32_t i = 0; i < view.wallCount; ++i) {
      const WallView wall = seenFrom(narrow(moved), view.walls[i]);
      const Vec2 x = -wide(nearestOn(wall));
      if (length(x) > social_force::kCutOff) continue;
      change = change + h * sf::wall(x);
    }
    velocity = atMost(velocity + change, most);
    moved = moved + h * velocity;
  }
  const Vec2f result = narrow(velocity);
  return {result, sideOf(intent.heading, result), true};
}

}  // namespace wend
