#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <wend/polygon.h>

// A uniform grid over boxes: finds the items that may lie near a place. Built once, in O(n + cells touched), read by
// any thread.
namespace wend {

class GridIndex {
 public:
  GridIndex() = default;
  // Chooses the bucket size so that a bucket holds a few items on average; items larger than many buckets are stored in
  // all of them, with the total limited to about `spread` entries per item by coarsening the grid.
  explicit GridIndex(std::span<const Box> items, double spread = 4.0);

  size_t itemCount() const { return items_; }
  const Box& bounds() const { return bounds_; }

  // The items whose box may contain p: those of one bucket.
  std::span<const uint32_t> at(Point p) const { return at(toVec2(p)); }
  std::span<const uint32_t> at(Vec2 p) const {  // lattice units
    // NaN fails every comparison, and so does everything if there is no box.
    if (!(p.x >= bounds_.min.x && p.x <= bounds_.max.x && p.y >= bounds_.min.y && p.y <= bounds_.max.y)) return {};
    // Boxes have whole corners, so the bucket of a fractional point is that of its floor.
    const auto place = [&](double v, int32_t low) {
      const auto whole = static_cast<int32_t>(v);
      return (static_cast<uint32_t>(whole - (whole > v ? 1 : 0)) - static_cast<uint32_t>(low)) / size_;
    };
    return bucket(place(p.x, bounds_.min.x), place(p.y, bounds_.min.y));
  }

  // Calls visit(item) for every item whose bucket meets the box. An item may be visited more than
  // once, and its own box may miss the given one.
  template <typename Visit>
  void forEach(const Box& box, Visit&& visit) const {
    if (buckets_.empty() || !meetsBounds(box)) return;
    const Cell low = cellOf(box.min);
    const Cell high = cellOf(box.max);
    for (uint32_t y = low.y; y <= high.y; ++y) {
      for (uint32_t x = low.x; x <= high.x; ++x) {
        for (const uint32_t item : bucket(x, y)) visit(item);
      }
    }
  }
  size_t memory() const;

 private:
  struct Cell {
    uint32_t x, y;
  };
  Cell cellOf(Point p) const {  // clamped to the grid
    const auto place = [&](int32_t v, int32_t low, int32_t high) {
      return (static_cast<uint32_t>(std::clamp(v, low, high)) - static_cast<uint32_t>(low)) / size_;
    };
    return {place(p.x, bounds_.min.x, bounds_.max.x), place(p.y, bounds_.min.y, bounds_.max.y)};
  }
  bool meetsBounds(const Box& box) const {
    return box.min.x <= bounds_.max.x && box.max.x >= bounds_.min.x && box.min.y <= bounds_.max.y &&
           box.max.y >= bounds_.min.y;
  }
  std::span<const uint32_t> bucket(uint32_t x, uint32_t y) const {
    const size_t i = static_cast<size_t>(y) * columns_ + x;
    return std::span(buckets_).subspan(begin_[i], begin_[i + 1] - begin_[i]);
  }

  Box bounds_;
  size_t items_ = 0;
  uint32_t size_ = 1;  // lattice units per bucket
  uint32_t columns_ = 0;
  uint32_t rows_ = 0;
  std::vector<uint32_t> begin_;
  std::vector<uint32_t> buckets_;
};

}  // namespace wend
