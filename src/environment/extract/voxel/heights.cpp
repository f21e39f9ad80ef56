#include "environment/extract/voxel/heights.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"

namespace wend::voxel {
namespace {

struct Rectangle {
  int32_t left, bottom, right, top;  // corners of the pixel grid, within the block
  uint32_t facet;                    // in whose plane it lies
  bool border;                       // the layer ends here
};

// Cuts the pixels of one layer in one block into rectangles.
class BlockHeights {
 public:
  BlockHeights(const Drawing& drawing, const extraction::Facets& facets, uint32_t block, uint32_t layer)
      : d_(drawing), facets_(facets), block_(block), layer_(layer), sample_(kBlockPixels, kNone) {
    // Steps of the floor are higher than this, and what a pixel's width makes of a slope is of its order.
    tolerance_ = std::max(d_.measures.contact, d_.measures.pixel * 0.25);
    for (int32_t pixel = 0; pixel < kBlockPixels; ++pixel) {
      const auto [first, last] = d_.maps.at(block, pixel);
      for (uint32_t s = first; s < last; ++s) {
        if (d_.selection.layer[s] == layer) sample_[static_cast<size_t>(pixel)] = s;
      }
    }
  }

  std::vector<Rectangle> run() {
    cut({0, 0, kBlock, kBlock, kNone, false});
    return std::move(found_);
  }

 private:
  uint32_t at(int32_t x, int32_t y) const { return sample_[static_cast<size_t>(y) * kBlock + static_cast<size_t>(x)]; }

  void cut(Rectangle r) {
    if (!shrink(r)) return;
    if (fits(r)) {
      found_.push_back(r);
      return;
    }
    Rectangle rest = r;
    if (r.right - r.left >= r.top - r.bottom) {
      r.right = rest.left = bestCut(r, true);
    } else {
      r.top = rest.bottom = bestCut(r, false);
    }
    cut(r);
    cut(rest);
  }

  // To the pixels of the layer. False if there are none.
  bool shrink(Rectangle& r) const {
    Rectangle s{kBlock, kBlock, 0, 0, kNone, false};
    for (int32_t y = r.bottom; y < r.top; ++y) {
      for (int32_t x = r.left; x < r.right; ++x) {
        if (at(x, y) == kNone) continue;
        s = {
            std::min(s.left, x), std::min(s.bottom, y), std::max(s.right, x + 1), std::max(s.top, y + 1), kNone, false};
      }
    }
    r = s;
    return r.left < r.right;
  }

  bool fits(Rectangle& r) const {
    // The plane of a sample about the middle.
    uint32_t middle = kNone;
    int32_t least = 2 * kBlock;
    for (int32_t y = r.bottom; y < r.top; ++y) {
      for (int32_t x = r.left; x < r.right; ++x) {
        const int32_t off = std::abs(2 * x - r.left - r.right) + std::abs(2 * y - r.bottom - r.top);
        if (at(x, y) == kNone || off >= least) continue;
        least = off;
        middle = at(x, y);
      }
    }
    if (middle == kNone) middle = at(r.left, r.bottom);
    if (middle == kNone) return false;
    r.facet = d_.maps.facet[middle];
    const extraction::Plane& plane = facets_.list[r.facet].plane;
    for (int32_t y = r.bottom; y < r.top; ++y) {
      for (int32_t x = r.left; x < r.right; ++x) {
        const uint32_t s = at(x, y);
        if (s == kNone) {
          r.border = true;
          continue;
        }
        if (s != middle && std::abs(plane.at(centreX(x), centreY(y)) - d_.maps.z[s]) > tolerance_) return false;
        for (const uint32_t next : d_.links.to[s]) {
          r.border = r.border || next == kNone || d_.selection.layer[next] != layer_;
        }
      }
    }
    return true;
  }

  // Where most neighbours lie on different facets, of the middle half; otherwise the middle.
  int32_t bestCut(const Rectangle& r, bool upright) const {
    const int32_t from = upright ? r.left : r.bottom;
    const int32_t to = upright ? r.right : r.top;
    const int32_t size = to - from;
    int32_t best = from + size / 2;
    int32_t most = 0;
    for (int32_t i = from + std::max(1, size / 4); i <= to - std::max(1, size / 4); ++i) {
      int32_t breaks = 0;
      for (int32_t k = upright ? r.bottom : r.left; k < (upright ? r.top : r.right); ++k) {
        const uint32_t a = upright ? at(i - 1, k) : at(k, i - 1);
        const uint32_t b = upright ? at(i, k) : at(k, i);
        if (a != kNone && b != kNone && d_.maps.facet[a] != d_.maps.facet[b]) ++breaks;
      }
      if (breaks <= most) continue;
      most = breaks;
      best = i;
    }
    return best;
  }

