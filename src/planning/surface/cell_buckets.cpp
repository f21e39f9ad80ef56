#include "planning/surface/cell_buckets.h"

#include "planning/clearance/near_walls.h"

namespace wend {
namespace {

constexpr int64_t kMostRows = 2048;

}  // namespace

// The buckets that the cell's polygon reaches into, row by row: of a long sliver not those of its whole box.
template <typename Add>
void CellBuckets::forBuckets(const NavMesh& mesh, CellId cell, const Add& add) const {
  double low = HUGE_VAL;
  double high = -HUGE_VAL;
  for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
    low = std::min(low, sideStart(mesh, s).y);
    high = std::max(high, sideStart(mesh, s).y);
  }
  for (int64_t row = rowOf(low); row <= rowOf(high); ++row) {
    // The outer rows hold what rounding puts beside the grid.
    const double bottom = row == 0 ? -HUGE_VAL : low_.y + static_cast<double>(row) * size_;
    const double top = row + 1 == rows_ ? HUGE_VAL : low_.y + static_cast<double>(row + 1) * size_;
    double left = HUGE_VAL;
    double right = -HUGE_VAL;
    const auto consider = [&](double x) {
      left = std::min(left, x);
      right = std::max(right, x);
    };
    for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
      const Vec2 a = sideStart(mesh, s);
      const Vec2 b = sideEnd(mesh, s);
      if (a.y >= bottom && a.y <= top) consider(a.x);
      for (const double y : {bottom, top}) {
        if ((a.y < y) != (b.y < y)) consider(a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x));
      }
    }
    if (!(left <= right)) continue;
    for (int64_t column = columnOf(left); column <= columnOf(right); ++column) {
      add(static_cast<size_t>(row * columns_ + column));
    }
  }
}

CellBuckets::CellBuckets(const NavMesh& mesh) : cells_(mesh.cellCount()) {
  begin_.assign(2, 0);
  if (cells_ == 0) return;
  Vec2 high{-HUGE_VAL, -HUGE_VAL};
  low_ = {HUGE_VAL, HUGE_VAL};
  for (VertexId v = 0; v < mesh.vertexCount(); ++v) {
    const Vec2 p = mesh.vertex(v);
    low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  const Vec2 extent = high - low_;
  size_ = std::max({std::sqrt(extent.x * extent.y / static_cast<double>(cells_)),
                    extent.x / static_cast<double>(kMostRows), extent.y / static_cast<double>(kMostRows), 1.0});
  columns_ = std::max<int64_t>(1, static_cast<int64_t>(std::ceil(extent.x / size_)));
  rows_ = std::max<int64_t>(1, static_cast<int64_t>(std::ceil(extent.y / size_)));
  begin_.assign(static_cast<size_t>(columns_ * rows_) + 1, 0);
  for (CellId cell = 0; cell < cells_; ++cell) forBuckets(mesh, cell, [&](size_t bucket) { ++begin_[bucket + 1]; });
  for (size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  entries_.resize(begin_.back());
  std::vector<uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (CellId cell = 0; cell < cells_; ++cell) {
    forBuckets(mesh, cell, [&](size_t bucket) { entries_[next[bucket]++] = cell; });
  }
}

}  // namespace wend
