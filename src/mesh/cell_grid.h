#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <wend/navmesh.h>

// Which cells of a layer may contain a point? A uniform grid of about one bucket per cell, whose buckets list the cells
// that really reach into them (not only with their boxes: long slivers would fill the grid otherwise). Buckets that
// stay crowded, where the world has finer detail than on average, are divided again.
namespace wend {

class CellGrid {
 public:
  CellGrid() = default;
  // `cells` ascending. O(entries), which are bounded by a constant per cell.
  CellGrid(const NavMesh& mesh, std::span<const CellId> cells);

  // Ascending; a superset of the cells whose closed polygon contains the point, lattice units. NaN finds nothing.
  std::span<const CellId> at(Vec2 p) const {
    if (!(p.x >= low_.x && p.x <= high_.x && p.y >= low_.y && p.y <= high_.y) || nodes_.empty()) return {};
    for (uint32_t node = 0;;) {
      const Node& grid = nodes_[node];
      const Bucket& bucket =
          buckets_[grid.first + static_cast<size_t>(grid.row(p.y)) * grid.columns + grid.column(p.x)];
      if (bucket.end != kDivided) return std::span(entries_).subspan(bucket.begin, bucket.end - bucket.begin);
      node = bucket.begin;
    }
  }
  Vec2 low() const { return low_; }
  Vec2 high() const { return high_; }
  size_t memory() const;
  // The work of a query at a random place: candidates per bucket, weighted by the area of the bucket.
  double expectedCandidates() const;

 private:
  static constexpr uint32_t kDivided = kNone;

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
    static uint32_t clamp(double t, uint32_t count) {
      return t <= 0 ? 0 : t >= count ? count - 1 : static_cast<uint32_t>(t);
    }
  };
  struct Bucket {
    uint32_t begin = 0;
    uint32_t end = 0;  // kDivided: `begin` is a node
  };
  struct Builder;

  Vec2 low_{1, 1};
  Vec2 high_{0, 0};
  std::vector<Node> nodes_;
  std::vector<Bucket> buckets_;
  std::vector<CellId> entries_;
};

}  // namespace wend
