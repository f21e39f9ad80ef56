#pragma once

#include <cstddef>
#include <vector>

#include <wend/lattice.h>
#include <wend/navmesh.h>

// The segments of connections that are open so far.
namespace wend::ecm {

// Lattice units. Vertices often lie exactly on a segment, or where several meet; the points beside them do not. No
// vertex but a corner is this near to an obstacle.
inline constexpr Vec2 kBeside{0.00382, 0.00618};

class Passages {
 public:
  explicit Passages(size_t layers) : of_(layers) {}

  void add(Point a, Point b, LayerId left, LayerId right) {
    of_[left].push_back({a, b, right});
    of_[right].push_back({b, a, left});
  }

  // The layer at the end of a straight walk on the surface that begins in `layer`. Both ends stand for the point
  // kBeside them, so that vertices on a segment have one of the two layers, consistently.
  // O(segments of the layers walked).
  LayerId walk(LayerId layer, Vec2 start, Vec2 end) const;

 private:
  struct Passage {
    Point a, b;     // the layer's free side is left of a -> b
    LayerId layer;  // beyond
  };
  std::vector<std::vector<Passage>> of_;
};

}  // namespace wend::ecm
