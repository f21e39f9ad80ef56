#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <wend/extract.h>

#include "environment/extract/exact/box_rows.h"
#include "environment/extract/exact/rings.h"
#include "environment/extract/exact/tolerances.h"

// The scene on the lattice: snapped, welded, without triangles that say nothing.
namespace wend::exact {

struct Point3 {
  int32_t x = 0;
  int32_t y = 0;
  int32_t z = 0;
  bool operator==(const Point3&) const = default;
  Point top() const { return {x, y}; }
};

struct Triangle {
  std::array<uint32_t, 3> v;  // ids into Soup::points
  uint32_t source = 0;        // id in the scene
  uint32_t label = 0;
  uint32_t facet = kNone;
  bool walkable = false;
  Vec3 normal;       // unit length
  double area = 0;   // twice the area in top view, square units; negative seen from below
  Box box;           // in top view
  int32_t low = 0;   // smallest z
  int32_t high = 0;  // largest z
};

struct Soup {
  std::vector<Point3> points;
  std::vector<Triangle> triangles;
  Box box;
  uint32_t degenerate = 0;
  uint32_t duplicate = 0;

  std::array<Point3, 3> corners(const Triangle& t) const { return {points[t.v[0]], points[t.v[1]], points[t.v[2]]}; }
};

// Near-vertical: such triangles act as walls where they are too narrow in top view to cover anything.
inline constexpr double kWallSlope = 0.2;
inline bool isWall(const Triangle& t) {
  return std::abs(t.normal.z) < kWallSlope;
}

// Where the triangles lie, in space.
BoxRows rowsOf(const Soup& soup, const Context& context);

Result<Soup> makeSoup(const Scene& scene, const ExtractSettings& settings, const Context& context);

}  // namespace wend::exact
