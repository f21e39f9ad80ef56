#include "environment/extract/exact/free_space/covered_cells.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace wend::exact {
namespace {

// So many facets are looked at: those with the largest triangles come first.
constexpr size_t kMostCovers = 1024;
constexpr int32_t kMostColumns = 512;
// A floor that is not so many cells wide and deep hides little.
constexpr double kLeastCells = 3;
constexpr double kLeastCell = 0.01;  // m
// Lines this near to a cell pass it. Cells.
constexpr double kNearCell = 1e-6;

// Bits from one column to another, both included, in a row.
template <typename Change>
void forBits(uint64_t* row, int32_t first, int32_t last, const Change& change) {
  for (int32_t word = first / 64; word <= last / 64; ++word) {
    uint64_t mask = ~uint64_t{0};
    if (word == first / 64) mask &= ~uint64_t{0} << (first % 64);
    if (word == last / 64) mask &= ~uint64_t{0} >> (63 - last % 64);
    change(row[word], mask);
  }
}

}  // namespace

bool CoveredCells::begin(uint32_t id) {
  const Facet& facet = facets_.list[id];
  for (const uint32_t cover : covers_) marks_[cover] = 0;
  covers_.clear();
  bool laidOut = false;
  for (uint32_t i = 0; i < std::min(kMostCovers, facets_.list.size()); ++i) {
    const Facet& other = facets_.list[i];
    if (i == id || other.riser || !overlap(facet.box, other.box) || !liesAbove(facet, other)) continue;
    if (!laidOut) layOut(facet.box);
    laidOut = true;
    if (!isLarge(other) || hide(other.box)) continue;
    covers_.push_back(i);
    draw(other);
  }
  if (covers_.empty()) return false;
  marks_.resize(facets_.list.size(), 0);
  for (const uint32_t cover : covers_) marks_[cover] = 1;
  return true;
}

// Whether all of a floor covers whatever of the facet lies beneath it.
bool CoveredCells::liesAbove(const Facet& facet, const Facet& other) const {
  const Box& box = other.box;
  const double low = tol_.contact + 1;
  const double high = tol_.height - tol_.contact - 1;
  if (other.low - facet.high > high || other.high - facet.low < low) return false;
  const std::array<Point, 4> corners{box.min, {box.max.x, box.min.y}, box.max, {box.min.x, box.max.y}};
  return std::all_of(corners.begin(), corners.end(), [&](Point p) {
    const double d = other.plane.at(p) - facet.plane.at(p);
    return d > low && d < high;
  });
}

bool CoveredCells::isLarge(const Facet& facet) const {
  return std::min(double(facet.box.max.x) - facet.box.min.x, double(facet.box.max.y) - facet.box.min.y) * perUnit_ >=
         kLeastCells;
}

void CoveredCells::layOut(const Box& box) {
  const double width = double(box.max.x) - box.min.x;
  const double depth = double(box.max.y) - box.min.y;
  const double size = std::max(kLeastCell / tol_.unit, std::max(width, depth) / (kMostColumns - 2));
  perUnit_ = 1 / size;
  originX_ = box.min.x - size;
  originY_ = box.min.y - size;
  columns_ = static_cast<int32_t>(std::ceil(width * perUnit_)) + 2;
  rows_ = static_cast<int32_t>(std::ceil(depth * perUnit_)) + 2;
  words_ = static_cast<size_t>(columns_ + 63) / 64;
  covered_.assign(words_ * static_cast<size_t>(rows_), 0);
  inside_.resize(covered_.size());
  border_.resize(covered_.size());
}

