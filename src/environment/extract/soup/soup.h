#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <wend/extract.h>

#include "environment/extract/polygons/rings.h"
#include "environment/extract/tolerances.h"
#include "geometry/index/box_tree.h"

// The scene on the lattice: snapped, welded, without degenerate and duplicated triangles.
namespace wend::extraction {

struct Point3 {
  int32_t x = 0;
  int32_t y = 0;
  int32_t z = 0;
  bool operator==(const Point3&) const = default;
  Point top() const { return {x, y}; }
};

// The fields that most functions read come first, in one cache line.
struct Triangle {
  std::array<uint32_t, 3> v;  // ids into Soup::points
  uint32_t facet = kNone;
  int32_t low = 0;   // smallest z
  int32_t high = 0;  // largest z
  bool walkable = false;
  bool wall = false;  // near-vertical: acts as a wall where it is too narrow in top view to cover anything
  uint32_t label = 0;
  Box box;              // in top view
  double area = 0;      // twice the area in top view, square units; negative seen from below
  Vec3 normal;          // unit length
  uint32_t source = 0;  // id in the scene
};

struct Soup {
  std::vector<Point3> points;
  std::vector<Triangle> triangles;
  Box box;
  uint32_t degenerate = 0;
  uint32_t duplicate = 0;

  std::array<Point3, 3> corners(const Triangle& t) const { return {points[t.v[0]], points[t.v[1]], points[t.v[2]]}; }
};

// Trees of the triangles in space. Walls block beside themselves too, so queries for them use wider boxes.
struct TriangleTrees {
  BoxTree walls;
  BoxTree others;
};
TriangleTrees treesOf(const Soup& soup, const Context& context);

Result<Soup> makeSoup(const Scene& scene, const ExtractSettings& settings, const Context& context);

}  // namespace wend::extraction
