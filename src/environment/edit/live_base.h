#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <wend/environment.h>

#include "environment/boundary.h"
#include "environment/heights.h"
#include "geometry/index/grid_index.h"

// The environment that edits start from, with what they need to know of it: its boundary edges and height
// triangles, indexed by place.
namespace wend {

// Immutable; any thread may read it. Made once per world, in O(n log n); every version of the world shares it.
class LiveBase {
 public:
  // A valid environment.
  explicit LiveBase(std::shared_ptr<const Environment> environment);

  const Environment& environment() const { return *environment_; }
  const std::shared_ptr<const Environment>& shared() const { return environment_; }
  const Boundary& boundary() const { return boundary_; }
  // The same segment seen from the layer behind a connection, or kNone.
  uint32_t twin(uint32_t edge) const { return twin_[edge]; }
  std::span<const uint32_t> twins() const { return twin_; }
  // Whether a connection lies on an edge of the ring.
  bool isConnected(uint32_t ring) const { return isConnected_[ring] != 0; }
  // The ring of an edge, counted over all layers.
  uint32_t ringOf(uint32_t edge) const;
  // The rings of a polygon are contiguous, its outer one first.
  uint32_t firstRing(uint32_t polygon) const { return firstRing_[polygon]; }
  uint32_t endRing(uint32_t polygon) const { return firstRing_[polygon + 1]; }

  // Calls visit(edge) for every edge of the layer whose box meets the box; some more than once.
  template <typename Visit>
  void forEachEdge(uint32_t layer, const Box& box, Visit&& visit) const {
    grids_[layer].forEach(box, [&](uint32_t item) {
      const uint32_t edge = begin_[layer] + item;
      const Point a = boundary_.start(edge);
      const Point b = boundary_.end(edge);
      if (std::max(a.x, b.x) < box.min.x || std::min(a.x, b.x) > box.max.x) return;
      if (std::max(a.y, b.y) < box.min.y || std::min(a.y, b.y) > box.max.y) return;
      visit(edge);
    });
  }

  // The surface of a layer.
  const HeightLookup& heights(uint32_t layer) const { return heights_[layer]; }
  // The rings of the layer around the point, ascending; whether those that it lies on are among them is not said.
  // O(edges beside the point).
  std::vector<uint32_t> ringsAround(uint32_t layer, Vec2 units) const;
  // The polygon (counted over all layers) that holds the point in its interior, or kNone. The point must not lie on the
  // boundary of the layer. O(edges beside the point).
  uint32_t polygonAt(uint32_t layer, Vec2 units) const;

 private:
  std::shared_ptr<const Environment> environment_;
  Boundary boundary_;
  std::vector<uint32_t> twin_;
  std::vector<uint8_t> isConnected_;   // per ring
  std::vector<uint32_t> begin_;        // first edge of each layer, and the end
  std::vector<uint32_t> firstRing_;    // of each polygon, and the end
  std::vector<GridIndex> grids_;       // over the edges of each layer
  std::vector<HeightLookup> heights_;  // of each layer
};

}  // namespace wend
