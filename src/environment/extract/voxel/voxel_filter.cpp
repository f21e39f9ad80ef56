#include "environment/extract/voxel/voxel_filter.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "environment/extract/seed_error.h"

namespace wend::voxel {
namespace {

using extraction::Point3;
using extraction::Triangle;

struct Piece {  // of floor, in one voxel
  int32_t column;
  int32_t k;
  int32_t low;
  int32_t high;
};
struct Lid {  // covers a whole column
  int32_t column;
  double low;
  double high;
  bool floor;
};

class BlockVoxels {
 public:
  BlockVoxels(const extraction::Soup& soup, const extraction::Facets& facets, const Measures& measures,
              BlockPlace place)
      : soup_(soup), facets_(facets), m_(measures), side_(double(measures.pixel) * (1 << measures.columnShift)) {
    left_ = double(place.x) * kBlock * m_.pixel;
    bottom_ = double(place.y) * kBlock * m_.pixel;
  }

  void run(std::span<const uint32_t> triangles, std::vector<Voxel>& voxels, std::vector<uint32_t>& begin) {
    for (const uint32_t t : triangles) add(soup_.triangles[t]);
    std::sort(pieces_.begin(), pieces_.end(),
              [](const Piece& p, const Piece& q) { return p.column != q.column ? p.column < q.column : p.k < q.k; });
    std::sort(lids_.begin(), lids_.end(), [](const Lid& p, const Lid& q) { return p.column < q.column; });
    begin.assign(static_cast<size_t>(m_.columns()) * m_.columns() + 1, 0);
    for (size_t i = 0, j = 0; i < pieces_.size(); i = j) {
      Voxel voxel{pieces_[i].column, pieces_[i].low, pieces_[i].high, true};
      for (; j < pieces_.size() && pieces_[j].column == pieces_[i].column && pieces_[j].k == pieces_[i].k; ++j) {
        voxel.low = std::min(voxel.low, pieces_[j].low);
        voxel.high = std::max(voxel.high, pieces_[j].high);
      }
      if (covered(voxel)) continue;
      voxels.push_back(voxel);
      ++begin[static_cast<size_t>(voxel.column) + 1];
    }
    for (size_t c = 1; c < begin.size(); ++c) begin[c] += begin[c - 1];
  }

 private:
  void add(const Triangle& t) {
    const bool floor = isFloor(facets_, t);
    const double margin = floor ? m_.gap : 0;
    const auto corners = soup_.corners(t);
    const int32_t n = m_.columns();
    const auto at = [&](double units) {
      return static_cast<int32_t>(std::clamp(std::floor(units / side_), -1.0, double(n)));
    };
    const extraction::Plane plane = planeOf(soup_, t);
    const bool level = std::abs(t.normal.z) > 0.01;
    for (int32_t y = std::max(0, at(t.box.min.y - margin - bottom_)),
                 last = std::min(n - 1, at(t.box.max.y + margin - bottom_));
         y <= last; ++y) {
      const double low = bottom_ + y * side_;
      double left = 0;
      double right = 0;
      if (!rangeWithin(corners, low - margin - 1, low + side_ + margin + 1, left, right)) continue;
      for (int32_t x = std::max(0, at(left - margin - left_)), end = std::min(n - 1, at(right + margin - left_));
           x <= end; ++x) {
        addColumn(t, corners, plane, floor, level, x, y);
      }
    }
  }

  void addColumn(const Triangle& t, const std::array<Point3, 3>& corners, const extraction::Plane& plane, bool floor,
                 bool level, int32_t x, int32_t y) {
    const double x0 = left_ + x * side_;
    const double y0 = bottom_ + y * side_;
    double low = t.low;
    double high = t.high;
    if (level) {
      const double margin = floor ? m_.gap : 0;
      const double middle = plane.at(x0 + side_ / 2, y0 + side_ / 2);
      const double spread = (std::abs(plane.a) + std::abs(plane.b)) * (side_ / 2 + margin) + 1;
      low = std::max(low, middle - spread);
      high = std::min(high, middle + spread);
    }
    if (low > high) return;
    const int32_t column = y * m_.columns() + x;
    if (floor) {
      const auto k = [&](double z) { return static_cast<int32_t>(std::floor(z / m_.voxelHeight + 0.5)); };
      for (int32_t i = k(low), last = k(high); i <= last; ++i) {
        const double bottom = (i - 0.5) * m_.voxelHeight;
        pieces_.push_back({column, i, static_cast<int32_t>(std::floor(std::max(low, bottom))),
                           static_cast<int32_t>(std::ceil(std::min(high, bottom + m_.voxelHeight)))});
      }
    }
    if (level && covers(corners, t.area, x0, y0)) lids_.push_back({column, low, high, floor});
  }

