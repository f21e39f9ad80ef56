#pragma once

#include <cmath>

#include "crowd/vec2f.h"

// Double precision where single would lose what matters: lines that are nearly parallel, forces that explode.
namespace wend {

struct Vec2d {
  double x = 0;
  double y = 0;
};

inline Vec2d wide(Vec2f v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y)};
}
inline Vec2f narrow(Vec2d v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y)};
}
inline Vec2d operator+(Vec2d a, Vec2d b) {
  return {a.x + b.x, a.y + b.y};
}
inline Vec2d operator-(Vec2d a, Vec2d b) {
  return {a.x - b.x, a.y - b.y};
}
inline Vec2d operator-(Vec2d a) {
  return {-a.x, -a.y};
}
inline Vec2d operator*(double s, Vec2d a) {
  return {s * a.x, s * a.y};
}
inline double dot(Vec2d a, Vec2d b) {
  return a.x * b.x + a.y * b.y;
}
inline double det(Vec2d a, Vec2d b) {
  return a.x * b.y - a.y * b.x;
}
inline double length(Vec2d a) {
  return std::sqrt(dot(a, a));
}
inline Vec2d leftOf(Vec2d a) {
  return {-a.y, a.x};
}
// The unit vector, or `otherwise` where there is no direction.
inline Vec2d direction(Vec2d a, Vec2d otherwise) {
  const double l = length(a);
  return l > 1e-12 ? (1 / l) * a : otherwise;
}

}  // namespace wend
