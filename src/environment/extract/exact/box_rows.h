#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include <wend/context.h>
#include <wend/polygon.h>

// Which items lie in a box in space? Items of about the same size are kept in rows as high as they are, each sorted
// from west to east, so that crowded places cost no more than others. Built once in O(n log n), read by any thread.
namespace wend::exact {

class BoxRows {
 public:
  struct Extent {
    Box box;  // in top view
    int32_t low = 0;
    int32_t high = 1;
  };

  BoxRows() = default;
  explicit BoxRows(std::span<const Extent> extents, const Context* context = nullptr);

  // Calls visit(item) once for every item whose box meets the open box and whose heights meet (low, high).
  template <typename Visit>
  void forEach(const Box& box, double low, double high, Visit&& visit) const {
    const int32_t above = wholeFloor(low);
    const int32_t below = -wholeFloor(-high);
    for (const Level& level : levels_) {
      if (box.min.y >= level.south + (int64_t{level.rows} << level.shift) || box.max.y <= level.south) continue;
      const uint32_t first = level.row(box.min.y);
      const uint32_t last = level.row(box.max.y);
      const int64_t west = int64_t{box.min.x} - level.widest;
      for (uint32_t r = first; r <= last; ++r) {
        const Entry* const end = entries_.data() + begin_[level.firstRow + r + 1];
        const Entry* e = firstFrom(entries_.data() + begin_[level.firstRow + r], end, west);
        for (; e != end && e->minX < box.max.x; ++e) {
          // One branch: the processor cannot guess which of them fails.
          const bool meets = ((e->maxX > box.min.x) & (e->minY < box.max.y) & (e->maxY > box.min.y) & (e->low < below) &
                              (e->high > above)) != 0;
          // In the first row that both share.
          if (meets && (r == first || level.row(e->minY) == r)) {
            visit(e->item);
          }
        }
      }
    }
  }
  template <typename Visit>
  void forEach(const Box& box, Visit&& visit) const {
    forEach(box, -INFINITY, INFINITY, visit);
  }

  // Whole heights a little beyond the true ones, for extents.
  static int32_t wholeBelow(double z) { return static_cast<int32_t>(std::clamp(z, -kFar, kFar)) - 1; }
  static int32_t wholeAbove(double z) { return static_cast<int32_t>(std::clamp(z, -kFar, kFar)) + 1; }

 private:
  static constexpr double kFar = 2e9;

  struct Entry {
    int32_t minX, maxX, minY, maxY, low, high;
    uint32_t item;
  };
  // The rows of items of one size.
  struct Level {
    int64_t south = 0;
    int shift = 0;  // rows are 2^shift units high
    uint32_t rows = 0;
    uint32_t firstRow = 0;  // into begin_
    int64_t widest = 0;

    uint32_t row(int32_t y) const {
      return y <= south ? 0 : std::min(static_cast<uint32_t>((y - south) >> shift), rows - 1);
    }
  };

  // std::lower_bound without branches, which would be guessed wrong half of the time.
  static const Entry* firstFrom(const Entry* first, const Entry* end, int64_t x) {
    auto count = static_cast<size_t>(end - first);
    while (count > 1) {
      const size_t half = count / 2;
      first += first[half - 1].minX < x ? half : 0;
      count -= half;
    }
    return first + (count == 1 && first->minX < x ? 1 : 0);
  }

  static int32_t wholeFloor(double z) {
    z = std::clamp(z, -kFar, kFar);
    const auto whole = static_cast<int32_t>(z);
    return whole > z ? whole - 1 : whole;
  }

  std::vector<Level> levels_;
  std::vector<uint32_t> begin_;  // of each row, into entries_
  std::vector<Entry> entries_;   // by row, then from west to east
};

}  // namespace wend::exact
