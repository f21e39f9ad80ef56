#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "environment/extract/exact/soup.h"

// Which triangles lie in a box in space? Each is found once, which a plain grid over boxes does not promise.
namespace wend::exact {

class TriangleGrid {
 public:
  explicit TriangleGrid(const Soup& soup) : extents_(soup.triangles.size()) {
    for (size_t t = 0; t < extents_.size(); ++t) {
      const Triangle& triangle = soup.triangles[t];
      extents_[t] = {triangle.box, triangle.low, triangle.high};
    }
    if (extents_.empty()) return;
    origin_ = soup.box.min;
    chooseSize(soup.box);
    begin_.assign(static_cast<size_t>(columns_) * rows_ + 1, 0);
    for (const Extent& e : extents_) {
      forCells(e.box, [&](size_t cell) { ++begin_[cell + 1]; });
    }
    for (size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    items_.resize(begin_.back());
    std::vector<uint32_t> fill(begin_.begin(), begin_.end() - 1);
    for (uint32_t t = 0; t < extents_.size(); ++t) {
      forCells(extents_[t].box, [&](size_t cell) { items_[fill[cell]++] = t; });
    }
  }

  // Calls visit(t) once for every triangle whose box meets the open box and whose heights meet (low, high).
  template <typename Visit>
  void forEach(const Box& box, double low, double high, Visit&& visit) const {
    if (items_.empty()) return;
    const int64_t x0 = column(box.min.x);
    const int64_t x1 = column(box.max.x);
    const int64_t y0 = row(box.min.y);
    const int64_t y1 = row(box.max.y);
    for (int64_t y = y0; y <= y1; ++y) {
      for (int64_t x = x0; x <= x1; ++x) {
        const auto cell = static_cast<size_t>(y * columns_ + x);
        for (uint32_t i = begin_[cell]; i < begin_[cell + 1]; ++i) {
          const Extent& e = extents_[items_[i]];
          if (e.low >= high || e.high <= low || e.box.min.x >= box.max.x || e.box.max.x <= box.min.x ||
              e.box.min.y >= box.max.y || e.box.max.y <= box.min.y) {
            continue;
          }
          // In the first cell that both share.
          if (column(std::max(e.box.min.x, box.min.x)) != x || row(std::max(e.box.min.y, box.min.y)) != y) continue;
          visit(items_[i]);
        }
      }
    }
  }

 private:
  struct Extent {
    Box box;
    int32_t low, high;
  };

  int64_t column(int32_t x) const { return std::clamp<int64_t>((int64_t{x} - origin_.x) / size_, 0, columns_ - 1); }
  int64_t row(int32_t y) const { return std::clamp<int64_t>((int64_t{y} - origin_.y) / size_, 0, rows_ - 1); }

  // About one triangle per cell; coarser where large triangles would fill many cells each.
  void chooseSize(const Box& box) {
    const double width = double(box.max.x) - box.min.x + 1;
    const double height = double(box.max.y) - box.min.y + 1;
    const auto count = static_cast<double>(extents_.size());
    double size = std::max({1.0, 1.5 * std::sqrt(width * height / count), std::max(width, height) / (4 * count + 1),
                            std::max(width, height) / 32768});
    const auto entries = [&] {
      double sum = 0;
      for (const Extent& e : extents_) {
        sum += (std::floor((double(e.box.max.x) - e.box.min.x) / size) + 2) *
               (std::floor((double(e.box.max.y) - e.box.min.y) / size) + 2);
      }
      return sum;
    };
    while (entries() > 16 * count && size < std::max(width, height)) size *= 1.5;
    size_ = static_cast<int64_t>(std::ceil(size));
    columns_ = (int64_t{box.max.x} - box.min.x) / size_ + 1;
    rows_ = (int64_t{box.max.y} - box.min.y) / size_ + 1;
  }

  template <typename Body>
  void forCells(const Box& box, Body&& body) const {
    const int64_t x1 = column(box.max.x);
    const int64_t y1 = row(box.max.y);
    for (int64_t y = row(box.min.y); y <= y1; ++y) {
      for (int64_t x = column(box.min.x); x <= x1; ++x) body(static_cast<size_t>(y * columns_ + x));
    }
  }

  std::vector<Extent> extents_;
  Point origin_;
  int64_t size_ = 1;
  int64_t columns_ = 0;
  int64_t rows_ = 0;
  std::vector<uint32_t> begin_;
  std::vector<uint32_t> items_;
};

}  // namespace wend::exact
