#include "geometry/grid_index.h"

#include <algorithm>
#include <cmath>

namespace wend {

GridIndex::GridIndex(std::span<const Box> items, double spread) : items_(items.size()) {
  for (const Box& box : items) bounds_.add(box);
  if (bounds_.empty()) return;
  const double width = static_cast<double>(bounds_.max.x) - bounds_.min.x + 1;
  const double height = static_cast<double>(bounds_.max.y) - bounds_.min.y + 1;

  // About one bucket per item; no side beyond 2^15 buckets, so that thin worlds stay small.
  const double buckets = std::max<double>(1.0, static_cast<double>(items.size()));
  double size = std::max({1.0, std::sqrt(width * height / buckets), std::max(width, height) / 32768.0});
  size = std::max(size, std::max(width, height) / std::max(1.0, 4.0 * buckets));
  const auto entries = [&](double bucketSize) {
    double total = 0;
    for (const Box& box : items) {
      if (box.empty()) continue;
      total += (std::floor((static_cast<double>(box.max.x) - box.min.x) / bucketSize) + 2) *
               (std::floor((static_cast<double>(box.max.y) - box.min.y) / bucketSize) + 2);
    }
    return total;
  };
  // Large items would fill many buckets: coarsen until the entries are proportional to the items.
  while (entries(size) > (spread + 4.0) * buckets && size < std::max(width, height)) size *= 1.5;

  size_ = static_cast<int64_t>(std::ceil(size));
  columns_ = static_cast<uint32_t>((static_cast<int64_t>(bounds_.max.x) - bounds_.min.x) / size_ + 1);
  rows_ = static_cast<uint32_t>((static_cast<int64_t>(bounds_.max.y) - bounds_.min.y) / size_ + 1);

  // Counting sort into buckets.
  begin_.assign(static_cast<size_t>(columns_) * rows_ + 1, 0);
  const auto forBuckets = [&](const Box& box, auto&& body) {
    if (box.empty()) return;
    const Cell low = cellOf(box.min);
    const Cell high = cellOf(box.max);
    for (uint32_t y = low.y; y <= high.y; ++y) {
      for (uint32_t x = low.x; x <= high.x; ++x) body(static_cast<size_t>(y) * columns_ + x);
    }
  };
  for (const Box& box : items) forBuckets(box, [&](size_t i) { ++begin_[i + 1]; });
  for (size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  buckets_.resize(begin_.back());
  std::vector<uint32_t> fill(begin_.begin(), begin_.end() - 1);
  for (uint32_t item = 0; item < items.size(); ++item) {
    forBuckets(items[item], [&](size_t i) { buckets_[fill[i]++] = item; });
  }
}

GridIndex::Cell GridIndex::cellOf(Point p) const {
  const int64_t x = (std::clamp(p.x, bounds_.min.x, bounds_.max.x) - static_cast<int64_t>(bounds_.min.x)) / size_;
  const int64_t y = (std::clamp(p.y, bounds_.min.y, bounds_.max.y) - static_cast<int64_t>(bounds_.min.y)) / size_;
  return {static_cast<uint32_t>(x), static_cast<uint32_t>(y)};
}

std::span<const uint32_t> GridIndex::at(Point p) const {
  if (buckets_.empty() || p.x < bounds_.min.x || p.x > bounds_.max.x || p.y < bounds_.min.y || p.y > bounds_.max.y) {
    return {};
  }
  const Cell cell = cellOf(p);
  return bucket(cell.x, cell.y);
}

std::span<const uint32_t> GridIndex::at(Vec2 p) const {
  // Boxes have whole corners, so the bucket of a fractional point is that of its floor. NaN fails every comparison.
  if (!(p.x >= bounds_.min.x && p.x <= bounds_.max.x && p.y >= bounds_.min.y && p.y <= bounds_.max.y)) return {};
  return at(Point{static_cast<int32_t>(std::floor(p.x)), static_cast<int32_t>(std::floor(p.y))});
}

size_t GridIndex::memory() const {
  return (begin_.size() + buckets_.size()) * sizeof(uint32_t);
}

}  // namespace wend
