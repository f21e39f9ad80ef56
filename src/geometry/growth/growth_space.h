#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <wend/polygon.h>

#include "geometry/growth/half_plane.h"

// The free space in which convex regions grow: its walls, the regions so far, and an index over both.
namespace wend::growth {

// The four sides of a box, in the order in which they take their turns.
enum Side4 : uint8_t { kTop, kBottom, kRight, kLeft };
inline constexpr std::array<Side4, 4> kSides{kTop, kBottom, kRight, kLeft};

inline Side4 opposite(Side4 side) {
  return static_cast<Side4>(side ^ 1U);
}
inline bool isUpright(Side4 side) {  // whether the side moves along x
  return side >= kRight;
}
inline int forward(Side4 side) {  // the sign of its motion
  return (side & 1U) == 0 ? 1 : -1;
}

using Limits = std::array<int32_t, 4>;  // one per side

inline HalfPlane halfPlaneOf(Side4 side, int64_t limit) {
  switch (side) {
    case kTop:
      return {0, limit, -1, 0};
    case kBottom:
      return {0, limit, 1, 0};
    case kRight:
      return {limit, 0, 0, 1};
    default:
      return {limit, 0, 0, -1};
  }
}

// A straight stretch of the boundary of free space, which lies left of it.
struct Wall {
  Point from;
  Point to;
  bool isOpen = false;  // some of it is no wall of the world: a connection, or the border of a terrain class

  HalfPlane halfPlane() const { return {from.x, from.y, int64_t{to.x} - from.x, int64_t{to.y} - from.y}; }
  bool isSlanted() const { return from.x != to.x && from.y != to.y; }
};

// A side of a region: the part of its line between the region's other limits and contacts, as x or y coordinates.
struct Chord {
  Fraction from;
  Fraction to;
  bool isEmpty = true;  // no more than a point: the limit does not bound the region
};

// A convex set: a box of lattice lines, cut by the walls that it follows. Only walls cut it, and each along a part of
// itself, so a side that is not axis-aligned always lies on one wall.
struct Region {
  Limits limit{};
  std::vector<uint32_t> contacts;  // walls
  std::array<Chord, 4> chords;
  uint32_t version = 0;  // counts changes of the contacts
};

class GrowthSpace {
 public:
  // `open` are edges of the polygons' rings in their direction, sorted, that are no walls of the world. Straight
  // stretches become one wall unless something else touches them in between.
  GrowthSpace(std::span<const Polygon> polygons, std::span<const std::pair<Point, Point>> open);
  // The walls that meet a window only: for growth that does not leave it.
  GrowthSpace(std::span<const Polygon> polygons, std::span<const std::pair<Point, Point>> open, const Box& window);

  const std::vector<Wall>& walls() const { return walls_; }
  const std::vector<Region>& regions() const { return regions_; }
  std::vector<Region>& regions() { return regions_; }
  const Box& box() const { return box_; }
  int64_t pitch() const { return pitch_; }  // of the index: a typical distance of walls

  uint32_t addRegion(Region region);
  // A region has grown: its new cells are entered.
  void enter(uint32_t region, const Limits& before, bool isNew);

  // Walls and regions whose boxes meet a window, each once.
  void collect(const Box& window, std::vector<uint32_t>& walls, std::vector<uint32_t>& regions);

 private:
  struct Cells {
    int64_t column0, column1, row0, row1;
  };
  Cells cellsOf(int64_t x0, int64_t y0, int64_t x1, int64_t y1) const;
  void makeWalls(std::span<const Polygon> polygons, std::span<const std::pair<Point, Point>> open);
  void makeIndex();
  void indexWalls();

  std::vector<Wall> walls_;
  std::vector<Region> regions_;
  Box box_;
  int64_t pitch_ = 1;
  int64_t columns_ = 1;
  int64_t rows_ = 1;
  std::vector<uint32_t> wallBegin_;
  std::vector<uint32_t> wallCells_;
  std::vector<std::vector<uint32_t>> regionCells_;
  std::vector<uint32_t> wallStamp_;
  std::vector<uint32_t> regionStamp_;
  uint32_t stamp_ = 0;
};

}  // namespace wend::growth
