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
  std::vector<Point> points;      // distinct
  std::vector<uint32_t> pointOf;  // input point -> points; duplicates share one
  std::vector<Triangle> triangles;
};

// The constrained Delaunay triangulation of the points and edges: every edge is a union of triangle edges, and no
// unconstrained edge has a point of its neighbour strictly inside its circumcircle.
//
// Canonical: where points are cocircular, each maximal cocircular face joined by unconstrained edges is a fan from its
// lexicographically smallest vertex, so the set of triangles does not depend on the order of the input. Triangles are
// numbered in a fixed order (sorted by their smallest corner).
//
// An edge through a third point is split there. Two edges that cross in their interiors are an Error
// (kInvalidGeometry) that names both and the place: use snapRound() first. Fewer than three points, or all collinear:
// no triangles. Expected O(n log n).
Result<Triangulation> triangulate(std::span<const Point> points, std::span<const Edge> edges,
                                  const Context& context = {});

// The triangles inside a set of valid polygons with disjoint interiors, as ids into one point list. Neighbours across
// polygon boundaries are kNone, as are those across `barriers` when given (passable constraints are not barriers).
struct FreeTriangulation {
  std::vector<Point> points;
  std::vector<Triangulation::Triangle> triangles;
};
// `extra` are further constraints inside or on the boundary (polylines), marked fixed but passable.
Result<FreeTriangulation> triangulateFree(std::span<const Polygon> polygons,
                                          std::span<const std::vector<Point>> extra = {}, const Context& context = {});

}  // namespace wend
