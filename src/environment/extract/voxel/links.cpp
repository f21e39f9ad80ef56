#include "environment/extract/voxel/links.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/parallel.h"

namespace wend::voxel {
namespace {

class Linker {
 public:
  Linker(const extraction::Facets& facets, const std::vector<std::array<uint32_t, 4>>& neighbours,
         const DepthMaps& maps, const Measures& measures, Links& links)
      : facets_(facets), neighbours_(neighbours), maps_(maps), m_(measures), links_(links) {}

  void linkBlock(uint32_t block) {
    if (maps_.begin[block].empty()) return;
    const std::vector<Wall>& walls = maps_.walls[block];
    size_t wall = 0;
    for (int32_t pixel = 0; pixel < kBlockPixels; ++pixel) {
      for (const Direction direction : {kRight, kUp}) {
        const size_t firstWall = wall;
        while (wall < walls.size() && walls[wall].pixel == pixel && walls[wall].direction == direction) ++wall;
        uint32_t next = block;
        const int32_t beside = step(neighbours_, next, pixel, direction);
        if (next == kNone) continue;
        linkPixels(maps_.at(block, pixel), maps_.at(next, beside), direction,
                   std::span(walls).subspan(firstWall, wall - firstWall));
      }
    }
  }

 private:
  using Range = std::pair<uint32_t, uint32_t>;

  uint32_t nearest(Range range, int32_t z) const {
    uint32_t best = range.first;
    for (uint32_t i = range.first + 1; i < range.second; ++i) {
      if (std::abs(double(maps_.z[i]) - z) < std::abs(double(maps_.z[best]) - z)) best = i;
    }
    return best;
  }

  void linkPixels(Range here, Range there, Direction direction, std::span<const Wall> walls) {
    if (there.first == there.second) return;
    for (uint32_t a = here.first; a < here.second; ++a) {
      const uint32_t b = nearest(there, maps_.z[a]);
      if (std::abs(double(maps_.z[b]) - maps_.z[a]) > m_.rise || nearest(here, maps_.z[b]) != a) continue;
      if (m_.singleLayer && turns(maps_.facet[a], maps_.facet[b])) continue;
      if (closed(a, b, direction, walls)) continue;
      links_.to[a][direction] = b;
    }
  }

  bool turns(uint32_t f, uint32_t g) const {
    const extraction::Plane& p = facets_.list[f].plane;
    const extraction::Plane& q = facets_.list[g].plane;
    const double cosine =
        (p.a * q.a + p.b * q.b + 1) / std::sqrt((p.a * p.a + p.b * p.b + 1) * (q.a * q.a + q.b * q.b + 1));
    return cosine < m_.turn;
  }

  bool closed(uint32_t a, uint32_t b, Direction direction, std::span<const Wall> walls) {
    const double floor = std::min(maps_.z[a], maps_.z[b]);
    const double from = floor + m_.step + m_.contact;
    const double to = floor + m_.height - m_.contact;
    for (const Wall& wall : walls) {
      if (wall.high <= from || wall.low >= to) continue;
      links_.walled[a] |= static_cast<uint8_t>(1U << direction);
      if (wall.back != 0) links_.walled[a] |= static_cast<uint8_t>(4U << direction);
      return true;
    }
    return false;
  }

  const extraction::Facets& facets_;
  const std::vector<std::array<uint32_t, 4>>& neighbours_;
  const DepthMaps& maps_;
  const Measures& m_;
  Links& links_;
};

}  // namespace

std::vector<std::array<uint32_t, 4>> neighbourBlocks(const Blocks& blocks) {
  std::vector<std::array<uint32_t, 4>> result(blocks.count());
  for (uint32_t i = 0; i < blocks.count(); ++i) {
    const auto [y, x] = blocks.place[i];
    result[i] = {blocks.find(x + 1, y), blocks.find(x, y + 1), blocks.find(x - 1, y), blocks.find(x, y - 1)};
  }
  return result;
}

Links makeLinks(const extraction::Facets& facets, const Blocks& blocks,
                const std::vector<std::array<uint32_t, 4>>& neighbours, const DepthMaps& maps, const Measures& measures,
                const Context& context) {
  Links links;
  links.to.assign(maps.count(), {kNone, kNone, kNone, kNone});
  links.walled.assign(maps.count(), 0);
  Linker linker(facets, neighbours, maps, measures, links);
  parallelFor(blocks.count(), context, [&](size_t i) { linker.linkBlock(static_cast<uint32_t>(i)); });
  // Every sample has at most one link from each side, so no two threads write the same place.
  parallelBlocks(maps.count(), 4096, context, [&](size_t from, size_t to) {
    for (size_t a = from; a < to; ++a) {
      for (const Direction direction : {kRight, kUp}) {
        const uint32_t b = links.to[a][direction];
        if (b != kNone) links.to[b][direction + 2] = static_cast<uint32_t>(a);
      }
    }
  });
  return links;
}

}  // namespace wend::voxel
