#include "generators/adaptive_grid/frame.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace wend::adaptive_grid {
namespace {

constexpr int64_t kMostLines = int64_t{1} << 20;
constexpr int32_t kRounding = 1;  // lattice units
constexpr size_t kBins = 360;     // of a quarter turn

template <typename F>
void eachEdge(const Environment& environment, F&& f) {
  const auto walk = [&](const Ring& ring) {
    for (size_t i = 0; i < ring.size(); ++i) f(ring[i], ring[i + 1 == ring.size() ? 0 : i + 1]);
  };
  for (const Layer& layer : environment.layers) {
    for (const Polygon& polygon : layer.free) {
      walk(polygon.outer);
      for (const Ring& hole : polygon.holes) walk(hole);
    }
  }
}

std::vector<int32_t> lines(int32_t low, int32_t high, double pixel) {
  const auto count = static_cast<int64_t>(std::max(1.0, std::ceil((double{1} * high - low - kRounding) / pixel)));
  std::vector<int32_t> result;
  for (int64_t i = 0; i <= count; ++i) {
    const double at = low + std::round(static_cast<double>(i) * pixel);
    result.push_back(static_cast<int32_t>(std::min(at, double{1} * kMaxCoordinate)));
  }
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

void moveOnto(std::vector<int32_t>& lines, int32_t at) {
  auto near = std::lower_bound(lines.begin(), lines.end(), at);
  if (near == lines.end() || (near != lines.begin() && *near - at > at - *std::prev(near))) --near;
  if (std::abs(int64_t{*near} - at) <= kRounding) *near = at;
}

}  // namespace

Point Frame::into(Point p) const {
  if (!turned()) return p;
  return into(toVec2(p));
}

Point Frame::into(Vec2 p) const {
  return {static_cast<int32_t>(std::lround(p.x * along.x + p.y * along.y)),
          static_cast<int32_t>(std::lround(p.y * along.x - p.x * along.y))};
}

Vec2 Frame::back(Point p) const {
  const Vec2 q = toVec2(p);
  if (!turned()) return q;
  return {q.x * along.x - q.y * along.y, q.x * along.y + q.y * along.x};
}

Vec2 dominantDirection(const Environment& environment) {
  struct Bin {
    double total = 0;
    double longest = 0;
    Vec2 direction{1, 0};
  };
  std::array<Bin, kBins> bins;
  eachEdge(environment, [&](Point a, Point b) {
    Vec2 d{double{1} * b.x - a.x, double{1} * b.y - a.y};
    // Into the first quadrant, by quarter turns.
    while (!(d.x > 0 && d.y >= 0)) {
      if (d.x == 0 && d.y == 0) return;
      d = {d.y, -d.x};
    }
    const double size = std::sqrt(d.x * d.x + d.y * d.y);
    // Grows with the angle; half a bin is added so that edges along the axes share one bin.
    const double turn = d.y / (d.x + d.y) * kBins + 0.5;
    Bin& bin = bins[static_cast<size_t>(turn) % kBins];
    bin.total += size;
    if (size <= bin.longest) return;
    bin.longest = size;
    // Near the vertical axis the nearest quarter turn is the one before.
    const Vec2 unit{d.x / size, d.y / size};
    bin.direction = unit.y > unit.x ? Vec2{unit.y, -unit.x} : unit;
  });
  const auto best =
      std::max_element(bins.begin(), bins.end(), [](const Bin& a, const Bin& b) { return a.total < b.total; });
  return best->total > 0 ? best->direction : Vec2{1, 0};
}

Result<Lines> linesOver(const Environment& environment, const Frame& frame, double pixel) {
  Box box;
  eachEdge(environment, [&](Point a, Point) { box.add(frame.into(a)); });
  const double widest = std::max(double{1} * box.max.x - box.min.x, double{1} * box.max.y - box.min.y);
  if (widest / pixel > static_cast<double>(kMostLines)) {
    return Error{ErrorCode::kLimit, fmt::format("pixels of {:g} m would be more than {} in a row; choose larger ones",
                                                pixel * environment.lattice.unit, kMostLines)};
  }
  Lines result{lines(box.min.x, box.max.x, pixel), lines(box.min.y, box.max.y, pixel)};
  eachEdge(environment, [&](Point from, Point to) {
    const Point a = frame.into(from);
    const Point b = frame.into(to);
    if (a.x == b.x) moveOnto(result.x, a.x);
    if (a.y == b.y) moveOnto(result.y, a.y);
  });
  return result;
}

}  // namespace wend::adaptive_grid
