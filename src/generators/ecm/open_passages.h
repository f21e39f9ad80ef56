#pragma once

#include <cstddef>
#include <vector>

#include <wend/lattice.h>
#include <wend/navmesh.h>

// The segments through which one can walk by now.
namespace wend::ecm {

class Passages {
 public:
  explicit Passages(size_t layers) : of_(layers) {}

  void add(Point a, Point b, LayerId left, LayerId right) {
    of_[left].push_back({a, b, right});
    of_[right].push_back({b, a, left});
  }

  // The layer at the end of a straight walk on the surface that begins in `layer`. Both ends stand for a point just
  // beside them, always in the same direction, so that vertices on a segment have one of the two layers, consistently.
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
