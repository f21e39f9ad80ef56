#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include <wend/navmesh.h>

#include "planning/stamped.h"

// The cells around a place, on the mesh or off it, from near to far: a uniform grid of about one bucket per cell, over
// all layers.
namespace wend {

class CellBuckets {
 public:
  explicit CellBuckets(const NavMesh& mesh);

  struct Scratch {
    QueryStamp stamp;
    StampedSet seen;
  };
  // Calls `visit` with each cell that may be nearer to p than the best distance so far, once. `visit` returns that
  // distance. Lattice units. O(buckets within the final distance).
  template <typename Visit>
  void around(Vec2 p, double best, Scratch& scratch, const Visit& visit) const {
    if (entries_.empty()) return;
    if (scratch.stamp.advance()) scratch.seen.wipe();
    scratch.seen.grow(cells_);
    const int64_t column = columnOf(p.x);
    const int64_t row = rowOf(p.y);
    const int64_t most = std::max(columns_, rows_);
    for (int64_t ring = 0; ring <= most; ++ring) {
      bool isAnyNear = false;
      for (int64_t y = row - ring; y <= row + ring; ++y) {
        if (y < 0 || y >= rows_) continue;
        const bool isEdge = y == row - ring || y == row + ring;
        for (int64_t x = column - ring; x <= column + ring; x += isEdge || ring == 0 ? 1 : 2 * ring) {
          if (x < 0 || x >= columns_ || distanceTo(p, x, y) > best) continue;
          isAnyNear = true;
          for (const CellId cell : bucket(x, y)) {
            if (scratch.seen.insert(cell, scratch.stamp)) best = visit(cell);
          }
        }
      }
      // Farther rings are farther away than this one.
      if (!isAnyNear && ring > 0) return;
    }
  }

 private:
  int64_t columnOf(double x) const {
    return static_cast<int64_t>(std::clamp((x - low_.x) / size_, 0.0, static_cast<double>(columns_ - 1)));
  }
  int64_t rowOf(double y) const {
    return static_cast<int64_t>(std::clamp((y - low_.y) / size_, 0.0, static_cast<double>(rows_ - 1)));
  }
  double distanceTo(Vec2 p, int64_t x, int64_t y) const {
    const double left = low_.x + static_cast<double>(x) * size_;
    const double bottom = low_.y + static_cast<double>(y) * size_;
    const double dx = std::max({0.0, left - p.x, p.x - left - size_});
    const double dy = std::max({0.0, bottom - p.y, p.y - bottom - size_});
    return std::sqrt(dx * dx + dy * dy);
  }
  std::span<const CellId> bucket(int64_t x, int64_t y) const {
    const auto i = static_cast<size_t>(y * columns_ + x);
    return std::span(entries_).subspan(begin_[i], begin_[i + 1] - begin_[i]);
  }
  template <typename Add>
  void forBuckets(const NavMesh& mesh, CellId cell, const Add& add) const;

  Vec2 low_;
  double size_ = 1;
  int64_t columns_ = 1;
  int64_t rows_ = 1;
  size_t cells_ = 0;
  std::vector<uint32_t> begin_;
  std::vector<CellId> entries_;
};

}  // namespace wend