  double centreX(int32_t x) const { return d_.measures.centre(d_.blocks.place[block_].x * kBlock + x); }
  double centreY(int32_t y) const { return d_.measures.centre(d_.blocks.place[block_].y * kBlock + y); }

  const Drawing& d_;
  const extraction::Facets& facets_;
  uint32_t block_;
  uint32_t layer_;
  std::vector<uint32_t> sample_;  // of each pixel
  double tolerance_;
  std::vector<Rectangle> found_;
};

// The pixels along connections come first: where a layer winds over itself, the rectangle of another turn may be as
// near to the connection as its own.
void addConnectionPixels(const Drawing& d, uint32_t block, std::vector<HeightPlan>& plans) {
  if (d.maps.begin[block].empty()) return;
  const BlockPlace place = d.blocks.place[block];
  for (int32_t pixel = 0; pixel < kBlockPixels; ++pixel) {
    const auto [first, last] = d.maps.at(block, pixel);
    for (uint32_t s = first; s < last; ++s) {
      const uint32_t layer = d.selection.layer[s];
      if (layer == kNone || plans[layer].flat) continue;
      const bool onConnection = std::any_of(d.links.to[s].begin(), d.links.to[s].end(), [&](uint32_t next) {
        return next != kNone && d.selection.layer[next] != kNone && d.selection.layer[next] != layer;
      });
      if (!onConnection) continue;
      const int32_t size = d.measures.pixel;
      const Point corner{(place.x * kBlock + (pixel & (kBlock - 1))) * size,
                         (place.y * kBlock + (pixel >> kBlockShift)) * size};
      plans[layer].connectionPixels.push_back({corner, {corner.x + size, corner.y + size}, d.maps.facet[s], false});
    }
  }
}

}  // namespace

std::vector<HeightPlan> planHeights(const Drawing& d, const extraction::Facets& facets, const Context& context) {
  const uint32_t layers = d.selection.layers;
  std::vector<int32_t> low(layers, kMaxCoordinate);
  std::vector<int32_t> high(layers, -kMaxCoordinate);
  std::vector<std::vector<std::pair<uint32_t, std::vector<Rectangle>>>> found(d.blocks.count());
  for (uint32_t block = 0; block < d.blocks.count(); ++block) {
    std::vector<uint32_t> present;
    for (uint32_t s = d.maps.base[block]; s < d.maps.base[block + 1]; ++s) {
      const uint32_t layer = d.selection.layer[s];
      if (layer == kNone) continue;
      low[layer] = std::min(low[layer], d.maps.z[s]);
      high[layer] = std::max(high[layer], d.maps.z[s]);
      if (std::find(present.begin(), present.end(), layer) == present.end()) present.push_back(layer);
    }
    std::sort(present.begin(), present.end());
    for (const uint32_t layer : present) found[block].emplace_back(layer, std::vector<Rectangle>());
  }
  std::vector<HeightPlan> plans(layers);
  for (uint32_t i = 0; i < layers; ++i) {
    plans[i].base = low[i] * d.measures.unit;
    plans[i].flat = low[i] == high[i];
  }
  parallelFor(d.blocks.count(), context, [&](size_t block) {
    for (auto& [layer, rectangles] : found[block]) {
      if (!plans[layer].flat) rectangles = BlockHeights(d, facets, static_cast<uint32_t>(block), layer).run();
    }
  });
  for (uint32_t block = 0; block < d.blocks.count(); ++block) {
    addConnectionPixels(d, block, plans);
    const BlockPlace place = d.blocks.place[block];
    const auto corner = [&](int32_t x, int32_t y) {
      return Point{(place.x * kBlock + x) * d.measures.pixel, (place.y * kBlock + y) * d.measures.pixel};
    };
    for (const auto& [layer, rectangles] : found[block]) {
      for (const Rectangle& r : rectangles) {
        plans[layer].rectangles.push_back({corner(r.left, r.bottom), corner(r.right, r.top), r.facet, r.border});
      }
    }
  }
  return plans;
}

}  // namespace wend::voxel
