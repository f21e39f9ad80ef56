#include "environment/extract/exact/box_rows.h"

#include <array>
#include <bit>
#include <limits>

#include "base/parallel.h"

namespace wend::exact {
namespace {

// Fewer items than this are not worth rows of their own.
constexpr uint32_t kFewItems = 128;
constexpr size_t kClasses = 17;
constexpr size_t kBlock = 16;

// Each class holds sizes up to four times those of the one before.
size_t classOf(const Box& box) {
  const int64_t size = std::max(int64_t{box.max.x} - box.min.x, int64_t{box.max.y} - box.min.y);
  return static_cast<size_t>(std::bit_width(static_cast<uint64_t>(std::max<int64_t>(size, 0))) + 1) / 2;
}

}  // namespace

BoxRows::BoxRows(std::span<const Extent> extents, const Context* context) {
  if (extents.empty()) return;
  struct Class {
    uint32_t count = 0;
    int64_t south = std::numeric_limits<int64_t>::max();
    int64_t north = std::numeric_limits<int64_t>::min();
    int64_t widest = 0;
    size_t level = 0;
  };
  std::array<Class, kClasses> classes;
  for (const Extent& e : extents) {
    Class& c = classes[classOf(e.box)];
    ++c.count;
    c.south = std::min<int64_t>(c.south, e.box.min.y);
    c.north = std::max<int64_t>(c.north, e.box.max.y);
    c.widest = std::max(c.widest, int64_t{e.box.max.x} - e.box.min.x);
  }
  // A small class joins the next larger one.
  size_t last = kClasses - 1;
  while (classes[last].count == 0) --last;
  Class joined;
  uint32_t rows = 0;
  for (size_t c = 0, first = 0; c <= last; ++c) {
    joined.count += classes[c].count;
    joined.south = std::min(joined.south, classes[c].south);
    joined.north = std::max(joined.north, classes[c].north);
    joined.widest = std::max(joined.widest, classes[c].widest);
    if (joined.count < kFewItems && c < last) continue;
    for (; first <= c; ++first) classes[first].level = levels_.size();
    Level& level = levels_.emplace_back();
    level.south = joined.south;
    level.widest = joined.widest;
    level.shift = static_cast<int>(2 * c);
    // Not many more rows than items.
    while (((joined.north - joined.south) >> level.shift) > 4 * int64_t{joined.count}) ++level.shift;
    level.rows = static_cast<uint32_t>((joined.north - joined.south) >> level.shift) + 1;
    level.firstRow = rows;
    rows += level.rows;
    joined = {};
  }
  // Counted two places on, so that filling leaves each beginning in its own place.
  begin_.assign(size_t{rows} + 2, 0);
  const auto forRows = [&](const Extent& e, auto&& body) {
    const Level& level = levels_[classes[classOf(e.box)].level];
    const uint32_t to = level.row(e.box.max.y);
    for (uint32_t r = level.row(e.box.min.y); r <= to; ++r) body(level.firstRow + r);
  };
  for (const Extent& e : extents) forRows(e, [&](uint32_t r) { ++begin_[r + 2]; });
  for (size_t i = 2; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  entries_.resize(begin_.back());
  for (uint32_t i = 0; i < extents.size(); ++i) {
    const Extent& e = extents[i];
    forRows(e, [&](uint32_t r) {
      entries_[begin_[r + 1]++] = {e.box.min.x, e.box.max.x, e.box.min.y, e.box.max.y, e.low, e.high, i};
    });
  }
  const auto sortRows = [&](size_t from, size_t to) {
    for (size_t r = from; r < to; ++r) {
      std::sort(entries_.begin() + begin_[r], entries_.begin() + begin_[r + 1],
                [](const Entry& p, const Entry& q) { return p.minX != q.minX ? p.minX < q.minX : p.item < q.item; });
    }
  };
  if (context == nullptr) {
    sortRows(0, rows);
  } else {
    parallelBlocks(rows, kBlock, *context, sortRows);
  }
}

}  // namespace wend::exact
