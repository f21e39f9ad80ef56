#include "environment/extract/voxel/blocks.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace wend::voxel {
namespace {

using extraction::Point3;
using extraction::Triangle;

class BlockMaker {
 public:
  BlockMaker(const extraction::Soup& soup, const extraction::Facets& facets, const Measures& measures)
      : soup_(soup), facets_(facets), m_(measures), size_(double(measures.pixel) * kBlock) {}

  Result<Blocks> run() {
    if (Status status = checkSize(); !status.ok()) return status.error();
    for (const Triangle& t : soup_.triangles) {
      if (!isFloor(facets_, t)) continue;
      forRows(t, m_.gap, [&](int32_t y, int32_t left, int32_t right) {
        for (int32_t x = left; x <= right; ++x) blocks_.place.push_back({y, x});
      });
      if (blocks_.place.size() > 8 * kMaxBlocks) thin();
      if (blocks_.place.size() > 8 * kMaxBlocks) return tooMany();
    }
    thin();
    if (blocks_.place.size() > kMaxBlocks) return tooMany();
    fill();
    return std::move(blocks_);
  }

 private:
  // Counts before anything is drawn. Triangles above each other count each.
  Status checkSize() const {
    double pixels = 0;
    for (const Triangle& t : soup_.triangles) {
      pixels += std::abs(t.area) / 2 / m_.pixel / m_.pixel;
      pixels += (double(t.box.max.x) - t.box.min.x + t.box.max.y - t.box.min.y) / m_.pixel;
    }
    if (pixels <= kMaxPixels) return Done{};
    const double enough = m_.pixel * m_.unit * std::sqrt(pixels / kMaxPixels);
    return Error{
        ErrorCode::kLimit,
        fmt::format("a resolution of {:g} m would need {:.3g} pixels, and {:.3g} is the limit; choose at least "
                    "{:.2g} m, or cut the scene into smaller ones",
                    m_.pixel * m_.unit, pixels, kMaxPixels, enough)};
  }

  Error tooMany() const {
    return {ErrorCode::kLimit,
            fmt::format("the floors lie scattered over more than {} blocks of {:g} m; choose a coarser resolution than "
                        "{:g} m, or cut the scene into smaller ones",
                        kMaxBlocks, size_ * m_.unit, m_.pixel * m_.unit)};
  }

  void thin() {
    std::sort(blocks_.place.begin(), blocks_.place.end());
    blocks_.place.erase(std::unique(blocks_.place.begin(), blocks_.place.end()), blocks_.place.end());
  }

  // Calls row(y, first x, last x) for the blocks that a triangle lies over, widened by `margin`.
  template <typename Row>
  void forRows(const Triangle& t, double margin, Row&& row) const {
    const auto at = [&](double units) { return static_cast<int32_t>(std::floor(units / size_)); };
    const auto corners = soup_.corners(t);
    for (int32_t y = at(t.box.min.y - margin), last = at(t.box.max.y + margin); y <= last; ++y) {
      double left = t.box.min.x;
      double right = t.box.max.x;
      if (y != last && !rangeWithin(corners, y * size_ - margin - 1, (y + 1) * size_ + margin + 1, left, right)) {
        continue;
      }
      row(y, at(left - margin), at(right + margin));
    }
  }

  // The triangles of each block. Of those that are no floor only what is near enough to an existing block is looked at.
  void fill() {
    const uint32_t n = blocks_.count();
    std::vector<uint32_t> count(n + 1, 0);
    const auto forBlocks = [&](auto&& body) {
      for (uint32_t i = 0; i < soup_.triangles.size(); ++i) {
        const Triangle& t = soup_.triangles[i];
        // Walls are drawn on the way from one pixel to the next.
        const double margin = isFloor(facets_, t) ? std::max<double>(m_.gap, m_.pixel) : m_.pixel;
        forRows(t, margin, [&](int32_t y, int32_t left, int32_t right) {
          auto it = std::lower_bound(blocks_.place.begin(), blocks_.place.end(), BlockPlace{y, left});
          for (; it != blocks_.place.end() && it->y == y && it->x <= right; ++it) {
            body(static_cast<uint32_t>(it - blocks_.place.begin()), i);
          }
        });
      }
    };
    forBlocks([&](uint32_t block, uint32_t) { ++count[block + 1]; });
    for (uint32_t i = 0; i < n; ++i) count[i + 1] += count[i];
    blocks_.begin = count;
    blocks_.triangles.resize(count[n]);
    forBlocks([&](uint32_t block, uint32_t triangle) { blocks_.triangles[count[block]++] = triangle; });
  }

  const extraction::Soup& soup_;
  const extraction::Facets& facets_;
  const Measures& m_;
  double size_;                                  // of a block, units
  static constexpr size_t kMaxBlocks = 125'000;  // 2 GB of tables
  Blocks blocks_;
};

}  // namespace

uint32_t Blocks::find(int32_t x, int32_t y) const {
  const BlockPlace wanted{y, x};
  const auto it = std::lower_bound(place.begin(), place.end(), wanted);
  return it != place.end() && *it == wanted ? static_cast<uint32_t>(it - place.begin()) : kNone;
}

bool rangeWithin(const std::array<Point3, 3>& corners, double low, double high, double& left, double& right) {
  double from = INFINITY;
  double to = -INFINITY;
  const auto add = [&](double x) {
    from = std::min(from, x);
    to = std::max(to, x);
  };
  for (size_t i = 0; i < 3; ++i) {
    const Point3& a = corners[i];
    const Point3& b = corners[(i + 1) % 3];
    if (a.y >= low && a.y <= high) add(a.x);
    for (const double y : {low, high}) {
      if ((a.y < y) != (b.y < y)) add(a.x + (y - a.y) * (double(b.x) - a.x) / (double(b.y) - a.y));
    }
  }
  left = from;
  right = to;
  return from <= to;
}

Result<Blocks> makeBlocks(const extraction::Soup& soup, const extraction::Facets& facets, const Measures& measures) {
  return BlockMaker(soup, facets, measures).run();
}

}  // namespace wend::voxel
