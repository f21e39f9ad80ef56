#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "environment/extract/facets/facets.h"
#include "environment/extract/polygons/cut.h"

// The convex polygon that a triangle covers of a plane beneath it.
namespace wend::exact {

// The part of a triangle between two heights above a plane, in top view: convex, at most five corners.
struct Slab {
  struct Corner {
    double x, y, d;  // d: height above the plane
  };
  uint32_t count = 0;
  bool whole = false;  // the triangle as it is
  std::array<Corner, 8> c;
};
// False if nothing is left.
bool clipToHeights(const std::array<Vec3, 3>& triangle, const Plane& plane, double low, double high, Slab& slab);

// Rounded to the lattice; false if it has no area there.
bool toConvex(const Slab& slab, Convex& piece);

using extraction::overlap;
// Whether the interiors of two convex polygons meet. Exact.
bool overlap(std::span<const Point> p, std::span<const Point> q);

// Whether all points lie in the closed convex polygon. Exact.
bool contains(const Convex& piece, std::span<const Point> points);

// Joins two pieces that share a side if the result is convex: the halves of a quadrilateral.
bool join(Convex& piece, const Convex& other);

// Drops pieces that lie inside a single other one. Furniture covers the same floor many times. Expected O(n).
// Returns how many pairs of them were looked at, if there were many; stops when these are more than `most`.
uint64_t dropContained(std::vector<Convex>& pieces, uint64_t most);

}  // namespace wend::exact
