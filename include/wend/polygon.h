#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <wend/lattice.h>

// The one polygon type.
namespace wend {

// A closed chain of lattice points; the last joins the first. No two consecutive points are equal.
using Ring = std::vector<Point>;

// An open, connected part of the plane, given by its boundary walks: the interior lies left of every ring, so `outer`
// is counter-clockwise and `holes` are clockwise.
//
// Invariant of a valid polygon: rings never cross, neither themselves nor each other, and no two boundary segments
// overlap. They may touch in a vertex of both: a ring is the walk along one boundary component of the *interior*, so
// where free space touches itself in a point, the walk visits that vertex more than once, and there is no way
// through. Hence Euler's characteristic of the interior is exactly 1 - holes.size(). Collinear vertices are kept.
struct Polygon {
  Ring outer;
  std::vector<Ring> holes;
  bool operator==(const Polygon&) const = default;
};

struct Box {
  Point min{kMaxCoordinate, kMaxCoordinate};
  Point max{-kMaxCoordinate, -kMaxCoordinate};
  bool operator==(const Box&) const = default;
  bool empty() const { return min.x > max.x; }
  void add(Point p);
  void add(const Box& other);
};

// The area of the polygons together, m2.
double polygonArea(std::span<const Polygon> polygons, const Lattice& lattice);

Box boundingBox(std::span<const Point> ring);
Box boundingBox(std::span<const Polygon> polygons);

// Vertices of all rings (a vertex visited twice counts twice).
size_t vertexCount(const Polygon& polygon);
size_t vertexCount(std::span<const Polygon> polygons);

enum class Side : uint8_t { kOutside, kBoundary, kInside };
// Exact; O(vertices). Use a mesh's locator for many queries.
Side locate(const Polygon& polygon, Point p);
Side locate(std::span<const Polygon> polygons, Point p);

}  // namespace wend
