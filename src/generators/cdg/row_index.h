#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <wend/navmesh.h>

// Samples by row and column.
namespace wend::cdg {

// Samples side by side in a row with no wall between them, in columns from `begin` to before `end`.
struct Run {
  int32_t row;
  int32_t begin;
  int32_t end;
  uint32_t first;  // sample
};

// The runs of one layer, found by row and column.
class RowIndex {
 public:
  explicit RowIndex(std::span<const Run> runs) : runs_(runs) {
    if (runs.empty()) return;
    lowest_ = runs.front().row;
    begin_.reserve(static_cast<size_t>(runs.back().row - lowest_) + 2);
    for (uint32_t i = 0; i < runs.size(); ++i) begin_.resize(static_cast<size_t>(runs[i].row - lowest_) + 1, i);
    begin_.push_back(static_cast<uint32_t>(runs.size()));
  }

  std::span<const Run> row(int32_t row) const {
    const int64_t i = static_cast<int64_t>(row) - lowest_;
    if (i < 0 || i + 1 >= static_cast<int64_t>(begin_.size())) return {};
    const auto at = static_cast<size_t>(i);
    return runs_.subspan(begin_[at], begin_[at + 1] - begin_[at]);
  }

  // The sample, or kNone.
  uint32_t find(int32_t row, int32_t column) const {
    const std::span<const Run> runs = this->row(row);
    const auto after =
        std::upper_bound(runs.begin(), runs.end(), column, [](int32_t c, const Run& run) { return c < run.begin; });
    if (after == runs.begin() || (after - 1)->end <= column) return kNone;
    return (after - 1)->first + static_cast<uint32_t>(column - (after - 1)->begin);
  }

  std::span<const Run> all() const { return runs_; }

 private:
  std::span<const Run> runs_;
  int32_t lowest_ = 0;
  std::vector<uint32_t> begin_;  // by row; one more at the end
};

}  // namespace wend::cdg
