#include "environment/make/cell_plan.h"

#include <algorithm>

#include "geometry/area.h"

namespace wend::make {

namespace {

// Directions of travel, counter-clockwise: east, north, west, south.
constexpr int kStepX[4] = {1, 0, -1, 0};
constexpr int kStepY[4] = {0, 1, 0, -1};

class Tracer {
 public:
  Tracer(const std::vector<int32_t>& xs, const std::vector<int32_t>& ys, const std::vector<uint8_t>& free,
         const std::vector<Point>& kept)
      : xs_(xs),
        ys_(ys),
        free_(free),
        kept_(kept),
        columns_(static_cast<int>(xs.size()) - 1),
        rows_(static_cast<int>(ys.size()) - 1) {}

  CellPlan::Traced run() {
    label();
    walked_.assign(static_cast<size_t>(columns_) * rows_ * 4, 0);
    for (int j = 0; j < rows_; ++j) {
      for (int i = 0; i < columns_; ++i) {
        for (int side = 0; side < 4; ++side) walkFrom(i, j, side);
      }
    }
    return std::move(traced_);
  }

 private:
  bool isFree(int i, int j) const { return i >= 0 && j >= 0 && i < columns_ && j < rows_ && free_[index(i, j)] != 0; }
  size_t index(int i, int j) const { return static_cast<size_t>(j) * columns_ + i; }

  // Rooms of cells that share sides, in the order of their first cell.
  void label() {
    label_.assign(free_.size(), kNone);
    std::vector<std::pair<int, int>> stack;
    for (int j = 0; j < rows_; ++j) {
      for (int i = 0; i < columns_; ++i) {
        if (!isFree(i, j)) continue;
        traced_.doubledArea += 2 * static_cast<Int128>(xs_[i + 1] - xs_[i]) * (ys_[j + 1] - ys_[j]);
        if (label_[index(i, j)] != kNone) continue;
        const auto room = static_cast<uint32_t>(traced_.polygons.size());
        traced_.polygons.emplace_back();
        label_[index(i, j)] = room;
        stack.assign(1, {i, j});
        while (!stack.empty()) {
          const auto [a, b] = stack.back();
          stack.pop_back();
          for (int d = 0; d < 4; ++d) {
            const int c = a + kStepX[d];
            const int e = b + kStepY[d];
            if (!isFree(c, e) || label_[index(c, e)] != kNone) continue;
            label_[index(c, e)] = room;
            stack.emplace_back(c, e);
          }
        }
      }
    }
  }

  // Side d of a cell is walked in direction d with the cell on the left: side 0 is its south side.
  bool isWall(int i, int j, int side) const {
    const int out = (side + 3) % 4;
    return isFree(i, j) && !isFree(i + kStepX[out], j + kStepY[out]);
  }

  void walkFrom(int i0, int j0, int side0) {
    if (!isWall(i0, j0, side0) || walked_[index(i0, j0) * 4 + side0] != 0) return;
    Ring ring;
    int i = i0;
    int j = j0;
    int side = side0;
    do {
      walked_[index(i, j) * 4 + side] = 1;
      const Point end = corner(i, j, side);
      // Left around this cell first: where free cells meet in a corner only, the walk stays with its own cell.
      const int left = (side + 1) % 4;
      int next = side;
      if (isWall(i, j, left)) {
        next = left;
      } else {
        const int ai = i + kStepX[side];
        const int aj = j + kStepY[side];
        i = ai;
        j = aj;
        if (!isWall(i, j, side)) {
          const int right = (side + 3) % 4;
          i += kStepX[right];
          j += kStepY[right];
          next = right;
        }
      }
      if (next != side || std::binary_search(kept_.begin(), kept_.end(), end)) ring.push_back(end);
      side = next;
    } while (i != i0 || j != j0 || side != side0);
    Polygon& polygon = traced_.polygons[label_[index(i0, j0)]];
    if (doubledArea(ring) > 0) {
      polygon.outer = std::move(ring);
    } else {
      polygon.holes.push_back(std::move(ring));
    }
  }

  Point corner(int i, int j, int side) const {
    return {xs_[side == 0 || side == 1 ? i + 1 : i], ys_[side == 1 || side == 2 ? j + 1 : j]};
  }

  const std::vector<int32_t>& xs_;
  const std::vector<int32_t>& ys_;
  const std::vector<uint8_t>& free_;
  const std::vector<Point>& kept_;
  int columns_;
  int rows_;
  std::vector<uint32_t> label_;
  std::vector<uint8_t> walked_;
  CellPlan::Traced traced_;
};

void sortUnique(std::vector<int32_t>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

size_t indexOf(const std::vector<int32_t>& values, int32_t value) {
  return static_cast<size_t>(std::lower_bound(values.begin(), values.end(), value) - values.begin());
}

}  // namespace

CellPlan::Traced traceCells(const std::vector<int32_t>& xs, const std::vector<int32_t>& ys,
                            const std::vector<uint8_t>& free, const std::vector<Point>& kept) {
  return Tracer(xs, ys, free, kept).run();
}

CellPlan::Traced CellPlan::trace() const {
  std::vector<int32_t> xs;
  std::vector<int32_t> ys;
  for (const Stroke& stroke : strokes_) {
    xs.insert(xs.end(), {stroke.r.x0, stroke.r.x1});
    ys.insert(ys.end(), {stroke.r.y0, stroke.r.y1});
  }
  for (const Point p : kept_) {
    xs.push_back(p.x);
    ys.push_back(p.y);
  }
  if (xs.empty()) return {};
  sortUnique(xs);
  sortUnique(ys);
  const size_t columns = xs.size() - 1;
  std::vector<uint8_t> cells(columns * (ys.size() - 1), 0);
  for (const Stroke& stroke : strokes_) {
    const size_t i0 = indexOf(xs, stroke.r.x0);
    const size_t i1 = indexOf(xs, stroke.r.x1);
    const size_t j1 = indexOf(ys, stroke.r.y1);
    for (size_t j = indexOf(ys, stroke.r.y0); j < j1; ++j) {
      std::fill(cells.begin() + static_cast<std::ptrdiff_t>(j * columns + i0),
                cells.begin() + static_cast<std::ptrdiff_t>(j * columns + i1), stroke.free ? 1 : 0);
    }
  }
  std::vector<Point> kept = kept_;
  std::sort(kept.begin(), kept.end());
  return traceCells(xs, ys, cells, kept);
}

}  // namespace wend::make
