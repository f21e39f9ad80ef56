#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "geometry/vec2.h"

// The contacts that a disk's path touches, and the tangents between them.
namespace wend {

// A circle that the path may wrap around: left or right of it. Radius 0 for start, goal and free ends of portals.
struct DiskContact {
  Vec2 centre;
  double radius = 0;
  double side = 0;          // +1: left of the path; -1: right of it; 0: start or goal
  uint32_t firstStage = 0;  // 2 i at portal i (0 is the start), 2 i + 1 in the step after it
  uint32_t lastStage = 0;
};

// The direction in which the path runs from contact x to contact y; its length means nothing.
[[gnu::always_inline]] inline Vec2 heading(const DiskContact& x, const DiskContact& y) {
  const Vec2 way = y.centre - x.centre;
  const double apart = x.side * x.radius - y.side * y.radius;
  if (apart == 0) return way.x == 0 && way.y == 0 ? Vec2{1, 0} : way;
  const double square = dot(way, way);
  const double along = std::sqrt(std::max(0.0, square - apart * apart));
  // Circles that overlap have no tangent between them: straight across is the limit.
  const double across = along > 0 ? apart : apart < 0 ? -1 : 1;
  if (!(square > 0)) return {1, 0};
  return {way.x * along - way.y * across, way.x * across + way.y * along};
}

// The straight part of the path between two contacts.
struct Tangent {
  Vec2 direction;  // of length 1
  double length;
};
inline Tangent tangentBetween(const DiskContact& x, const DiskContact& y) {
  const Vec2 way = y.centre - x.centre;
  const double apart = x.side * x.radius - y.side * y.radius;
  const double square = dot(way, way);
  const double along = std::sqrt(std::max(0.0, square - apart * apart));
  if (!(square > 0)) return {{1, 0}, 0};
  const double share = 1 / square;
  if (along > 0) {
    return {{share * (way.x * along - way.y * apart), share * (way.x * apart + way.y * along)}, along};
  }
  // Circles that overlap: straight across, back and forth.
  const double across = (apart < 0 ? -1 : 1) * std::sqrt(share);
  return {{-way.y * across, way.x * across}, 0};
}

// Where a path with direction t touches the contact.
inline Vec2 touch(const DiskContact& x, Vec2 t) {
  return {x.centre.x + x.side * x.radius * t.y, x.centre.y - x.side * x.radius * t.x};
}

inline bool isSame(const DiskContact& x, const DiskContact& y) {
  // Without branches that the processor would mispredict.
  return ((x.centre.x == y.centre.x) & (x.centre.y == y.centre.y) & (x.radius == y.radius) &
          ((x.side == y.side) | (x.radius == 0))) != 0;
}

}  // namespace wend
