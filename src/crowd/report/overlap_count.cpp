#include "crowd/report/overlap_count.h"

namespace wend {
namespace {

constexpr double kOverlap = 1e-3;  // m; SteerBench's threshold
constexpr double kStorey = 1.5;    // m; persons this far above each other do not meet

uint64_t cellKey(int64_t x, int64_t y) {
  return (static_cast<uint64_t>(x + (int64_t{1} << 31)) << 32) | static_cast<uint64_t>(y + (int64_t{1} << 31));
}

}  // namespace

void OverlapCount::look(std::span<const RecordedPosition> positions, const std::vector<RecordedPerson>& persons,
                        const std::unordered_map<uint32_t, size_t>& index) {
  now_.clear();
  cells_.clear();
  double largest = 0.1;
  std::vector<double> radii(positions.size(), 0);
  for (size_t i = 0; i < positions.size(); ++i) {
    const auto found = index.find(positions[i].person);
    if (found != index.end()) radii[i] = persons[found->second].radius;
    largest = std::max(largest, radii[i]);
  }
  const double cell = 2 * largest;
  const auto column = [&](double v) { return static_cast<int64_t>(std::floor(v / cell)); };
  for (uint32_t i = 0; i < positions.size(); ++i) {
    cells_.emplace_back(cellKey(column(positions[i].place.x), column(positions[i].place.y)), i);
  }
  std::sort(cells_.begin(), cells_.end());
  for (uint32_t i = 0; i < positions.size(); ++i) {
    const Vec3 a = positions[i].place;
    for (int64_t dx = -1; dx <= 1; ++dx) {
      const uint64_t low = cellKey(column(a.x) + dx, column(a.y) - 1);
      const uint64_t high = cellKey(column(a.x) + dx, column(a.y) + 1);
      for (auto at = std::lower_bound(cells_.begin(), cells_.end(), std::pair(low, uint32_t{0}));
           at != cells_.end() && at->first <= high; ++at) {
        const uint32_t j = at->second;
        if (j <= i) continue;
        const Vec3 b = positions[j].place;
        const double depth = radii[i] + radii[j] - std::hypot(a.x - b.x, a.y - b.y);
        if (depth <= kOverlap || std::abs(a.z - b.z) > kStorey) continue;
        deepest_ = std::max(deepest_, depth);
        deepestShare_ = std::max(deepestShare_, depth / std::min(radii[i], radii[j]));
        const uint64_t pair = (static_cast<uint64_t>(positions[i].person) << 32) | positions[j].person;
        now_.insert(pair);
        if (!touching_.contains(pair)) ++collisions_;
      }
    }
  }
  std::swap(touching_, now_);
}

}  // namespace wend