  // Whether the triangle lies over the whole square.
  bool covers(const std::array<Point3, 3>& corners, double area, double x0, double y0) const {
    for (size_t i = 0; i < 3; ++i) {
      const Point3& a = corners[i];
      const Point3& b = corners[(i + 1) % 3];
      const double dx = double(b.x) - a.x;
      const double dy = double(b.y) - a.y;
      for (const double x : {x0, x0 + side_}) {
        for (const double y : {y0, y0 + side_}) {
          if ((dx * (y - a.y) - dy * (x - a.x)) * area < 0) return false;
        }
      }
    }
    return true;
  }

  bool covered(const Voxel& voxel) const {
    auto lid = std::lower_bound(lids_.begin(), lids_.end(), voxel.column,
                                [](const Lid& l, int32_t column) { return l.column < column; });
    for (; lid != lids_.end() && lid->column == voxel.column; ++lid) {
      const double from = lid->floor || m_.strict ? m_.contact : m_.step + m_.contact;
      // A unit of rounding on either side.
      if (lid->low > voxel.high + from + 2 && lid->high < voxel.low + m_.height - m_.contact - 2) return true;
    }
    return false;
  }

  const extraction::Soup& soup_;
  const extraction::Facets& facets_;
  const Measures& m_;
  double side_;
  double left_;
  double bottom_;
  std::vector<Piece> pieces_;
  std::vector<Lid> lids_;
};

class Flood {
 public:
  Flood(Voxels& voxels, const Blocks& blocks, const Measures& measures)
      : voxels_(voxels), blocks_(blocks), m_(measures) {
    for (std::vector<Voxel>& list : voxels_.list) {
      for (Voxel& v : list) v.wanted = false;
    }
    voxels_.pruned = true;
  }

  // Reaches the voxels beside a column whose heights come near enough to a range. True if there are any.
  bool visit(int64_t x, int64_t y, double low, double high) {
    const int32_t n = m_.columns();
    bool any = false;
    for (int64_t cy = y - 1; cy <= y + 1; ++cy) {
      for (int64_t cx = x - 1; cx <= x + 1; ++cx) {
        const auto by = static_cast<int32_t>(std::floor(double(cy) / n));
        const auto bx = static_cast<int32_t>(std::floor(double(cx) / n));
        if (known_ == kNone || blocks_.place[known_] != BlockPlace{by, bx}) {
          const uint32_t found = blocks_.find(bx, by);
          if (found == kNone) continue;
          known_ = found;
        }
        const auto column = static_cast<size_t>((cy - int64_t{by} * n) * n + (cx - int64_t{bx} * n));
        for (uint32_t i = voxels_.begin[known_][column]; i < voxels_.begin[known_][column + 1]; ++i) {
          Voxel& v = voxels_.list[known_][i];
          if (v.low > high || v.high < low) continue;
          any = true;
          if (v.wanted) continue;
          v.wanted = true;
          queue_.push_back({cx, cy, v.low - m_.rise - 2, v.high + m_.rise + 2});
        }
      }
    }
    return any;
  }

  void run() {
    while (!queue_.empty()) {
      const Reached r = queue_.back();
      queue_.pop_back();
      visit(r.x, r.y, r.low, r.high);
    }
  }

 private:
  struct Reached {
    int64_t x, y;
    double low, high;
  };
  Voxels& voxels_;
  const Blocks& blocks_;
  const Measures& m_;
  uint32_t known_ = kNone;
  std::vector<Reached> queue_;
};

}  // namespace

uint64_t Voxels::count() const {
  uint64_t sum = 0;
  for (const std::vector<Voxel>& block : list) {
    sum += static_cast<uint64_t>(std::count_if(block.begin(), block.end(), [](const Voxel& v) { return v.wanted; }));
  }
  return sum;
}

Voxels makeVoxels(const extraction::Soup& soup, const extraction::Facets& facets, const Blocks& blocks,
                  const Measures& measures, const Context& context) {
  Voxels voxels;
  voxels.list.resize(blocks.count());
  voxels.begin.resize(blocks.count());
  parallelFor(blocks.count(), context, [&](size_t i) {
    const auto block = static_cast<uint32_t>(i);
    BlockVoxels(soup, facets, measures, blocks.place[i]).run(blocks.of(block), voxels.list[i], voxels.begin[i]);
  });
  return voxels;
}

Status prune(Voxels& voxels, const Blocks& blocks, const ExtractSettings& settings, const Measures& measures) {
  Flood flood(voxels, blocks, measures);
  const double side = double(measures.pixel) * (1 << measures.columnShift);
  for (const Vec3& seed : settings.seedPoints) {
    const Result<Point> at = settings.lattice.snap({seed.x, seed.y});
    if (!at.ok() || !std::isfinite(seed.z)) return seedError(seed, settings);
    const double z = seed.z / measures.unit;
    const bool any =
        flood.visit(static_cast<int64_t>(std::floor(at->x / side)), static_cast<int64_t>(std::floor(at->y / side)),
                    z - measures.height - measures.contact, z + measures.step + measures.contact);
    if (!any) return seedError(seed, settings);
  }
  flood.run();
  return Done{};
}

}  // namespace wend::voxel
