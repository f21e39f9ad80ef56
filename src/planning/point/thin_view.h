#pragma once

#include <algorithm>

#include "geometry/vec2.h"

namespace wend {

// Whether a view is so thin that the rounding of corners of cells may decide where it leads. Beside a row of corners in
// one line it could go around one of them for ever: searches follow it into no cell twice. `left` and `right` are the
// ends of the view seen from its root, lattice units.
inline bool isThin(Vec2 left, Vec2 right) {
  constexpr double kWidth = 1e-3;  // at the nearer end; far more than the error of a corner
  const double cross = right.x * left.y - right.y * left.x;
  const double farther = std::max(left.x * left.x + left.y * left.y, right.x * right.x + right.y * right.y);
  return cross * cross <= kWidth * kWidth * farther;
}

}  // namespace wend
