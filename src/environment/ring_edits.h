#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <wend/environment.h>

#include "environment/boundary.h"

// Putting the lines of connections into the boundary of a layer.
namespace wend {

// A place on the boundary: on `edge`, the fraction `t` in [0, 1) of the way along it.
struct Spot {
  uint32_t edge = kNone;
  double t = 0;
  auto operator<=>(const Spot&) const = default;
};

// The boundary walk from one spot forward to another is to run over these points instead.
struct RingEdit {
  Spot from;
  Spot to;
  std::vector<Point> points;
  bool exact = false;       // the points already lie on that part of the walk: they only need to become vertices
  uint32_t connection = 0;  // whose edit it is
};

struct RingEdits {
  std::vector<bool> moved;    // per layer: a boundary runs elsewhere now, so the polygons need cleaning
  uint32_t overlapA = kNone;  // two connections that want the same part of the boundary, or kNone
  uint32_t overlapB = kNone;
};

// Applies the edits to the layers that the boundary was taken from. Rings whose edits are all exact keep every vertex
// and their first one first.
RingEdits applyEdits(std::vector<Layer>& layers, const Boundary& boundary, std::span<const RingEdit> edits);

}  // namespace wend
