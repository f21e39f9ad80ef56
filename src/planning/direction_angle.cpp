#include "planning/direction_angle.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace wend {
namespace {

struct Known {
  double angle;
  double sine;
  double cosine;
};
// Angles up to an eighth of a turn, in even steps of the sine.
constexpr size_t kSteps = 32;
constexpr double kScale = kSteps / (0.5 * std::numbers::sqrt2 + 1e-9);

std::array<Known, kSteps> findAngles() {
  std::array<Known, kSteps> known{};
  for (size_t i = 0; i < kSteps; ++i) {
    const double angle = std::asin((static_cast<double>(i) + 0.5) / kScale);
    known[i] = {angle, std::sin(angle), std::cos(angle)};
  }
  return known;
}
const std::array<Known, kSteps> kAngles = findAngles();

}  // namespace

double angleOfDirection(Vec2 direction) {
  const double x = std::abs(direction.x);
  const double y = std::abs(direction.y);
  const double less = std::min(x, y);
  const double more = std::max(x, y);
  const Known& near = kAngles[std::min(static_cast<size_t>(less * kScale), kSteps - 1)];
  // The rest is below 0.02: five terms of its arc sine are enough.
  const double rest = less * near.cosine - more * near.sine;
  const double square = rest * rest;
  const double series = 1.0 / 6 + square * (3.0 / 40 + square * (5.0 / 112 + square * (35.0 / 1152)));
  const double angle = near.angle + (rest + rest * square * series);
  // In which eighth of a turn nobody can foresee: no branches.
  const auto steep = static_cast<double>(y > x);
  const auto back = static_cast<double>(direction.x < 0);
  const double upright = steep * (0.5 * std::numbers::pi) + (1 - 2 * steep) * angle;
  return std::copysign(back * std::numbers::pi + (1 - 2 * back) * upright, direction.y);
}

}  // namespace wend
