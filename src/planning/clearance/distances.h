#pragma once

#include <algorithm>
#include <span>

#include "geometry/vec2.h"

// Distances between points, segments and convex polygons, in doubles. Lattice units or metres: only ratios matter.
namespace wend {

// A part of a line, by the length along it. A blocked interval is open, a free one closed.
struct Interval {
  double low = 0;
  double high = -1;
  bool empty() const { return !(low < high); }
};

// Whether the boxes of the segments are at least r apart: then so are the segments.
inline bool areBoxesApart(Vec2 a, Vec2 b, Vec2 c, Vec2 d, double r) {
  return std::max(a.x, b.x) + r <= std::min(c.x, d.x) || std::max(c.x, d.x) + r <= std::min(a.x, b.x) ||
         std::max(a.y, b.y) + r <= std::min(c.y, d.y) || std::max(c.y, d.y) + r <= std::min(a.y, b.y);
}

struct Closest {
  double distance;
  Vec2 first;   // on the first segment
  Vec2 second;  // on the second one
};
// The shortest segment between segments ab and cd.
Closest closestBetween(Vec2 a, Vec2 b, Vec2 c, Vec2 d);

// True if segments ab and cd are nearer than r. The same answer as that of closestBetween(), without roots and
// divisions.
bool isNearer(Vec2 a, Vec2 b, Vec2 c, Vec2 d, double r);

// Where the line o + t u (u of length 1) is nearer than r to segment ab. One interval, because the distance to a convex
// set is convex along a line: the hull of the parts that the two end circles and the slab between them block.
Interval blockedInterval(Vec2 o, Vec2 u, Vec2 a, Vec2 b, double r);

// Whether the closed convex polygon, counter-clockwise, contains p.
bool containsConvex(std::span<const Vec2> polygon, Vec2 p);

// The part of segment ab inside the closed convex polygon, as fractions of ab; empty() if none (a single point counts
// as none).
Interval clipToConvex(std::span<const Vec2> polygon, Vec2 a, Vec2 b);

}  // namespace wend
