#include "environment/extract/voxel/selection.h"

#include <algorithm>
#include <cmath>

#include "environment/extract/seed_error.h"

namespace wend::voxel {
namespace {

class Selector {
 public:
  Selector(const Blocks& blocks, const DepthMaps& maps, const Links& links, const ExtractSettings& settings,
           const Measures& measures, const extraction::Solids* solids)
      : blocks_(blocks), maps_(maps), links_(links), settings_(settings), m_(measures), solids_(solids) {}

  Result<Selection> run(std::vector<uint32_t> layer) {
    result_.layer = std::move(layer);
    findComponents();
    if (Status status = choose(); !status.ok()) return status.error();
    numberLayers();
    return std::move(result_);
  }

 private:
  uint32_t root(uint32_t i) {
    while (component_[i] != i) i = component_[i] = component_[component_[i]];
    return i;
  }

  // A scan in the order of memory; a walk from sample to sample would jump about in it.
  void findComponents() {
    component_.resize(maps_.count());
    for (uint32_t i = 0; i < maps_.count(); ++i) component_[i] = i;
    for (uint32_t i = 0; i < maps_.count(); ++i) {
      if (result_.layer[i] == kNone) continue;
      for (const Direction direction : {kRight, kUp}) {
        const uint32_t next = links_.to[i][direction];
        if (next == kNone || result_.layer[next] == kNone) continue;
        const uint32_t a = root(i);
        const uint32_t b = root(next);
        component_[std::max(a, b)] = std::min(a, b);
      }
    }
    // Roots come first in their components.
    for (uint32_t i = 0; i < maps_.count(); ++i) {
      if (result_.layer[i] == kNone) continue;
      if (component_[i] == i) {
        component_[i] = static_cast<uint32_t>(pixels_.size());
        pixels_.push_back(0);
      } else {
        component_[i] = component_[component_[i]];
      }
      ++pixels_[component_[i]];
    }
  }

  // A mark for each component that lies inside a solid, by most of some of its pixels: the surface of the solid may
  // pass through a pixel at its border.
  std::vector<uint8_t> findInsides() const {
    std::vector<uint8_t> inside(pixels_.size(), 0);
    if (solids_ == nullptr || !solids_->any()) return inside;
    struct Votes {
      uint64_t seen = 0;
      uint32_t asked = 0;
      uint32_t inside = 0;
    };
    std::vector<Votes> votes(pixels_.size());
    const double above = 0.5 * (m_.step + m_.height);
    for (uint32_t block = 0; block < blocks_.count(); ++block) {
      if (maps_.begin[block].empty()) continue;
      for (int32_t pixel = 0; pixel < kBlockPixels; ++pixel) {
        const auto [first, last] = maps_.at(block, pixel);
        for (uint32_t i = first; i < last; ++i) {
          if (result_.layer[i] == kNone) continue;
          Votes& v = votes[component_[i]];
          const uint64_t apart = pixels_[component_[i]] / kAsked + 1;
          if (v.seen++ % apart != apart / 2) continue;
          const Point p{blocks_.place[block].x * kBlock + (pixel & (kBlock - 1)),
                        blocks_.place[block].y * kBlock + (pixel >> kBlockShift)};
          ++v.asked;
          const Point centre{p.x * m_.pixel + m_.pixel / 2, p.y * m_.pixel + m_.pixel / 2};
          v.inside += solids_->holds(centre, maps_.z[i] + above) ? 1 : 0;
        }
      }
    }
    for (size_t c = 0; c < inside.size(); ++c) {
      inside[c] = votes[c].asked > 0 && 4 * votes[c].inside >= 3 * votes[c].asked ? 1 : 0;
    }
    return inside;
  }
  static constexpr uint64_t kAsked = 16;  // of each component

