#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include <wend/lattice.h>

namespace wend {

struct KnownAngle {
  double angle;
  double sine;
  double cosine;
};
// Angles up to an eighth of a turn, in even steps of the sine.
inline constexpr uint32_t kAngleSteps = 32;
inline constexpr double kAngleScale = kAngleSteps / (0.5 * std::numbers::sqrt2 + 1e-9);
extern const std::array<KnownAngle, kAngleSteps> kKnownAngles;

// Without a branch, for conditions that a processor cannot predict.
inline double select(bool condition, double yes, double no) {
  const uint64_t mask = uint64_t{0} - static_cast<uint64_t>(condition);
  return std::bit_cast<double>((std::bit_cast<uint64_t>(yes) & mask) | (std::bit_cast<uint64_t>(no) & ~mask));
}

// An angle within one and a half turns of 0, brought within half a turn of it.
inline double wrapped(double angle) {
  const double turn = std::copysign(2 * std::numbers::pi, angle);
  return select(std::abs(angle) > std::numbers::pi, angle - turn, angle);
}

// The angle of a vector of length 1, as atan2() gives it, within 1e-15: in a third of the time.
inline double angleOfDirection(Vec2 direction) {
  const double x = std::abs(direction.x);
  const double y = std::abs(direction.y);
  const double less = std::min(x, y);
  const double more = std::max(x, y);
  const KnownAngle& near = kKnownAngles[std::min(static_cast<uint32_t>(less * kAngleScale), kAngleSteps - 1)];
  // The rest is below 0.02: five terms of its arc sine are enough.
  const double rest = less * near.cosine - more * near.sine;
  const double square = rest * rest;
  const double series = 1.0 / 6 + square * (3.0 / 40 + square * (5.0 / 112 + square * (35.0 / 1152)));
  const double angle = near.angle + (rest + rest * square * series);
  // The eighth of a turn is unpredictable.
  const double upright = select(y > x, 0.5 * std::numbers::pi - angle, angle);
  return std::copysign(select(direction.x < 0, std::numbers::pi - upright, upright), direction.y);
}

}  // namespace wend
