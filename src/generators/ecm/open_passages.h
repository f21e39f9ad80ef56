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

  // The layer at the end of a straight walk on the surface that begins in `layer`. Where the walk touches an end of a
  // segment it crosses it if the end is not to its right, so that a walk through an inner point of a line crosses
  // exactly one of the segments there. O(segments of the layers walked).
  LayerId walk(LayerId layer, Vec2 from, Vec2 to) const;

 private:
  struct Passage {
    Point a, b;     // the layer's free side is left of a -> b
    LayerId layer;  // beyond
  };
  std::vector<std::vector<Passage>> of_;
};

}  // namespace wend::ecm
