#include "crowd/neighbours/neighbour_grid.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace wend {
namespace {

constexpr double kSmallestSide = 0.5;  // metres
constexpr double kLargestSide = 8;
// More cells than this per agent and the world is mostly empty: hash them.
constexpr int64_t kCellsPerAgent = 16;
constexpr int64_t kSmallTable = 65'536;  // cells that cost nothing

}  // namespace

void NeighbourGrid::choose(std::span<const int32_t> x, std::span<const int32_t> y, double unit) {
  sideUnits_ = std::max<int64_t>(1, std::llround(side_ / unit));
  perUnit_ = 1 / static_cast<double>(sideUnits_);
  int32_t lowX = x[0];
  int32_t highX = x[0];
  int32_t lowY = y[0];
  int32_t highY = y[0];
  for (size_t i = 0; i < x.size(); ++i) {
    lowX = std::min(lowX, x[i]);
    highX = std::max(highX, x[i]);
    lowY = std::min(lowY, y[i]);
    highY = std::max(highY, y[i]);
  }
  lowX_ = lowX;
  lowY_ = lowY;
  columns_ = int64_t{cellOf(highX - lowX_)} + 1;
  rows_ = int64_t{cellOf(highY - lowY_)} + 1;
  const auto agents = static_cast<int64_t>(x.size());
  const bool huge = columns_ > (int64_t{1} << 31) / rows_ ||
                    (columns_ * rows_ > kSmallTable && columns_ * rows_ > kCellsPerAgent * agents);
  mask_ = huge ? std::bit_ceil(static_cast<uint64_t>(2 * agents)) - 1 : 0;
  const size_t cells = static_cast<size_t>(huge ? static_cast<int64_t>(mask_ + 1) : columns_ * rows_) + 1;
  // The box of a crowd breathes.
  if (cells > begin_.capacity()) begin_.reserve(cells + cells / 4);
  begin_.assign(cells, 0);
}

void NeighbourGrid::build(std::span<const int32_t> x, std::span<const int32_t> y, double unit) {
  order_.resize(x.size());
  if (x.empty()) return;
  choose(x, y, unit);
  place_.resize(x.size());
  keys_.resize(mask_ != 0 ? x.size() : 0);
  for (size_t i = 0; i < x.size(); ++i) {
    place_[i] = static_cast<uint32_t>(bucket(cellOf(x[i] - lowX_), cellOf(y[i] - lowY_)));
    ++begin_[place_[i] + 1];
  }
  adapt();
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  for (size_t i = 0; i < x.size(); ++i) order_[begin_[place_[i]]++] = static_cast<uint32_t>(i);
  // Each bucket now begins where the one before it ended.
  for (size_t b = begin_.size() - 1; b > 0; --b) begin_[b] = begin_[b - 1];
  begin_[0] = 0;
  if (mask_ == 0) return;
  const auto keyOf = [&](uint32_t agent) { return key(cellOf(x[agent] - lowX_), cellOf(y[agent] - lowY_)); };
  for (size_t b = 0; b + 1 < begin_.size(); ++b) {
    std::sort(order_.begin() + begin_[b], order_.begin() + begin_[b + 1],
              [&](uint32_t i, uint32_t j) { return keyOf(i) != keyOf(j) ? keyOf(i) < keyOf(j) : i < j; });
  }
  for (size_t i = 0; i < order_.size(); ++i) keys_[i] = keyOf(order_[i]);
}

// `begin_` still holds the counts, one place later.
void NeighbourGrid::adapt() {
  std::array<uint32_t, kFull + 2> histogram{};
  uint32_t used = 0;
  for (size_t b = 1; b < begin_.size(); ++b) {
    if (begin_[b] == 0) continue;
    ++used;
    ++histogram[std::min(begin_[b], kFull + 1)];
  }
  uint32_t above = 0;
  uint32_t percentile = kFull + 1;
  while (percentile > 1 && (above += histogram[percentile]) * 100 <= used) --percentile;
  if (percentile > kFull) side_ = std::max(kSmallestSide, side_ / 2);
  if (percentile < kSparse) side_ = std::min(kLargestSide, side_ * 2);
}

}  // namespace wend
