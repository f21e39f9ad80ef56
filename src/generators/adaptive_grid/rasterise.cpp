#include "generators/adaptive_grid/rasterise.h"

#include <algorithm>

#include <fmt/format.h>

#include "geometry/int128.h"

namespace wend::adaptive_grid {
namespace {

constexpr uint8_t kWallInside = 1;
constexpr uint8_t kOneCrossing = 2;
constexpr uint8_t kSeveral = 4;
constexpr uint8_t kFlip = 8;  // from here on the row is on the other side of an edge

int64_t floorDivide(int64_t a, int64_t b) {
  const int64_t q = a / b;
  return q - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
}
int64_t ceilDivide(int64_t a, int64_t b) {
  return -floorDivide(-a, b);
}

class Scan {
 public:
  Scan(std::span<const int32_t> x, std::span<const int32_t> y)
      : x_(x), y_(y), marks_((x.size() - 1) * (y.size() - 1)) {}

  // Marks the pixels that the edge enters; `f` is called with the row from below and the column of each.
  template <typename F>
  void enter(Point a, Point b, F&& f) const {
    if (a.y > b.y) std::swap(a, b);
    const int64_t dx = int64_t{b.x} - a.x;
    const int64_t dy = int64_t{b.y} - a.y;
    // The first row whose upper line is above a, and on until the lower line is not below b.
    auto row = static_cast<size_t>(std::upper_bound(y_.begin() + 1, y_.end(), a.y) - y_.begin()) - 1;
    if (dy == 0 && y_[row] == a.y) return;  // along a line
    for (; row + 1 < y_.size() && (y_[row] < b.y || dy == 0); ++row) {
      // The part of the edge within the row: where it begins and ends, rounded outwards to whole units.
      const int64_t below = std::max(y_[row], a.y);
      const int64_t above = std::min(y_[row + 1], b.y);
      int64_t low = std::min(a.x, b.x);
      int64_t high = std::max(a.x, b.x);
      if (dy > 0) {
        // x = a.x + dx (y - a.y) / dy; the products stay below 2^63.
        const int64_t first = dx * (below - a.y);
        const int64_t last = dx * (above - a.y);
        low = a.x + floorDivide(std::min(first, last), dy);
        high = a.x + ceilDivide(std::max(first, last), dy);
      }
      // A column is entered if its open interval meets the part: its right line is above the low end, its left line
      // below the high end. Rounding outwards does not change that for whole lines.
      auto column = static_cast<size_t>(std::upper_bound(x_.begin() + 1, x_.end(), low) - x_.begin()) - 1;
      if (dx == 0 && column + 1 < x_.size() && x_[column] == low) {
        continue;  // along a line
      }
      for (; column + 1 < x_.size() && (x_[column] < high || (dx == 0 && x_[column] < low)); ++column) f(row, column);
      if (dy == 0) break;
    }
  }

  void enterWall(Point a, Point b) {
    enter(a, b, [&](size_t row, size_t column) { at(row, column) |= kWallInside; });
  }
  void enterConnection(Point a, Point b) {
    enter(a, b, [&](size_t row, size_t column) {
      uint8_t& mark = at(row, column);
      mark |= (mark & kOneCrossing) != 0 ? kSeveral : kOneCrossing;
    });
  }
  // Flips the side of all pixels right of where the edge crosses the middle of rows. Only pixels that no edge enters
  // are asked for, so it is enough to be right for whole pixels.
  void flip(Point a, Point b) {
    if (a.y == b.y) return;
    if (a.y > b.y) std::swap(a, b);
    const int64_t dx = int64_t{b.x} - a.x;
    const int64_t dy = int64_t{b.y} - a.y;
    // Middles doubled: y_[row] + y_[row + 1], from 2 a.y on, below 2 b.y.
    auto row = static_cast<size_t>(std::upper_bound(y_.begin() + 1, y_.end(), a.y) - y_.begin()) - 1;
    for (; row + 1 < y_.size() && y_[row] < b.y; ++row) {
      const int64_t middle = int64_t{y_[row]} + y_[row + 1];
      if (middle < 2 * int64_t{a.y} || middle >= 2 * int64_t{b.y}) continue;
      const Int128 numerator = static_cast<Int128>(dx) * (middle - 2 * int64_t{a.y});
      const Int128 divisor = 2 * static_cast<Int128>(dy);
      Int128 quotient = numerator / divisor;
      if (numerator % divisor > 0) ++quotient;  // rounded up
      const int64_t x = a.x + static_cast<int64_t>(quotient);
      const auto column = static_cast<size_t>(std::lower_bound(x_.begin(), x_.end(), x) - x_.begin());
      if (column + 1 < x_.size()) at(row, column) ^= kFlip;
    }
  }

  uint8_t& at(size_t row, size_t column) { return marks_[row * (x_.size() - 1) + column]; }

