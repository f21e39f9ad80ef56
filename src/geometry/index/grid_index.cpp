#include "geometry/index/grid_index.h"

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
    const auto most = [&](int32_t low, int32_t high) {
      return static_cast<double>(static_cast<int64_t>((static_cast<double>(high) - low) / bucketSize) + 2);
    };
    double total = 0;
    for (const Box& box : items) {
      if (!box.empty()) total += most(box.min.x, box.max.x) * most(box.min.y, box.max.y);
    }
    return total;
  };
  // Large items would fill many buckets: coarsen until the entries are proportional to the items.
  while (entries(size) > (spread + 4.0) * buckets && size < std::max(width, height)) size *= 1.5;

  size_ = static_cast<uint32_t>(std::ceil(size));
  const Cell last = cellOf(bounds_.max);
  columns_ = last.x + 1;
  rows_ = last.y + 1;

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

size_t GridIndex::memory() const {
  return (begin_.size() + buckets_.size()) * sizeof(uint32_t);
}

}  // namespace wend
