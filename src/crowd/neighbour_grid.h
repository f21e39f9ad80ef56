#pragma once

#include <algorithm>
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

  // Half plane of places that matter: direction . (place - own) > -behind, lattice units; all of them for no direction.
  struct Facing {
    float x = 0;
    float y = 0;
    float behind = 0;
  };

  // Agents in the cell of a place and the eight around it: a measure of how far to look.
  uint32_t countAround(int32_t x, int32_t y) const {
    uint32_t count = 0;
    const auto add = [&](uint32_t begin, uint32_t end) { count += end - begin; };
    const Cell c = cellAt(x, y);
    for (int64_t row = c.row - 1; row <= c.row + 1; ++row) span(c.column - 1, c.column + 1, row, add);
    return count;
  }
  // Calls visit(begin, end) with ranges of slots: the square of cells up to `rings` around the cell of a place, as far
  // as it matters. Some agents outside may be among them. Returns the distance within which nobody was left out.
  template <typename Visit>
  double square(int32_t x, int32_t y, int64_t rings, const Facing& facing, Visit&& visit) const {
    if (order_.empty()) return 0;
    const Cell c = cellAt(x, y);
    for (int64_t row = c.row - rings; row <= c.row + rings; ++row) {
      clipped(c, c.column - rings, c.column + rings, row, facing, visit);
    }
    return static_cast<double>(rings * sideUnits_ + c.inner);
  }
  // The same for the cells of one ring; false if all cells of the grid lie inside it.
  template <typename Visit>
  bool ring(int32_t x, int32_t y, int64_t ring, const Facing& facing, Visit&& visit) const {
    const Cell c = cellAt(x, y);
    const int64_t last = std::max(std::max(c.column, columns_ - 1 - c.column), std::max(c.row, rows_ - 1 - c.row));
    if (ring > last) return false;
    clipped(c, c.column - ring, c.column + ring, c.row - ring, facing, visit);
    for (int64_t row = c.row - ring + 1; row < c.row + ring; ++row) {
      clipped(c, c.column - ring, c.column - ring, row, facing, visit);
      clipped(c, c.column + ring, c.column + ring, row, facing, visit);
    }
    clipped(c, c.column - ring, c.column + ring, c.row + ring, facing, visit);
    return true;
  }
  int64_t sideUnits() const { return sideUnits_; }

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
  struct Cell {
    int64_t column;
    int64_t row;
    int64_t x;  // of the place in its cell, lattice units
    int64_t y;
    int64_t inner;  // from the place to the border of its cell
  };
  Cell cellAt(int32_t x, int32_t y) const {
    Cell c{cellOf(x - lowX_), cellOf(y - lowY_), 0, 0, 0};
    c.x = x - lowX_ - c.column * sideUnits_;
    c.y = y - lowY_ - c.row * sideUnits_;
    c.inner = std::min(std::min(c.x, sideUnits_ - c.x), std::min(c.y, sideUnits_ - c.y));
    return c;
  }
  // The part of a row of cells that reaches into the half plane.
  template <typename Visit>
  void clipped(const Cell& c, int64_t from, int64_t to, int64_t row, const Facing& facing, Visit&& visit) const {
    const auto side = static_cast<float>(sideUnits_);
    const float low = static_cast<float>(row - c.row) * side - static_cast<float>(c.y);
    // The most that the row's height adds to the product.
    const float gain = facing.y > 0 ? facing.y * (low + side) : facing.y * low;
    const float need = -facing.behind - gain;
    constexpr float kFlat = 1e-3F;  // such rows are cut too far away to matter
    if (facing.x > kFlat) {
      const float first = std::floor((need / facing.x + static_cast<float>(c.x)) / side);
      if (first > static_cast<float>(from - c.column)) from = c.column + static_cast<int64_t>(std::min(first, kFar));
    } else if (facing.x < -kFlat) {
      const float last = std::floor((need / facing.x + static_cast<float>(c.x)) / side);
      if (last < static_cast<float>(to - c.column)) to = c.column + static_cast<int64_t>(std::max(last, -kFar));
    }
    span(from, to, row, visit);
  }
  static constexpr float kFar = 1e6F;
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