bool CoveredCells::hide(const Box& box) const {
  // Strips of walls reach this far, and nothing may touch the border of what hides it.
  const double margin = tol_.wall + 4;
  const auto cell = [&](double at, double origin, int32_t count) {
    return static_cast<int32_t>(std::clamp((at - origin) * perUnit_, 0.0, count - 1.0));
  };
  const int32_t first = cell(box.min.x - margin, originX_, columns_);
  const int32_t last = cell(box.max.x + margin, originX_, columns_);
  const int32_t lastRow = cell(box.max.y + margin, originY_, rows_);
  for (int32_t row = cell(box.min.y - margin, originY_, rows_); row <= lastRow; ++row) {
    const uint64_t* const words = covered_.data() + words_ * static_cast<size_t>(row);
    for (int32_t word = first / 64; word <= last / 64; ++word) {
      uint64_t open = ~words[word];
      if (word == first / 64) open &= ~uint64_t{0} << (first % 64);
      if (word == last / 64) open &= ~uint64_t{0} >> (63 - last % 64);
      if (open != 0) return false;
    }
  }
  return true;
}

// Cells that no border passes lie inside or outside as their middles do.
void CoveredCells::draw(const Facet& facet) {
  const auto row = [&](double y) {
    return static_cast<int32_t>(std::clamp((y - originY_) * perUnit_, 0.0, rows_ - 1.0));
  };
  const size_t from = words_ * static_cast<size_t>(row(facet.box.min.y));
  const size_t to = words_ * (static_cast<size_t>(row(facet.box.max.y)) + 1);
  std::fill(inside_.begin() + static_cast<std::ptrdiff_t>(from), inside_.begin() + static_cast<std::ptrdiff_t>(to), 0);
  std::fill(border_.begin() + static_cast<std::ptrdiff_t>(from), border_.begin() + static_cast<std::ptrdiff_t>(to), 0);
  for (uint32_t r = 0; r < facet.ringCount; ++r) {
    const std::span<const Point> ring = facets_.outlines.ring(facet.firstRing + r);
    Point a = ring.back();
    for (const Point b : ring) {
      drawSide(a, b);
      a = b;
    }
  }
  for (size_t i = from; i < to; ++i) covered_[i] |= inside_[i] & ~border_[i];
}

void CoveredCells::drawSide(Point a, Point b) {
  if (a.y > b.y) std::swap(a, b);
  const double ax = (a.x - originX_) * perUnit_;
  const double ay = (a.y - originY_) * perUnit_;
  const double bx = (b.x - originX_) * perUnit_;
  const double by = (b.y - originY_) * perUnit_;
  const double perRow = b.y > a.y ? (bx - ax) / (by - ay) : 0;
  const auto firstRow = static_cast<int32_t>(std::max(0.0, std::floor(ay - kNearCell)));
  const auto lastRow = static_cast<int32_t>(std::min(rows_ - 1.0, std::floor(by + kNearCell)));
  for (int32_t row = firstRow; row <= lastRow; ++row) {
    uint64_t* const border = border_.data() + words_ * static_cast<size_t>(row);
    uint64_t* const inside = inside_.data() + words_ * static_cast<size_t>(row);
    const double from = b.y > a.y ? ax + (std::clamp<double>(row, ay, by) - ay) * perRow : ax;
    const double to = b.y > a.y ? ax + (std::clamp<double>(row + 1, ay, by) - ay) * perRow : bx;
    const double least = std::floor(std::min(from, to) - kNearCell);
    const double most = std::floor(std::max(from, to) + kNearCell);
    if (least < columns_ && most >= 0) {
      forBits(border, static_cast<int32_t>(std::max(0.0, least)), static_cast<int32_t>(std::min(columns_ - 1.0, most)),
              [](uint64_t& word, uint64_t mask) { word |= mask; });
    }
    const double middle = row + 0.5;
    if ((ay <= middle) == (by <= middle)) continue;
    const double next = std::floor(ax + (middle - ay) * perRow + 0.5);
    if (next < columns_) {
      forBits(inside, static_cast<int32_t>(std::max(0.0, next)), columns_ - 1,
              [](uint64_t& word, uint64_t mask) { word ^= mask; });
    }
  }
}

}  // namespace wend::exact
