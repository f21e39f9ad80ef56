#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <wend/environment.h>

// The boundary of all layers as one array of directed edges, and the surface that connections glue from it.
namespace wend {

// Edge i runs from start[i] to start[next[i]], free space on its left. Edges of a ring are contiguous, rings follow the
// order of layers, polygons, outer ring and holes; empty rings are left out.
class Boundary {
 public:
  // Only the layers' free space and, for find(), the lines of the connections are read. Any values are safe.
  Boundary(std::span<const Layer> layers, std::span<const Connection> connections);

  struct Ring {
    uint32_t begin, end;  // edges
    uint32_t layer;
    uint32_t polygon;  // counted over all layers
    uint32_t place;    // index of the polygon in its layer
    uint32_t hole;     // 0 = outer, 1 + i = holes[i]
  };

  uint32_t edgeCount() const { return static_cast<uint32_t>(start_.size()); }
  uint32_t polygonCount() const { return polygons_; }
  std::span<const Ring> rings() const { return rings_; }
  const Ring& ring(uint32_t edge) const { return rings_[ringOf_[edge]]; }
  Point start(uint32_t edge) const { return start_[edge]; }
  Point end(uint32_t edge) const { return start_[next(edge)]; }
  uint32_t next(uint32_t edge) const {
    const Ring& r = ring(edge);
    return edge + 1 == r.end ? r.begin : edge + 1;
  }
  // The edge of the layer from a to b, or kNone. Known only where a is on the line of a connection of that layer.
  uint32_t find(uint32_t layer, Point a, Point b) const;

 private:
  struct Known {
    uint32_t layer;
    Point a, b;
    uint32_t edge;
    auto operator<=>(const Known&) const = default;
  };
  std::vector<Point> start_;
  std::vector<uint32_t> ringOf_;
  std::vector<Ring> rings_;
  std::vector<Known> known_;  // sorted
  uint32_t polygons_ = 0;
};

// Which edges the connections join: twin[e] is the same segment seen from the other layer, or kNone. Segments that are
// no boundary edge of both layers, in opposite directions, stay closed, and so does one that is joined already.
std::vector<uint32_t> glue(const Boundary& boundary, std::span<const Connection> connections);

// The points where joined edges meet with nothing closed around them, one edge that starts there for each. The others
// are next(twin(edge)) and so on, until the first comes again. O(edges).
std::vector<uint32_t> innerPoints(const Boundary& boundary, std::span<const uint32_t> twin);

}  // namespace wend
