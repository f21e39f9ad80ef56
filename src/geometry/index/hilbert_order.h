#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <wend/polygon.h>

// Orders in which neighbours in the list are neighbours in the plane.
namespace wend {

// Place of p on the Hilbert curve that fills the square of side 2^levels whose lower left corner is `origin`;
// levels <= 32, and p lies in the square. A bijection: equal keys mean equal points.
uint64_t hilbertKey(Point p, Point origin, int levels);

// The distinct points in Hilbert order of their bounding box, which depends on the set of points only.
struct DistinctPoints {
  std::vector<Point> points;
  std::vector<uint32_t> idOf;  // input point -> points
};
DistinctPoints distinctInHilbertOrder(std::span<const Point> input);

// Biased randomized insertion order (Amenta, Choi, Rote 2003) of points that are in Hilbert order: a few rounds of
// doubling size, chosen by a hash of the coordinates, each along the curve. Within a round the next point is near the
// last one; the rounds are random enough that no input, however regular, makes incremental insertion quadratic.
std::vector<uint32_t> insertionOrder(std::span<const Point> points);

}  // namespace wend
