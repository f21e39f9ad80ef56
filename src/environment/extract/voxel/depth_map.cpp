#include "environment/extract/voxel/depth_map.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/parallel.h"
#include "environment/extract/voxel/block_painter.h"

namespace wend::voxel {
namespace {

struct Floor {
  int32_t z;
  uint32_t facet;
};

// The hits of one block, pixel by pixel, into floors that are free to stand on.
class FloorFinder {
 public:
  FloorFinder(BlockPainter& painter, const Measures& measures) : painter_(painter), m_(measures) {}

  void run(std::vector<uint32_t>& begin, std::vector<Floor>& floors) {
    sortByPixel(painter_.hits, hits_, hitBegin_);
    sortByPixel(painter_.nearHits, near_, nearBegin_);
    begin.assign(kBlockPixels + 1, 0);
    for (size_t p = 0; p < kBlockPixels; ++p) {
      const size_t first = floors.size();
      addFloors(p, floors);
      if (nearBegin_[p + 1] - nearBegin_[p] > 1) addBridges(p, first, floors);
      std::sort(floors.begin() + static_cast<std::ptrdiff_t>(first), floors.end(),
                [](const Floor& a, const Floor& b) { return a.z < b.z; });
      begin[p + 1] = static_cast<uint32_t>(floors.size());
    }
    if (floors.empty()) begin.clear();
  }

 private:
  template <typename T>
  static void sortByPixel(const std::vector<T>& from, std::vector<T>& to, std::vector<uint32_t>& begin) {
    begin.assign(kBlockPixels + 1, 0);
    for (const T& t : from) ++begin[size_t{t.pixel} + 1];
    for (size_t p = 0; p < kBlockPixels; ++p) begin[p + 1] += begin[p];
    std::vector<uint32_t> next = begin;
    to.resize(from.size());
    for (const T& t : from) to[next[t.pixel]++] = t;
  }

  // Whether something takes the head room over a floor at z; the pixel's hits are sorted, the highest first.
  bool blocked(size_t pixel, double z) const {
    for (uint32_t i = hitBegin_[pixel]; i < hitBegin_[pixel + 1] && hits_[i].z > z; ++i) {
      const double above = hits_[i].z - z;
      const bool low = m_.strict || hits_[i].kind != HitKind::kOther;
      // Under the very end of a ramp there would be a strip as narrow as the slack on the head room.
      const double needed = hits_[i].sloped ? m_.height + m_.contact : m_.height - m_.contact;
      if (above < needed && above > (low ? m_.contact : m_.step + m_.contact)) return true;
    }
    return false;
  }

  void addFloors(size_t pixel, std::vector<Floor>& floors) {
    const auto from = hits_.begin() + hitBegin_[pixel];
    const auto to = hits_.begin() + hitBegin_[pixel + 1];
    std::sort(from, to, [](const Hit& a, const Hit& b) {
      return std::tuple(-a.z, a.kind, a.facet) < std::tuple(-b.z, b.kind, b.facet);
    });
    if (m_.singleLayer) {
      if (from != to && from->kind == HitKind::kFloor) floors.push_back({from->z, from->facet});
      return;
    }
    double above = INFINITY;  // the floor over this one
    for (auto it = from; it != to; ++it) {
      if (it->kind == HitKind::kOther) continue;
      const bool same = above - it->z <= m_.contact;
      if (it->kind == HitKind::kFloor && !same && !blocked(pixel, it->z)) floors.push_back({it->z, it->facet});
      above = it->z;
    }
  }

