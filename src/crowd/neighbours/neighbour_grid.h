#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

// The agents near a place: a uniform grid over the agents in top view, built anew each step by a stable counting sort,
// so that the agents of a cell (and of the cells of a row) lie beside each other in memory. Positions are lattice
// coordinates: distances are exact, wherever the world lies.
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
    for (int32_t row = c.row - 1; row <= c.row + 1; ++row) span(c.column - 1, c.column + 1, row, add);
    return count;
  }
  // Calls visit(begin, end) with ranges of slots: those of the cells that a disk of that radius (lattice units) around
  // a place reaches, as far as they matter. Some agents outside may be among them.
  template <typename Visit>
  void disk(int32_t x, int32_t y, float radius, const Facing& facing, Visit&& visit) const {
    if (order_.empty()) return;
    const Cell c = cellAt(x, y);
    const auto side = static_cast<float>(sideUnits_);
    const float inverse = 1 / side;
    // More than all roundings of a query.
    const float slack = 2 + 1e-4F * side;
    const float reach = 1.00001F * radius + slack;
    constexpr float kFlat = 1e-3F;  // rows are cut too far away to matter
    const float perX = facing.x > kFlat || facing.x < -kFlat ? 1 / facing.x : 0;
    const float behind = facing.behind + slack;
    // Several rows at a time, so that they share vector instructions.
    constexpr int32_t kRows = 8;
    const int32_t last = wholeCells((c.y + reach) * inverse);
    for (int32_t base = wholeCells((c.y - reach) * inverse); base <= last; base += kRows) {
      std::array<int32_t, kRows> from;
      std::array<int32_t, kRows> to;
      for (int32_t k = 0; k < kRows; ++k) {
        // The part of the row that reaches into the disk.
        const float low = static_cast<float>(base + k) * side - c.y;
        const float high = low + side;
        float off = low > -high ? low : -high;
        off = off > 0 ? off : 0;
        const float rest = reach * reach - off * off;
        const float half = std::sqrt(rest > 0 ? rest : 0) + slack;
        // And into the half plane: the most that the row's height adds to the product decides.
        const float gain = facing.y * (facing.y > 0 ? high : low);
        const float cut = (-behind - gain) * perX;
        const float left = perX > 0 && cut > -half ? cut : -half;
        const float right = perX < 0 && cut < half ? cut : half;
        from[k] = wholeCells((c.x + left) * inverse);
        to[k] = left <= right ? wholeCells((c.x + right) * inverse) : -2 * kFar;
      }
      const int32_t rows = std::min(kRows, last - base + 1);
      for (int32_t k = 0; k < rows; ++k) span(c.column + from[k], c.column + to[k], c.row + base + k, visit);
    }
  }
  int64_t sideUnits() const { return sideUnits_; }

 private:
  int32_t cellOf(int64_t units) const {
    const double cells = static_cast<double>(units) * perUnit_;
    const auto down = static_cast<int32_t>(cells);
    return cells < down ? down - 1 : down;
  }
  // Downwards, for the few cells around a place: std::floor is a call.
  static constexpr int32_t kFar = 64;
  static int32_t wholeCells(float cells) {
    constexpr auto kEdge = static_cast<float>(kFar);
    cells = cells < kEdge ? cells : kEdge;
    cells = cells > -kEdge ? cells : -kEdge;
    return static_cast<int32_t>(cells + kEdge) - kFar;
  }
  size_t bucket(int64_t column, int64_t row) const {
    if (mask_ == 0) return static_cast<size_t>(row * columns_ + column);
    uint64_t h = static_cast<uint64_t>(column) * 0x9e3779b97f4a7c15ULL + static_cast<uint64_t>(row);
    h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9ULL;
    return static_cast<size_t>((h ^ (h >> 32)) & mask_);
  }
  struct Cell {
    int32_t column;
    int32_t row;
    float x;  // of the place in its cell, lattice units
    float y;
  };
  Cell cellAt(int32_t x, int32_t y) const {
    const int64_t dx = x - lowX_;
    const int64_t dy = y - lowY_;
    Cell c{cellOf(dx), cellOf(dy), 0, 0};
    c.x = static_cast<float>(dx - c.column * sideUnits_);
    c.y = static_cast<float>(dy - c.row * sideUnits_);
    return c;
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
  double perUnit_ = 1;  // cells per lattice unit
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
