#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <wend/environment.h>

#include "geometry/triangulation/triangulation.h"

// A triangulation of free space whose walls can be split, kept Delaunay by flips. Layers are joined at their
// connections: the edges there are open but never flipped, so that a triangle stays in its layer.
namespace wend::lct {

// Corner i of triangle t is points()[t.v[i]], counter-clockwise; t.n[i] is the triangle across the edge opposite
// corner i, kNone at a wall.
struct NetTriangle {
  std::array<uint32_t, 3> v;
  std::array<uint32_t, 3> n;
};

// Corners and edges in their order around a triangle.
inline uint32_t after(uint32_t i) {
  return i == 2 ? 0 : i + 1;
}
inline uint32_t before(uint32_t i) {
  return i == 0 ? 2 : i - 1;
}

// One edge of one triangle: the one opposite corner `edge`.
struct NetEdge {
  uint32_t triangle = kNone;
  uint32_t edge = 0;
};

class TriangleNet {
 public:
  TriangleNet(std::span<const FreeTriangulation> layers, std::span<const Connection> connections);
  // Of a mesh, to be looked at only.
  TriangleNet(std::vector<Vec2> points, std::vector<NetTriangle> triangles);

  std::span<const NetTriangle> triangles() const { return triangles_; }
  const NetTriangle& triangle(uint32_t t) const { return triangles_[t]; }
  Vec2 point(uint32_t p) const { return points_[p]; }
  uint32_t layerOf(uint32_t t) const { return layerOf_[t]; }
  // Which edge of t's neighbour across edge i is the same edge.
  uint32_t mirror(uint32_t t, uint32_t i) const {
    const NetTriangle& other = triangles_[triangles_[t].n[i]];
    const uint32_t end = triangles_[t].v[before(i)];
    return other.v[1] == end ? 0 : other.v[2] == end ? 1 : 2;
  }

  // Sign of the turn. Points that split a wall lie exactly on it, although their coordinates are rounded.
  int turn(uint32_t a, uint32_t b, uint32_t c) const;

  // Puts a point on a wall, which must not be nearer to its ends than rounding reaches, and restores the Delaunay
  // property. One triangle more. Flips are decided in long double once a split point takes part, so cocircular points
  // are left as they are.
  void split(NetEdge wall, Vec2 place);
  uint32_t splits() const { return splits_; }
  // The split, counted from 1, that changed corners or walls of the triangle last; 0 if none did.
  uint32_t lastChange(uint32_t t) const { return lastChange_[t]; }

 private:
  using Line = std::pair<Point, Point>;
  bool isOnLine(const Line& line, uint32_t p) const;
  bool isInsideCircle(uint32_t a, uint32_t b, uint32_t c, uint32_t d) const;
  void flip(uint32_t t, uint32_t i, std::vector<NetEdge>& todo);
  void replaceNeighbour(uint32_t t, uint32_t from, uint32_t to);
  void join(std::span<const Connection> connections);

  std::vector<Vec2> points_;
  std::vector<NetTriangle> triangles_;
  std::vector<uint32_t> layerOf_;
  std::vector<uint32_t> lastChange_;
  uint32_t splits_ = 0;
  uint32_t originals_ = 0;    // points before the first split
  std::vector<Line> lineOf_;  // per split point: the wall as it was given
};

}  // namespace wend::lct
