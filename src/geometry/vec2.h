#pragma once

#include <cmath>

#include <wend/lattice.h>

// Vectors of doubles, in lattice units or metres. Rounded: signs that decide topology come from predicates.h.
namespace wend {

inline Vec2 operator+(Vec2 a, Vec2 b) {
  return {a.x + b.x, a.y + b.y};
}
inline Vec2 operator-(Vec2 a, Vec2 b) {
  return {a.x - b.x, a.y - b.y};
}
inline Vec2 operator-(Vec2 a) {
  return {-a.x, -a.y};
}
inline Vec2 operator*(double t, Vec2 a) {
  return {t * a.x, t * a.y};
}
inline double dot(Vec2 a, Vec2 b) {
  return a.x * b.x + a.y * b.y;
}
inline double cross(Vec2 a, Vec2 b) {
  return a.x * b.y - a.y * b.x;
}
// The cross product of b - a and c - a with one rounding error, even under cancellation (Kahan).
inline double accurateCross(Vec2 a, Vec2 b, Vec2 c) {
  const Vec2 u = b - a;
  const Vec2 v = c - a;
  const double product = u.y * v.x;
  return std::fma(u.x, v.y, -product) - std::fma(u.y, v.x, -product);
}
inline double length(Vec2 a) {
  return std::sqrt(dot(a, a));
}
inline Vec2 leftOf(Vec2 a) {
  return {-a.y, a.x};
}
// The unit vector, or `otherwise` where there is no direction.
inline Vec2 direction(Vec2 a, Vec2 otherwise) {
  const double l = length(a);
  return l > 1e-12 ? (1 / l) * a : otherwise;
}
inline double distance(Vec2 a, Vec2 b) {
  return length(b - a);
}
// a at t = 0, b at t = 1.
inline Vec2 between(Vec2 a, Vec2 b, double t) {
  return a + t * (b - a);
}

// The point of the closed segment ab nearest to p.
inline Vec2 closestOnSegment(Vec2 p, Vec2 a, Vec2 b) {
  const Vec2 d = b - a;
  const double square = dot(d, d);
  if (!(square > 0)) return a;
  const double t = dot(p - a, d) / square;
  return t <= 0 ? a : t >= 1 ? b : a + t * d;
}
inline double distanceToSegment(Vec2 p, Vec2 a, Vec2 b) {
  return distance(p, closestOnSegment(p, a, b));
}

}  // namespace wend
