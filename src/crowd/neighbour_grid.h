#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

// Who is near? A uniform grid over the agents in top view, built anew each step by a stable counting sort, so that the
// agents of a cell (and of the cells of a row) lie beside each other in memory. Positions are lattice coordinates:
// distances are exact, wherever the world lies.
namespace wend {

class NeighbourGrid {
 public:
  // Finds the order that puts agents of a cell beside each other: slot i of the new order is agent order()[i] of the
  // old one. The caller then reorders its arrays; queries speak of the new slots. O(agents + cells).
  void build(std::span<const int32_t> x, std::span<const int32_t> y, double unit);
  const std::vector<uint32_t>& order() const { return order_; }

  // Side of a cell, metres. Adapts to the crowd: halved for the next build where the fullest hundredth of the cells
  // hold more than kFull agents, doubled below kSparse.
  double side() const { return side_; }
  void setSide(double metres) { side_ = metres; }
  static constexpr uint32_t kFull = 24;
  static constexpr uint32_t kSparse = 4;

  // Calls visit(begin, end) with ranges of slots, ring by ring around a place, until done(distance) says that nobody
  // farther than `distance` lattice units is wanted, or no cells are left. Ranges of a table may hold agents of other
  // places: the caller looks at distances, and at isIn() if hashed().
  template <typename Visit, typename Done>
  void around(int32_t x, int32_t y, Visit&& visit, Done&& done) const {
    if (order_.empty()) return;
    const int64_t cx = cellOf(x - lowX_);
    const int64_t cy = cellOf(y - lowY_);
    // How far the place is from the border of its cell.
    const int64_t fx = static_cast<int64_t>(x) - lowX_ - cx * sideUnits_;
    const int64_t fy = static_cast<int64_t>(y) - lowY_ - cy * sideUnits_;
    const int64_t inner = std::min(std::min(fx, sideUnits_ - fx), std::min(fy, sideUnits_ - fy));
    const int64_t last = std::max(std::max(cx, columns_ - 1 - cx), std::max(cy, rows_ - 1 - cy));
    for (int64_t row = cy - 1; row <= cy + 1; ++row) span(cx - 1, cx + 1, row, visit);
    for (int64_t ring = 1;; ++ring) {
      if (ring >= last || done(static_cast<double>(ring * sideUnits_ + inner))) return;
      const int64_t next = ring + 1;
      span(cx - next, cx + next, cy - next, visit);
      for (int64_t row = cy - ring; row <= cy + ring; ++row) {
        span(cx - next, cx - next, row, visit);
        span(cx + next, cx + next, row, visit);
      }
      span(cx - next, cx + next, cy + next, visit);
    }
  }

 private:
  int64_t cellOf(int64_t units) const {
    return units >= 0 ? units / sideUnits_ : -((sideUnits_ - 1 - units) / sideUnits_);
  }
  size_t bucket(int64_t column, int64_t row) const {
    if (mask_ == 0) return static_cast<size_t>(row * columns_ + column);
    uint64_t h = static_cast<uint64_t>(column) * 0x9e3779b97f4a7c15ULL + static_cast<uint64_t>(row);
    h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9ULL;
    return static_cast<size_t>((h ^ (h >> 32)) & mask_);
  }
  template <typename Visit>
  void span(int64_t from, int64_t to, int64_t row, Visit&& visit) const {
    if (row < 0 || row >= rows_) return;
    from = std::max<int64_t>(from, 0);
    to = std::min(to, columns_ - 1);
    if (from > to) return;
    if (mask_ == 0) {
      const uint32_t begin = begin_[bucket(from, row)];
      const uint32_t end = begin_[bucket(to, row) + 1];
      if (begin < end) visit(begin, end);
      return;
    }
    for (int64_t column = from; column <= to; ++column) {
      const size_t b = bucket(column, row);
      // Cells that share a bucket lie in it one after the other, in the order of their keys.
      const uint64_t wanted = key(column, row);
      uint32_t begin = begin_[b];
      while (begin < begin_[b + 1] && keys_[begin] != wanted) ++begin;
      uint32_t end = begin;
      while (end < begin_[b + 1] && keys_[end] == wanted) ++end;
      if (begin < end) visit(begin, end);
    }
  }
  static uint64_t key(int64_t column, int64_t row) {
    return (static_cast<uint64_t>(row) << 32) | static_cast<uint64_t>(column);
  }
  void choose(std::span<const int32_t> x, std::span<const int32_t> y, double unit);
  void adapt();

  double side_ = 2;
  int64_t sideUnits_ = 1;
  int64_t lowX_ = 0;
  int64_t lowY_ = 0;
  int64_t columns_ = 0;
  int64_t rows_ = 0;
  uint64_t mask_ = 0;  // of a hash table; 0: one bucket per cell
  std::vector<uint32_t> begin_;
  std::vector<uint32_t> order_;
  std::vector<uint32_t> place_;
  std::vector<uint64_t> keys_;  // per slot, only with a hash table
};

}  // namespace wend
