#include "generators/scan_lines.h"

#include <algorithm>

#include "geometry/int128.h"

namespace wend {
namespace {

Int128 ceilDivide(Int128 a, Int128 b) {
  const Int128 quotient = a / b;
  return quotient + (a > quotient * b ? 1 : 0);
}

class Scan {
 public:
  Scan(const SquareRaster& raster, bool transposed) : raster_(raster), transposed_(transposed) {
    if (transposed) std::swap(raster_.origin.x, raster_.origin.y);
    if (transposed) std::swap(raster_.columns, raster_.rows);
  }

  void addRing(const Ring& ring) {
    for (size_t i = 0; i < ring.size(); ++i) addEdge(ring[i], ring[i + 1 == ring.size() ? 0 : i + 1]);
  }

  std::vector<RowCrossing> take() {
    std::sort(crossings_.begin(), crossings_.end());
    return std::move(crossings_);
  }

 private:
  // In doubled coordinates relative to the origin, row j's centre line is at (2 j + 1) side.
  void addEdge(Point a, Point b) {
    if (transposed_) {
      std::swap(a.x, a.y);
      std::swap(b.x, b.y);
    }
    if (a.y == b.y) return;
    if (a.y > b.y) std::swap(a, b);
    const int64_t side = raster_.side;
    const int64_t low = 2 * (static_cast<int64_t>(a.y) - raster_.origin.y);
    const int64_t high = 2 * (static_cast<int64_t>(b.y) - raster_.origin.y);
    const int64_t x = 2 * (static_cast<int64_t>(a.x) - raster_.origin.x);
    const int64_t dx = static_cast<int64_t>(b.x) - a.x;
    const int64_t dy = static_cast<int64_t>(b.y) - a.y;
    const auto first = static_cast<int64_t>(ceilDivide(static_cast<Int128>(low) - side, 2 * side));
    for (int64_t row = std::max<int64_t>(first, 0); row < raster_.rows; ++row) {
      const int64_t line = (2 * row + 1) * side;
      if (line >= high) break;
      const Int128 past = static_cast<Int128>(x - side) * dy + static_cast<Int128>(line - low) * dx;
      const auto column = static_cast<int64_t>(ceilDivide(past, static_cast<Int128>(2 * side) * dy));
      crossings_.push_back(
          {static_cast<int32_t>(row), static_cast<int32_t>(std::clamp<int64_t>(column, 0, raster_.columns))});
    }
  }

  SquareRaster raster_;
  bool transposed_;
  std::vector<RowCrossing> crossings_;
};

}  // namespace

std::vector<RowCrossing> scanRows(std::span<const Polygon> polygons, const SquareRaster& raster, bool transposed) {
  Scan scan(raster, transposed);
  for (const Polygon& polygon : polygons) {
    scan.addRing(polygon.outer);
    for (const Ring& ring : polygon.holes) scan.addRing(ring);
  }
  return scan.take();
}

}  // namespace wend
