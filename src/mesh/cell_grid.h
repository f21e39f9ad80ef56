#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <wend/navmesh.h>

#include "geometry/predicates.h"

// Finds the cells of a layer that may contain a point. A uniform grid of about one bucket per cell, whose buckets list
// the cells that really reach into them (not only with their boxes: long slivers would fill the grid otherwise).
// Buckets that stay crowded are divided again: by a finer grid where the world has more detail than on average, by
// lines along sides (a binary space partition) where slivers run side by side, which no grid can tell apart.
namespace wend {

class CellGrid {
 public:
  CellGrid() = default;
  // `cells` ascending. O(entries), which are bounded by a constant per cell.
  CellGrid(const NavMesh& mesh, std::span<const CellId> cells);

  // Ascending; a superset of the cells whose closed polygon contains the point, lattice units. NaN finds nothing.
  std::span<const CellId> at(Vec2 p) const {
    if (!(p.x >= low_.x && p.x <= high_.x && p.y >= low_.y && p.y <= high_.y) || nodes_.empty()) return {};
    for (Bucket bucket = nodes_[0].bucketAt(buckets_, p);;) {
      if (bucket.end == kDivided) {
        bucket = nodes_[bucket.begin].bucketAt(buckets_, p);
      } else if (bucket.end == kSplit) {
        const Split& split = splits_[bucket.begin];
        bucket = orient(split.a, split.b, p) >= 0 ? split.left : split.right;
      } else {
        return std::span(entries_).subspan(bucket.begin, bucket.end - bucket.begin);
      }
    }
  }
  Vec2 low() const { return low_; }
  Vec2 high() const { return high_; }
  size_t memory() const;

 private:
  static constexpr uint32_t kDivided = kNone;
  static constexpr uint32_t kSplit = kNone - 1;

  // Entries; or, if `end` is kDivided or kSplit, `begin` is a node or split.
  struct Bucket {
    uint32_t begin = 0;
    uint32_t end = 0;
  };
  // Each coordinate falls in the bucket of clamp(floor((x - low) * scale)). That is monotone in x however it rounds,
  // which is all that correctness needs.
  struct Node {
    Vec2 low;
    double scaleX = 1;
    double scaleY = 1;
    uint32_t columns = 1;
    uint32_t rows = 1;
    uint32_t first = 0;  // bucket
    uint32_t column(double x) const { return clamp((x - low.x) * scaleX, columns); }
    uint32_t row(double y) const { return clamp((y - low.y) * scaleY, rows); }
    const Bucket& bucketAt(const std::vector<Bucket>& buckets, Vec2 p) const {
      return buckets[first + static_cast<size_t>(row(p.y)) * columns + column(p.x)];
    }
    static uint32_t clamp(double t, uint32_t count) {
      return t <= 0 ? 0 : t >= count ? count - 1 : static_cast<uint32_t>(t);
    }
  };
  // Cells that touch the line ab inside the bucket are on both sides of it; points on it count as left.
  struct Split {
    Vec2 a, b;
    Bucket left, right;
  };
  struct Builder;

  Vec2 low_{1, 1};
  Vec2 high_{0, 0};
  std::vector<Node> nodes_;
  std::vector<Bucket> buckets_;
  std::vector<Split> splits_;
  std::vector<CellId> entries_;
};

}  // namespace wend