  // Without seed points.
  void chooseAll(double area, std::vector<uint8_t>& wanted) {
    const std::vector<uint8_t> inside = findInsides();
    size_t largest = 0;
    for (size_t c = 0; c < pixels_.size(); ++c) {
      wanted[c] = double(pixels_[c]) * area >= settings_.minArea && inside[c] == 0 ? 1 : 0;
      if (wanted[c] != 0 && (wanted[largest] == 0 || pixels_[c] > pixels_[largest])) largest = c;
    }
    for (size_t c = 0; c < pixels_.size(); ++c) {
      if (inside[c] != 0) {
        leftOut_[c] = 1;
        ++result_.insides;
        result_.insideArea += double(pixels_[c]) * area;
      } else if (wanted[c] != 0 && c != largest) {
        ++result_.detached;
        result_.detachedArea += double(pixels_[c]) * area;
        if (settings_.detached) continue;
        wanted[c] = 0;
        leftOut_[c] = 1;
      }
    }
  }

  Status choose() {
    const double area = std::pow(m_.pixel * m_.unit, 2);
    std::vector<uint8_t> wanted(pixels_.size(), 0);
    leftOut_.assign(pixels_.size(), 0);
    if (settings_.seedPoints.empty()) chooseAll(area, wanted);
    for (const Vec3& seed : settings_.seedPoints) {
      const uint32_t sample = sampleAt(seed);
      if (sample == kNone) return seedError(seed, settings_);
      wanted[component_[sample]] = 1;
    }
    for (size_t c = 0; c < pixels_.size(); ++c) {
      if (wanted[c] != 0) {
        ++result_.components;
      } else if (leftOut_[c] == 0) {
        ++result_.droppedComponents;
        result_.droppedArea += double(pixels_[c]) * area;
      }
    }
    for (uint32_t i = 0; i < maps_.count(); ++i) {
      if (result_.layer[i] != kNone && wanted[component_[i]] == 0) result_.layer[i] = kNone;
    }
    return Done{};
  }

  // The nearest in height at the seed's pixel; failing that, at those around it.
  uint32_t sampleAt(const Vec3& seed) const {
    const Result<Point> at = settings_.lattice.snap({seed.x, seed.y});
    if (!at.ok() || !std::isfinite(seed.z)) return kNone;
    const double z = seed.z / m_.unit;
    uint32_t best = kNone;
    const auto look = [&](int32_t x, int32_t y) {
      const uint32_t block = blocks_.find(x >> kBlockShift, y >> kBlockShift);
      if (block == kNone) return;
      const auto [first, last] = maps_.at(block, (y & (kBlock - 1)) * kBlock + (x & (kBlock - 1)));
      for (uint32_t i = first; i < last; ++i) {
        const double off = z - maps_.z[i];
        if (result_.layer[i] == kNone || off < -m_.step - m_.contact || off > m_.height + m_.contact) continue;
        if (best == kNone || std::abs(off) < std::abs(z - maps_.z[best])) best = i;
      }
    };
    const int32_t x = m_.pixelOf(at->x);
    const int32_t y = m_.pixelOf(at->y);
    look(x, y);
    for (int32_t i = 0; i < 9 && best == kNone; ++i) look(x + i % 3 - 1, y + i / 3 - 1);
    return best;
  }

  void numberLayers() {
    std::vector<uint32_t> number;
    for (const uint32_t layer : result_.layer) {
      if (layer == kNone) continue;
      if (layer >= number.size()) number.resize(layer + 1, kNone);
      number[layer] = 0;
    }
    for (uint32_t& n : number) {
      if (n == 0) n = result_.layers++;
    }
    for (uint32_t& layer : result_.layer) {
      if (layer != kNone) layer = number[layer];
    }
  }

  const Blocks& blocks_;
  const DepthMaps& maps_;
  const Links& links_;
  const ExtractSettings& settings_;
  const Measures& m_;
  const extraction::Solids* solids_;
  Selection result_;
  std::vector<uint8_t> leftOut_;     // of each component: counted as inside or detached
  std::vector<uint32_t> component_;  // of each sample
  std::vector<uint64_t> pixels_;     // of each component
};

}  // namespace

Result<Selection> select(const Blocks& blocks, const DepthMaps& maps, const Links& links, std::vector<uint32_t> layer,
                         const ExtractSettings& settings, const Measures& measures, const extraction::Solids* solids) {
  return Selector(blocks, maps, links, settings, measures, solids).run(std::move(layer));
}

}  // namespace wend::voxel