  // Floor on the two sides of a crack, and none within a step: the higher side reaches over it. A bottom without head
  // room under that is no floor any more.
  void addBridges(size_t pixel, size_t first, std::vector<Floor>& floors) {
    const auto from = near_.begin() + nearBegin_[pixel];
    const auto to = near_.begin() + nearBegin_[pixel + 1];
    std::sort(from, to, [](const NearHit& a, const NearHit& b) {
      return std::tuple(-a.z, a.facet, a.off.x, a.off.y) < std::tuple(-b.z, b.facet, b.off.x, b.off.y);
    });
    for (auto a = from; a != to; ++a) {
      if (isFilled(pixel, first, floors, a->z) || blocked(pixel, a->z)) continue;
      const double reach = std::hypot(a->off.x, a->off.y);
      for (auto b = a + 1; b != to && a->z - b->z <= m_.step; ++b) {
        const double other = std::hypot(b->off.x, b->off.y);
        if (reach + other > m_.gap || a->off.x * b->off.x + a->off.y * b->off.y > -0.5 * reach * other) continue;
        const double least = m_.singleLayer ? INFINITY : m_.height - m_.contact;
        const auto covered = std::remove_if(floors.begin() + static_cast<std::ptrdiff_t>(first), floors.end(),
                                            [&](const Floor& f) { return f.z < a->z && a->z - f.z < least; });
        floors.erase(covered, floors.end());
        floors.push_back({a->z, a->facet});
        break;
      }
    }
  }

  // Whether a crack with a side at z has a floor within a step, or, in a single layer, anything as high.
  bool isFilled(size_t pixel, size_t first, const std::vector<Floor>& floors, double z) const {
    const double step = m_.step + m_.contact;
    if (m_.singleLayer && hitBegin_[pixel] != hitBegin_[pixel + 1] && hits_[hitBegin_[pixel]].z >= z - step)
      return true;
    return std::any_of(floors.begin() + static_cast<std::ptrdiff_t>(first), floors.end(),
                       [&](const Floor& f) { return std::abs(f.z - z) <= step; });
  }

  BlockPainter& painter_;
  const Measures& m_;
  std::vector<Hit> hits_;
  std::vector<NearHit> near_;
  std::vector<uint32_t> hitBegin_;
  std::vector<uint32_t> nearBegin_;
};

}  // namespace

DepthMaps drawDepthMaps(const extraction::Soup& soup, const extraction::Facets& facets, const Blocks& blocks,
                        const Voxels& voxels, const Measures& measures, const Context& context) {
  const uint32_t n = blocks.count();
  DepthMaps maps;
  maps.begin.resize(n);
  maps.walls.resize(n);
  maps.base.assign(n + 1, 0);
  std::vector<std::vector<Floor>> floors(n);
  parallelFor(n, context, [&](size_t i) {
    const auto block = static_cast<uint32_t>(i);
    if (std::none_of(voxels.list[i].begin(), voxels.list[i].end(), [](const Voxel& v) { return v.wanted; })) return;
    BlockPainter painter(soup, facets, voxels, measures, block, blocks.place[i]);
    painter.draw(blocks.of(block));
    FloorFinder(painter, measures).run(maps.begin[i], floors[i]);
    if (floors[i].empty()) return;
    std::sort(painter.walls.begin(), painter.walls.end(), [](const Wall& a, const Wall& b) {
      return std::tuple(a.pixel, a.direction, a.low, a.high, a.back) <
             std::tuple(b.pixel, b.direction, b.low, b.high, b.back);
    });
    maps.walls[i].assign(painter.walls.begin(), painter.walls.end());
  });
  for (uint32_t i = 0; i < n; ++i) maps.base[i + 1] = maps.base[i] + static_cast<uint32_t>(floors[i].size());
  maps.z.resize(maps.base[n]);
  maps.facet.resize(maps.base[n]);
  parallelFor(n, context, [&](size_t i) {
    for (size_t k = 0; k < floors[i].size(); ++k) {
      maps.z[maps.base[i] + k] = floors[i][k].z;
      maps.facet[maps.base[i] + k] = floors[i][k].facet;
    }
    std::vector<Floor>().swap(floors[i]);
  });
  return maps;
}

}  // namespace wend::voxel