 private:
  std::span<const int32_t> x_;
  std::span<const int32_t> y_;
  std::vector<uint8_t> marks_;  // rows from below
};

}  // namespace

std::array<Point, 4> cornersOf(const LayerRaster& raster, const Lines& lines, const GridCluster& box) {
  const int32_t left = lines.x[raster.lineLeft(box.left)];
  const int32_t right = lines.x[raster.lineLeft(box.right) + 1];
  const int32_t low = lines.y[raster.lineBelow(box.bottom)];
  const int32_t high = lines.y[raster.lineBelow(box.top) + 1];
  return {Point{left, low}, {right, low}, {right, high}, {left, high}};
}

std::pair<size_t, size_t> linesAround(std::span<const int32_t> lines, int32_t low, int32_t high) {
  const auto first = std::upper_bound(lines.begin(), lines.end(), low);
  const auto last = std::lower_bound(lines.begin(), lines.end(), high);
  const size_t begin = first == lines.begin() ? 0 : static_cast<size_t>(first - lines.begin()) - 1;
  const size_t end = last == lines.end() ? lines.size() - 1 : static_cast<size_t>(last - lines.begin());
  return {std::min(begin, lines.size() - 2), std::max(end, begin + 1)};
}

Result<LayerRaster> rasterise(const Environment& environment, LayerId layer, const Boundary& boundary,
                              std::span<const uint32_t> twin, const Frame& frame, const Lines& lines) {
  Box box;
  for (const Boundary::Ring& ring : boundary.rings()) {
    if (ring.layer != layer) continue;
    for (uint32_t e = ring.begin; e < ring.end; ++e) box.add(frame.into(boundary.start(e)));
  }
  if (box.empty()) return LayerRaster();
  const auto [firstX, lastX] = linesAround(lines.x, box.min.x, box.max.x);
  const auto [firstY, lastY] = linesAround(lines.y, box.min.y, box.max.y);
  if (lastX - firstX > kMaxGridSide || lastY - firstY > kMaxGridSide) {
    return Error{ErrorCode::kLimit,
                 fmt::format("layer {} has {} x {} pixels, more than {} in a row; choose larger pixels",
                             environment.layers[layer].id, lastX - firstX, lastY - firstY, kMaxGridSide)};
  }
  return rasteriseWindow(layer, boundary, twin, frame, lines,
                         {static_cast<uint32_t>(firstX), static_cast<uint32_t>(lastX), static_cast<uint32_t>(firstY),
                          static_cast<uint32_t>(lastY)});
}

LayerRaster rasteriseWindow(LayerId layer, const Boundary& boundary, std::span<const uint32_t> twin, const Frame& frame,
                            const Lines& lines, const PixelWindow& window) {
  LayerRaster raster;
  raster.firstX = window.firstX;
  raster.firstY = window.firstY;
  NavigableGrid& grid = raster.grid;
  grid.width = window.lastX - window.firstX;
  grid.height = window.lastY - window.firstY;
  Scan scan(std::span(lines.x).subspan(window.firstX, grid.width + 1),
            std::span(lines.y).subspan(window.firstY, grid.height + 1));
  const int32_t left = lines.x[window.firstX];
  const int32_t right = lines.x[window.lastX];
  const int32_t low = lines.y[window.firstY];
  const int32_t high = lines.y[window.lastY];
  std::vector<uint32_t> edges;  // that enter the window
  for (const Boundary::Ring& ring : boundary.rings()) {
    if (ring.layer != layer) continue;
    for (uint32_t e = ring.begin; e < ring.end; ++e) {
      const Point a = frame.into(boundary.start(e));
      const Point b = frame.into(boundary.end(e));
      if (std::max(a.y, b.y) <= low || std::min(a.y, b.y) >= high || std::min(a.x, b.x) >= right) continue;
      scan.flip(a, b);  // also from the left of the window
      if (std::max(a.x, b.x) <= left) continue;
      edges.push_back(e);
      if (twin[e] == kNone) {
        scan.enterWall(a, b);
      } else {
        scan.enterConnection(a, b);
      }
    }
  }
  grid.free.assign(static_cast<size_t>(grid.width) * grid.height, 0);
  for (uint32_t up = 0; up < grid.height; ++up) {
    const uint32_t row = grid.height - 1 - up;
    bool inside = false;
    for (uint32_t column = 0; column < grid.width; ++column) {
      const uint8_t mark = scan.at(up, column);
      if ((mark & kFlip) != 0) inside = !inside;
      const bool entered = (mark & ~kFlip) != 0;
      raster.touched += entered ? 1 : 0;
      grid.free[static_cast<size_t>(row) * grid.width + column] = inside && !entered ? 1 : 0;
    }
  }
  for (const uint32_t e : edges) {
    if (twin[e] == kNone) continue;
    scan.enter(frame.into(boundary.start(e)), frame.into(boundary.end(e)), [&](size_t up, size_t column) {
      if ((scan.at(up, column) & (kWallInside | kOneCrossing | kSeveral)) != kOneCrossing) return;
      raster.crossed.push_back({grid.height - 1 - static_cast<uint32_t>(up), static_cast<uint32_t>(column), e});
    });
  }
  return raster;
}

}  // namespace wend::adaptive_grid
