#include "geometry/growth/growth_space.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "geometry/predicates.h"

namespace wend::growth {
namespace {

// Cells of the index per wall, and at most this many in all: 32 MB.
constexpr double kCellsPerWall = 1.0;
constexpr int64_t kMostCells = int64_t{1} << 22;

int64_t floorDivide(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return quotient - (a < quotient * b ? 1 : 0);
}

bool contains(const Box& box, Point p) {
  return p.x >= box.min.x && p.x <= box.max.x && p.y >= box.min.y && p.y <= box.max.y;
}

bool meets(const Box& a, const Box& b) {
  return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y;
}

// How many edges begin in each vertex; more than one where the boundary touches itself.
// Of the vertices in a window.
std::vector<std::pair<Point, uint32_t>> visits(std::span<const Polygon> polygons, const Box& window) {
  std::vector<Point> points;
  const auto add = [&](const Ring& ring) {
    std::copy_if(ring.begin(), ring.end(), std::back_inserter(points), [&](Point p) { return contains(window, p); });
  };
  for (const Polygon& polygon : polygons) {
    add(polygon.outer);
    for (const Ring& ring : polygon.holes) add(ring);
  }
  std::sort(points.begin(), points.end());
  std::vector<std::pair<Point, uint32_t>> out;
  for (const Point p : points) {
    if (out.empty() || out.back().first != p) out.emplace_back(p, 0);
    ++out.back().second;
  }
  return out;
}

}  // namespace

GrowthSpace::GrowthSpace(std::span<const Polygon> polygons, std::span<const std::pair<Point, Point>> open)
    : GrowthSpace(polygons, open, boundingBox(polygons)) {}

GrowthSpace::GrowthSpace(std::span<const Polygon> polygons, std::span<const std::pair<Point, Point>> open,
                         const Box& window)
    : box_(window) {
  makeWalls(polygons, open);
  makeIndex();
}

void GrowthSpace::makeIndex() {
  const double width = static_cast<double>(box_.max.x) - box_.min.x;
  const double height = static_cast<double>(box_.max.y) - box_.min.y;
  const double wanted = std::clamp(kCellsPerWall * static_cast<double>(walls_.size()), 16.0, double{kMostCells});
  pitch_ = std::max<int64_t>(1, static_cast<int64_t>(std::ceil(std::sqrt(width * height / wanted))));
  pitch_ = std::max(pitch_, static_cast<int64_t>(std::max(width, height) / wanted) + 1);
  columns_ = static_cast<int64_t>(width) / pitch_ + 1;
  rows_ = static_cast<int64_t>(height) / pitch_ + 1;
  regionCells_.resize(static_cast<size_t>(columns_ * rows_));
  wallStamp_.assign(walls_.size(), 0);
  indexWalls();
}

void GrowthSpace::makeWalls(std::span<const Polygon> polygons, std::span<const std::pair<Point, Point>> open) {
  const auto visited = visits(polygons, box_);
  // Outside the window it does not matter.
  const auto isShared = [&](Point p) {
    const auto at = std::lower_bound(visited.begin(), visited.end(), std::pair<Point, uint32_t>(p, 0));
    return at != visited.end() && at->first == p && at->second > 1;
  };
  const auto addRing = [&](const Ring& ring) {
    const size_t n = ring.size();
    if (!meets(boundingBox(std::span<const Point>(ring)), box_)) return;
    const auto continues = [&](size_t i) {  // whether the boundary goes straight on in point i
      const Point a = ring[(i + n - 1) % n];
      const Point b = ring[i];
      const Point c = ring[(i + 1) % n];
      const bool isAhead =
          (int64_t{b.x} - a.x) * (int64_t{c.x} - b.x) >= 0 && (int64_t{b.y} - a.y) * (int64_t{c.y} - b.y) >= 0;
      return orient(a, b, c) == 0 && isAhead && !isShared(b);
    };
    size_t first = 0;
    while (first < n && continues(first)) ++first;
    if (first == n) return;  // no area
    for (size_t k = 0; k < n;) {
      Wall wall;
      wall.from = ring[(first + k) % n];
      do {
        const Point a = ring[(first + k) % n];
        const Point b = ring[(first + k + 1) % n];
        if (std::binary_search(open.begin(), open.end(), std::pair(a, b))) wall.isOpen = true;
        wall.to = b;
        ++k;
      } while (k < n && continues((first + k) % n));
      Box extent;
      extent.add(wall.from);
      extent.add(wall.to);
      if (meets(extent, box_)) walls_.push_back(wall);
    }
  };
  for (const Polygon& polygon : polygons) {
    addRing(polygon.outer);
    for (const Ring& ring : polygon.holes) addRing(ring);
  }
}

GrowthSpace::Cells GrowthSpace::cellsOf(int64_t x0, int64_t y0, int64_t x1, int64_t y1) const {
  const auto column = [&](int64_t x) {
    return std::clamp<int64_t>(floorDivide(x - box_.min.x, pitch_), 0, columns_ - 1);
  };
  const auto row = [&](int64_t y) { return std::clamp<int64_t>(floorDivide(y - box_.min.y, pitch_), 0, rows_ - 1); };
  return {column(x0), column(x1), row(y0), row(y1)};
}

void GrowthSpace::indexWalls() {
  // The cells of a wall, row by row: those between its crossings with the row's two lines.
  const auto forCells = [&](const Wall& wall, auto&& visit) {
    const Point low = wall.from.y <= wall.to.y ? wall.from : wall.to;
    const Point high = wall.from.y <= wall.to.y ? wall.to : wall.from;
    const Cells all = cellsOf(std::min(low.x, high.x), low.y, std::max(low.x, high.x), high.y);
    const int64_t dy = int64_t{high.y} - low.y;
    const int64_t dx = int64_t{high.x} - low.x;
    for (int64_t row = all.row0; row <= all.row1; ++row) {
      int64_t c0 = all.column0;
      int64_t c1 = all.column1;
      if (dy > 0) {
        const int64_t y0 = std::max<int64_t>(low.y, box_.min.y + row * pitch_);
        const int64_t y1 = std::min<int64_t>(high.y, box_.min.y + (row + 1) * pitch_);
        const double a = static_cast<double>(low.x) +
                         static_cast<double>(y0 - low.y) / static_cast<double>(dy) * static_cast<double>(dx);
        const double b = static_cast<double>(low.x) +
                         static_cast<double>(y1 - low.y) / static_cast<double>(dy) * static_cast<double>(dx);
        // One unit covers the rounding of the two crossings.
        const Cells part =
            cellsOf(static_cast<int64_t>(std::min(a, b)) - 1, low.y, static_cast<int64_t>(std::max(a, b)) + 1, low.y);
        c0 = std::max(c0, part.column0);
        c1 = std::min(c1, part.column1);
      }
      for (int64_t column = c0; column <= c1; ++column) visit(static_cast<size_t>(row * columns_ + column));
    }
  };
  wallBegin_.assign(regionCells_.size() + 1, 0);
  for (const Wall& wall : walls_) forCells(wall, [&](size_t cell) { ++wallBegin_[cell + 1]; });
  for (size_t i = 1; i < wallBegin_.size(); ++i) wallBegin_[i] += wallBegin_[i - 1];
  wallCells_.resize(wallBegin_.back());
  std::vector<uint32_t> next(wallBegin_.begin(), wallBegin_.end() - 1);
  for (uint32_t i = 0; i < walls_.size(); ++i) {
    forCells(walls_[i], [&](size_t cell) { wallCells_[next[cell]++] = i; });
  }
}

uint32_t GrowthSpace::addRegion(Region region) {
  const auto id = static_cast<uint32_t>(regions_.size());
  const Limits limits = region.limit;
  regions_.push_back(std::move(region));
  regionStamp_.push_back(0);
  enter(id, limits, true);
  return id;
}

void GrowthSpace::enter(uint32_t region, const Limits& before, bool isNew) {
  const Limits& now = regions_[region].limit;
  const Cells old = cellsOf(before[kLeft], before[kBottom], before[kRight], before[kTop]);
  const Cells all = cellsOf(now[kLeft], now[kBottom], now[kRight], now[kTop]);
  for (int64_t row = all.row0; row <= all.row1; ++row) {
    for (int64_t column = all.column0; column <= all.column1; ++column) {
      const bool isOld = row >= old.row0 && row <= old.row1 && column >= old.column0 && column <= old.column1;
      if (isNew || !isOld) regionCells_[static_cast<size_t>(row * columns_ + column)].push_back(region);
    }
  }
}

void GrowthSpace::collect(const Box& window, std::vector<uint32_t>& walls, std::vector<uint32_t>& regions) {
  walls.clear();
  regions.clear();
  ++stamp_;
  const Cells cells = cellsOf(window.min.x, window.min.y, window.max.x, window.max.y);
  for (int64_t row = cells.row0; row <= cells.row1; ++row) {
    for (int64_t column = cells.column0; column <= cells.column1; ++column) {
      const auto cell = static_cast<size_t>(row * columns_ + column);
      for (uint32_t i = wallBegin_[cell]; i < wallBegin_[cell + 1]; ++i) {
        const uint32_t wall = wallCells_[i];
        if (wallStamp_[wall] == stamp_) continue;
        wallStamp_[wall] = stamp_;
        const Wall& w = walls_[wall];
        if (std::max(w.from.x, w.to.x) < window.min.x || std::min(w.from.x, w.to.x) > window.max.x ||
            std::max(w.from.y, w.to.y) < window.min.y || std::min(w.from.y, w.to.y) > window.max.y) {
          continue;
        }
        walls.push_back(wall);
      }
      for (const uint32_t region : regionCells_[cell]) {
        if (regionStamp_[region] == stamp_) continue;
        regionStamp_[region] = stamp_;
        const Limits& limit = regions_[region].limit;
        if (limit[kRight] < window.min.x || limit[kLeft] > window.max.x || limit[kTop] < window.min.y ||
            limit[kBottom] > window.max.y) {
          continue;
        }
        regions.push_back(region);
      }
    }
  }
}

}  // namespace wend::growth
