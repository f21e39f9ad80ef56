#pragma once

#include <algorithm>
#include <cmath>

#include <wend/lattice.h>

// Vectors of the corridor operations, lattice units.
namespace wend::corridor {

inline Vec2 operator-(Vec2 a, Vec2 b) {
  return {a.x - b.x, a.y - b.y};
}
inline Vec2 operator+(Vec2 a, Vec2 b) {
  return {a.x + b.x, a.y + b.y};
}
inline Vec2 operator*(double t, Vec2 v) {
  return {t * v.x, t * v.y};
}
inline double dot(Vec2 a, Vec2 b) {
  return a.x * b.x + a.y * b.y;
}
inline double cross(Vec2 a, Vec2 b) {
  return a.x * b.y - a.y * b.x;
}
inline double norm(Vec2 v) {
  return std::sqrt(dot(v, v));
}
inline double gap(Vec2 a, Vec2 b) {
  return norm(a - b);
}
inline Vec2 between(Vec2 a, Vec2 b, double t) {
  return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

// The point of the closed segment ab nearest to p.
inline Vec2 nearestOnSegment(Vec2 a, Vec2 b, Vec2 p) {
  const Vec2 d = b - a;
  const double squared = dot(d, d);
  if (!(squared > 0)) return a;
  const double t = dot(p - a, d) / squared;
  return t <= 0 ? a : t >= 1 ? b : between(a, b, t);
}
inline double distanceToSegment(Vec2 a, Vec2 b, Vec2 p) {
  return gap(nearestOnSegment(a, b, p), p);
}
// Of two closed segments; 0 where they cross.
inline double segmentDistance(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
  const double ends = std::min(std::min(distanceToSegment(a, b, c), distanceToSegment(a, b, d)),
                               std::min(distanceToSegment(c, d, a), distanceToSegment(c, d, b)));
  const bool cross1 = (cross(b - a, c - a) > 0) != (cross(b - a, d - a) > 0);
  const bool cross2 = (cross(d - c, a - c) > 0) != (cross(d - c, b - c) > 0);
  return cross1 && cross2 ? 0.0 : ends;
}

}  // namespace wend::corridor
