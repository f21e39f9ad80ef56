#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <wend/context.h>
#include <wend/polygon.h>
#include <wend/result.h>

// Constrained Delaunay triangulation with exact predicates.
namespace wend {

struct Edge {
  uint32_t a = 0;  // ids into the point list
  uint32_t b = 0;
  bool operator==(const Edge&) const = default;
};

// Triangles of the convex hull of the points. Corner i of triangle t is points[t.v[i]], counter-clockwise; t.n[i] is
// the triangle across the edge opposite corner i (kNone outside the hull); t.fixed bit i says that this edge is a
// constraint.
struct Triangulation {
  struct Triangle {
    std::array<uint32_t, 3> v;
    std::array<uint32_t, 3> n;
    uint8_t fixed = 0;
    bool isFixed(int edge) const { return (fixed >> edge & 1) != 0; }
    bool operator==(const Triangle&) const = default;
  };
  std::vector<Point> points;      // distinct, in Hilbert order of their bounding box
  std::vector<uint32_t> pointOf;  // input point -> points; duplicates share one
  std::vector<Triangle> triangles;
};

// The constrained Delaunay triangulation of the points and edges: every edge is a union of triangle edges, and no
// unconstrained edge has a point of its neighbour strictly inside its circumcircle.
//
// Canonical: where points are cocircular, each maximal cocircular face joined by unconstrained edges is a fan from its
// lexicographically smallest vertex; corner 0 of each triangle is its smallest id, and triangles are sorted by their
// corners. So points and triangles do not depend on the order of the input, nor on duplicates or the direction of
// edges.
//
// An edge through a third point is split there; an edge of length 0 is ignored. Two edges that cross in their interiors
// are an Error (kInvalidGeometry) that names both and the place: use snapRound() first. Points beyond +-kMaxCoordinate
// are kOutsideLattice, ids without a point kInvalidGeometry. Fewer than three points, or all collinear: no triangles.
// Expected O(n log n), whatever the distribution of the points; an edge across k triangles costs O(k) plus its flips.
Result<Triangulation> triangulate(std::span<const Point> points, std::span<const Edge> edges,
                                  const Context& context = {});

// The triangles inside a set of polygons, as ids into one point list; canonical as above. Neighbours across polygon
// boundaries are kNone; such sides are marked fixed.
struct FreeTriangulation {
  std::vector<Point> points;  // of the polygons and of `extra`, distinct
  std::vector<Triangulation::Triangle> triangles;
};
// The polygons are valid and their interiors disjoint; they may share boundary edges, or parts of them. `extra` are
// polylines inside or on the boundary: their sides are marked fixed, and the triangles beyond them stay neighbours
// (unless the side is a polygon boundary too). A stretch of ring walked once in each direction is a wall without
// thickness. Crossing edges, overlapping interiors and rings that do not enclose their left side are an Error
// (kInvalidGeometry) with its place.
Result<FreeTriangulation> triangulateFree(std::span<const Polygon> polygons,
                                          std::span<const std::vector<Point>> extra = {}, const Context& context = {});

}  // namespace wend
