#pragma once

#include <cmath>

#include <wend/lattice.h>

#include "geometry/int128.h"

// Exact predicates. Every sign is the true sign: no epsilon anywhere.
//
// On lattice points (|x|, |y| <= 2^30) all arithmetic is done in integers of 64 or 128 bits, behind a floating-point
// filter where that is faster. On doubles a filter with a proven error bound is followed by exact expansion arithmetic
// (Shewchuk 1997), so these too are exact for all finite input whose products neither overflow nor underflow (every
// coordinate of a mesh does: |x| <= 2^31).
//
// Laws (tests/geometry/predicates_test.cpp):
//   orient(a,b,c) == orient(b,c,a) == -orient(b,a,c);   orient(a,a,b) == 0
//   orient on toVec2 of lattice points == orient on the points
//   orient is invariant under translation and changes sign under reflection
//   inCircle(a,b,c,d) == inCircle(b,c,a,d) == -inCircle(b,a,c,d);   inCircle(a,b,c,a) == 0
//   inCircle(a,b,c,d) == -inCircle(a,b,d,c)
namespace wend {

// +1 if a, b, c make a left turn, -1 for a right turn, 0 if they are collinear. The products fit into 64 bits, though
// their difference may not.
inline int orient(Point a, Point b, Point c) {
  const int64_t left = (int64_t{b.x} - a.x) * (int64_t{c.y} - a.y);
  const int64_t right = (int64_t{b.y} - a.y) * (int64_t{c.x} - a.x);
  return (left > right ? 1 : 0) - (left < right ? 1 : 0);
}
// The same by exact arithmetic at once; for orient below.
int orientExact(Vec2 a, Vec2 b, Vec2 c);
inline int orient(Vec2 a, Vec2 b, Vec2 c) {
  const double left = (b.x - a.x) * (c.y - a.y);
  const double right = (b.y - a.y) * (c.x - a.x);
  const double det = left - right;
  // Shewchuk's bound for the rounded differences, products and subtraction: (3 + 16 eps) eps, eps = 2^-53. Equality
  // counts, so that corners of a triangle need nothing more.
  constexpr double kBound = (3.0 + 16.0 * 0x1.0p-53) * 0x1.0p-53;
  const double error = kBound * (std::abs(left) + std::abs(right));
  if (det >= error) return det > 0 ? 1 : 0;
  return -det >= error ? -1 : orientExact(a, b, c);
}

// Twice the signed area of the triangle; |result| < 2^64.
inline Int128 cross(Point a, Point b, Point c) {
  return static_cast<Int128>(static_cast<int64_t>(b.x) - a.x) * (static_cast<int64_t>(c.y) - a.y) -
         static_cast<Int128>(static_cast<int64_t>(b.y) - a.y) * (static_cast<int64_t>(c.x) - a.x);
}

// As inCircle, by exact arithmetic at once; for inCircle below.
int inCircleExact(Point a, Point b, Point c, Point d);
// +1 if d lies strictly inside the circle through a, b, c (counter-clockwise), -1 outside, 0 on it. The sign flips if
// a, b, c are clockwise.
inline int inCircle(Point a, Point b, Point c, Point d) {
  const double adx = static_cast<double>(a.x) - d.x;
  const double ady = static_cast<double>(a.y) - d.y;
  const double bdx = static_cast<double>(b.x) - d.x;
  const double bdy = static_cast<double>(b.y) - d.y;
  const double cdx = static_cast<double>(c.x) - d.x;
  const double cdy = static_cast<double>(c.y) - d.y;
  const double a2 = adx * adx + ady * ady;
  const double b2 = bdx * bdx + bdy * bdy;
  const double c2 = cdx * cdx + cdy * cdy;
  const double det = a2 * (bdx * cdy - bdy * cdx) + b2 * (cdx * ady - cdy * adx) + c2 * (adx * bdy - ady * bdx);
  const double permanent = a2 * (std::abs(bdx * cdy) + std::abs(bdy * cdx)) +
                           b2 * (std::abs(cdx * ady) + std::abs(cdy * adx)) +
                           c2 * (std::abs(adx * bdy) + std::abs(ady * bdx));
  // The differences are exact; Shewchuk's bound (10 + 96 eps) eps holds with room to spare.
  constexpr double kBound = 16.0 * 0x1.0p-53;
  if (std::abs(det) > kBound * permanent) return det > 0 ? 1 : -1;
  return inCircleExact(a, b, c, d);
}

// Whether p lies on the closed segment ab.
bool onSegment(Point a, Point b, Point p);

// For collinear points: whether b lies on the closed segment ac.
inline bool isBetween(Vec2 a, Vec2 b, Vec2 c) {
  const auto within = [](double u, double v, double w) { return (u <= v && v <= w) || (w <= v && v <= u); };
  return within(a.x, b.x, c.x) && within(a.y, b.y, c.y);
}

// How two closed segments meet.
enum class Meeting : uint8_t {
  kNone,     // no common point
  kTouch,    // one common point, an end of at least one of them
  kCross,    // one common point, interior to both
  kOverlap,  // collinear with more than one common point
};
Meeting meet(Point a, Point b, Point c, Point d);

}  // namespace wend
