#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <wend/navmesh.h>

#include "geometry/vec2.h"

// Views that go on from cell to cell. A straight line never comes back to a convex cell, so a view enters none twice.
namespace wend {

// Whether a view is so thin that the rounding of corners of cells may decide where it leads: beside a row of corners in
// one line it could go around one of them for ever. `left` and `right` are the ends of the view seen from its root,
// lattice units.
inline bool isThin(Vec2 left, Vec2 right) {
  constexpr double kWidth = 1e-3;  // at the nearer end; far more than the error of a corner
  const double cross = right.x * left.y - right.y * left.x;
  const double farther = std::max(left.x * left.x + left.y * left.y, right.x * right.x + right.y * right.y);
  return cross * cross <= kWidth * kWidth * farther;
}

// In a damaged mesh, whose cells overlap, other views can go around too: searches that have become this long test all.
inline constexpr uint32_t kManyCells = 64;     // that one view has passed
inline constexpr size_t kManyNodes = 1 << 18;  // of one search

// The cells that the view passed which is followed now, depth first.
class PassedCells {
 public:
  // For a look around in a mesh of this many sides. In a damaged mesh views may split without end: far more than a
  // sound one has, and the rest is not seen.
  void begin(size_t sides) {
    cells_.clear();
    left_ = 64 * sides;
  }
  // False if the view has been in the cell already. `depth`: how many cells it passed before this one.
  bool enter(CellId cell, uint32_t depth, Vec2 left, Vec2 right) {
    if (left_ == 0) return false;
    --left_;
    if (depth > kManyCells || isThin(left, right)) {
      const auto end = cells_.begin() + depth;
      if (std::find(cells_.begin(), end, cell) != end) return false;
    }
    cells_.resize(depth);
    cells_.push_back(cell);
    return true;
  }

 private:
  std::vector<CellId> cells_;
  size_t left_ = 0;  // views that may still be followed
};

}  // namespace wend
