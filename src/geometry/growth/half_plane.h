#pragma once

#include <cstdint>

#include "geometry/int128.h"

// Half-planes through lattice points, and the exact part of a line that lies inside several of them.
//
// All numbers stay within 128 bits: coordinates differ by at most 2^31, so a value or slope of a half-plane is at most
// 2^63, and comparing two parameters multiplies two of those.
namespace wend::growth {

struct Fraction {
  Int128 numerator = 0;
  Int128 denominator = 1;  // positive
};

inline int compare(const Fraction& a, const Fraction& b) {
  if (a.denominator == b.denominator) {
    return (a.numerator > b.numerator ? 1 : 0) - (a.numerator < b.numerator ? 1 : 0);
  }
  const Int128 left = a.numerator * b.denominator;
  const Int128 right = b.numerator * a.denominator;
  return (left > right ? 1 : 0) - (left < right ? 1 : 0);
}

inline Int128 floorOf(const Fraction& a) {
  const Int128 quotient = a.numerator / a.denominator;
  return quotient - (a.numerator < quotient * a.denominator ? 1 : 0);
}
inline Int128 ceilOf(const Fraction& a) {
  const Int128 quotient = a.numerator / a.denominator;
  return quotient + (a.numerator > quotient * a.denominator ? 1 : 0);
}

// The points left of a line through (x, y) with direction (dx, dy), the line included.
struct HalfPlane {
  int64_t x = 0;
  int64_t y = 0;
  int64_t dx = 0;
  int64_t dy = 0;

  // Positive inside, 0 on the line.
  Int128 at(int64_t px, int64_t py) const { return Int128{dx} * (py - y) - Int128{dy} * (px - x); }
  // How fast at() grows along a direction.
  Int128 along(int64_t ex, int64_t ey) const { return Int128{dx} * ey - Int128{dy} * ex; }
};

// The part of the line (x, y) + t (dx, dy) that is strictly inside all half-planes clipped so far.
struct LineClip {
  static constexpr int kEnd = -1;  // an end of the segment that the clip began with

  int64_t x = 0;
  int64_t y = 0;
  int64_t dx = 0;
  int64_t dy = 0;
  Fraction from;
  Fraction to;
  int fromBy = kEnd;  // what cut it there
  int toBy = kEnd;
  bool hasFrom = true;
  bool hasTo = true;

  static LineClip segment(int64_t x, int64_t y, int64_t dx, int64_t dy) {
    LineClip clip{x, y, dx, dy, {0, 1}, {1, 1}};
    return clip;
  }
  static LineClip ray(int64_t x, int64_t y, int64_t dx, int64_t dy) {
    LineClip clip{x, y, dx, dy, {0, 1}, {0, 1}};
    clip.hasTo = false;
    return clip;
  }
  static LineClip line(int64_t x, int64_t y, int64_t dx, int64_t dy) {
    LineClip clip{x, y, dx, dy, {0, 1}, {0, 1}};
    clip.hasFrom = false;
    clip.hasTo = false;
    return clip;
  }

  // Cuts by one half-plane; `by` is remembered where it shortens. Returns whether more than a point is left.
  bool cut(const HalfPlane& half, int by) { return cutAt(half.at(x, y), half.along(dx, dy), by); }
  // The same by what at() is in the point (x, y), and how fast it grows along the line.
  bool cutAt(Int128 value, Int128 slope, int by) {
    if (slope == 0) return value > 0;
    if (slope > 0) {
      const Fraction t{-value, slope};
      if (!hasFrom || compare(t, from) > 0) {
        from = t;
        fromBy = by;
        hasFrom = true;
      }
    } else {
      const Fraction t{value, -slope};
      if (!hasTo || compare(t, to) < 0) {
        to = t;
        toBy = by;
        hasTo = true;
      }
    }
    return !hasFrom || !hasTo || compare(from, to) < 0;
  }
};

}  // namespace wend::growth
