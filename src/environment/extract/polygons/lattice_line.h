#pragma once

#include <cstdint>

#include <wend/polygon.h>

namespace wend::extraction {

// The line from a to b, prepared for tests of many places: a product with a place is more than `at` on its left and
// less on its right. All stay below 2^63.
struct LatticeLine {
  LatticeLine() = default;
  LatticeLine(Point a, Point b) : x(int64_t{b.x} - a.x), y(int64_t{b.y} - a.y), at(x * a.y - y * a.x) {}
  int64_t times(Point p) const { return x * p.y - y * p.x; }
  bool isLeft(Point p) const { return times(p) > at; }
  bool isRight(Point p) const { return times(p) < at; }

  int64_t x, y, at;
};

}  // namespace wend::extraction
