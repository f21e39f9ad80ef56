#pragma once

#include <cmath>

#include <wend/lattice.h>

// Single precision vectors of the local movement: relative positions and velocities, where a float keeps far more
// digits than matter. Absolute positions never pass through them.
namespace wend {

struct Vec2f {
  float x = 0;
  float y = 0;
  bool operator==(const Vec2f&) const = default;
};

inline Vec2 wide(Vec2f v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y)};
}
inline Vec2f narrow(Vec2 v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y)};
}
inline Vec2f operator+(Vec2f a, Vec2f b) {
  return {a.x + b.x, a.y + b.y};
}
inline Vec2f operator-(Vec2f a, Vec2f b) {
  return {a.x - b.x, a.y - b.y};
}
inline Vec2f operator-(Vec2f a) {
  return {-a.x, -a.y};
}
inline Vec2f operator*(Vec2f a, float s) {
  return {a.x * s, a.y * s};
}
inline float dot(Vec2f a, Vec2f b) {
  return a.x * b.x + a.y * b.y;
}
inline float cross(Vec2f a, Vec2f b) {
  return a.x * b.y - a.y * b.x;
}
inline float length(Vec2f a) {
  return std::sqrt(dot(a, a));
}
inline Vec2f leftOf(Vec2f a) {
  return {-a.y, a.x};
}
// The unit vector, or `otherwise` where there is no direction.
inline Vec2f direction(Vec2f a, Vec2f otherwise) {
  const float l = length(a);
  return l > 1e-9F ? a * (1 / l) : otherwise;
}

}  // namespace wend
