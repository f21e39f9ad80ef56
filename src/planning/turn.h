#pragma once

#include <cmath>

#include "geometry/vec2.h"

// orient() with its filter inlined: the innermost test of every planner.
namespace wend {

// The exact sign when the filter cannot tell; 128-bit integers for whole numbers, expansions otherwise.
int turnExact(Vec2 a, Vec2 b, Vec2 c);

// +1 if a, b, c make a left turn, -1 for a right turn, 0 if they are collinear. Exact for every finite input of a mesh.
inline int turn(Vec2 a, Vec2 b, Vec2 c) {
  const double left = (b.x - a.x) * (c.y - a.y);
  const double right = (b.y - a.y) * (c.x - a.x);
  const double det = left - right;
  // Shewchuk's bound for rounded differences, products and subtraction: (3 + 16 eps) eps, eps = 2^-53.
  constexpr double kBound = (3.0 + 16.0 * 0x1.0p-53) * 0x1.0p-53;
  const double limit = kBound * (std::abs(left) + std::abs(right));
  if (det > limit) return 1;
  if (det < -limit) return -1;
  // Differences of unequal doubles are never 0 here, so two zero products mean a line along an axis.
  if (left == 0 && right == 0) return 0;
  return turnExact(a, b, c);
}

// The cross product of b - a and c - a with one rounding error, even under cancellation (Kahan).
inline double accurateCross(Vec2 a, Vec2 b, Vec2 c) {
  const double bx = b.x - a.x;
  const double by = b.y - a.y;
  const double cx = c.x - a.x;
  const double cy = c.y - a.y;
  const double product = by * cx;
  return std::fma(bx, cy, -product) - std::fma(by, cx, -product);
}

// For collinear points: whether b lies on the closed segment ac.
inline bool isBetween(Vec2 a, Vec2 b, Vec2 c) {
  const auto within = [](double u, double v, double w) { return (u <= v && v <= w) || (w <= v && v <= u); };
  return within(a.x, b.x, c.x) && within(a.y, b.y, c.y);
}

}  // namespace wend
