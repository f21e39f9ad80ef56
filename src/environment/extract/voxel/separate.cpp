#include "environment/extract/voxel/separate.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <tuple>

namespace wend::voxel {
namespace {

class Separator {
 public:
  Separator(const std::vector<std::array<uint32_t, 4>>& neighbours, const DepthMaps& maps, const Links& links,
            double rise, std::vector<uint32_t>& layer)
      : neighbours_(neighbours), maps_(maps), links_(links), rise_(rise), layer_(layer), moved_(maps.count(), 0) {}

  void run(uint32_t blocks) {
    for (uint32_t block = 0; block < blocks; ++block) {
      if (maps_.begin[block].empty()) continue;
      for (int32_t pixel = 0; pixel < kBlockPixels; ++pixel) {
        const auto [first, last] = maps_.at(block, pixel);
        for (uint32_t s = first; s < last; ++s) {
          const Place place{s, block, pixel};
          if (inside(s)) continue;
          // Each pair is found from both sides; one of them is enough.
          if (strangerTo(place, kRight).sample != kNone || strangerTo(place, kUp).sample != kNone ||
              strangerTo(place, kRight, kUp).sample != kNone || strangerTo(place, kRight, kDown).sample != kNone) {
            push(place);
          }
        }
      }
    }
    while (!queue_.empty()) {
      const Place place = std::get<2>(queue_.top());
      queue_.pop();
      for (const Direction direction : {kRight, kUp, kLeft, kDown}) {
        const Place other = strangerTo(place, direction);
        if (other.sample != kNone) part(place, other, direction);
      }
      for (const Direction sideways : {kRight, kLeft}) {
        for (const Direction along : {kUp, kDown}) {
          const Place other = strangerTo(place, sideways, along);
          if (other.sample != kNone) part(place, other);
        }
      }
    }
  }

 private:
  struct Place {
    uint32_t sample;
    uint32_t block;
    int32_t pixel;
    bool operator<(const Place& other) const { return sample < other.sample; }
  };

  // Linked to its own layer on all sides.
  bool inside(uint32_t sample) const {
    const std::array<uint32_t, 4>& to = links_.to[sample];
    return std::all_of(to.begin(), to.end(),
                       [&](uint32_t next) { return next != kNone && layer_[next] == layer_[sample]; });
  }

  // From top to bottom: whatever moves on finds the place above it settled.
  void push(const Place& place) { queue_.emplace(maps_.z[place.sample], place.sample, place); }

  // The sample of the same layer in the next pixel that is not linked.
  Place strangerTo(const Place& place, Direction direction) const {
    const uint32_t layer = layer_[place.sample];
    const uint32_t linked = links_.to[place.sample][direction];
    if (layer == kNone || (linked != kNone && layer_[linked] == layer)) return {kNone, 0, 0};
    uint32_t block = place.block;
    const int32_t pixel = step(neighbours_, block, place.pixel, direction);
    if (block == kNone) return {kNone, 0, 0};
    const auto [first, last] = maps_.at(block, pixel);
    for (uint32_t s = first; s < last; ++s) {
      if (layer_[s] == layer) return {s, block, pixel};
    }
    return {kNone, 0, 0};
  }

  // The same across a corner, where heights tell: two links rise by less than this.
  Place strangerTo(const Place& place, Direction first, Direction second) const {
    const uint32_t layer = layer_[place.sample];
    if (layer == kNone) return {kNone, 0, 0};
    uint32_t block = place.block;
    int32_t pixel = step(neighbours_, block, place.pixel, first);
    if (block == kNone) return {kNone, 0, 0};
    pixel = step(neighbours_, block, pixel, second);
    if (block == kNone) return {kNone, 0, 0};
    const auto [from, to] = maps_.at(block, pixel);
    for (uint32_t s = from; s < to; ++s) {
      if (layer_[s] == layer && std::abs(double(maps_.z[s]) - maps_.z[place.sample]) > 2 * rise_)
        return {s, block, pixel};
    }
    return {kNone, 0, 0};
  }

  void part(const Place& a, const Place& b, Direction direction) {
    const bool forward = direction == kRight || direction == kUp;
    const uint8_t walled = links_.walled[forward ? a.sample : b.sample];
    const int axis = direction & 1;
    if ((walled >> axis & 1) != 0) {
      const bool beyond = (walled >> (axis + 2) & 1) != 0;
      layer_[beyond == forward ? b.sample : a.sample] = kNone;
      return;
    }
    part(a, b);
  }

  void part(const Place& a, const Place& b) {
    const bool aIsLower = std::tuple(maps_.z[a.sample], a.sample) < std::tuple(maps_.z[b.sample], b.sample);
    const Place& lower = aIsLower ? a : b;
    const Place& upper = aIsLower ? b : a;
    if (next(lower) == kNone) {
      layer_[lower.sample] = kNone;
    } else if (!moveOn(upper)) {
      layer_[(next(upper) == kNone ? upper : lower).sample] = kNone;
    }
  }

  // Another layer that a sample is linked to, or kNone.
  uint32_t next(const Place& place) const {
    for (const uint32_t s : links_.to[place.sample]) {
      if (s != kNone && layer_[s] != kNone && layer_[s] != layer_[place.sample]) return layer_[s];
    }
    return kNone;
  }

  bool moveOn(const Place& place) {
    const uint32_t layer = next(place);
    if (layer == kNone || moved_[place.sample] != 0) return false;
    const auto [first, last] = maps_.at(place.block, place.pixel);
    for (uint32_t s = first; s < last; ++s) {
      if (layer_[s] == layer) return false;
    }
    layer_[place.sample] = layer;
    moved_[place.sample] = 1;
    push(place);
    return true;
  }

  const std::vector<std::array<uint32_t, 4>>& neighbours_;
  const DepthMaps& maps_;
  const Links& links_;
  double rise_;
  std::vector<uint32_t>& layer_;
  std::vector<uint8_t> moved_;
  std::priority_queue<std::tuple<int32_t, uint32_t, Place>> queue_;
};

}  // namespace

std::vector<uint32_t> separate(const Blocks& blocks, const std::vector<std::array<uint32_t, 4>>& neighbours,
                               const DepthMaps& maps, const Links& links, const Fragments& fragments,
                               const LayerPlan& plan, const Measures& measures) {
  std::vector<uint32_t> layer(maps.count());
  for (uint32_t i = 0; i < maps.count(); ++i) layer[i] = plan.layer[fragments.of[i]];
  Separator(neighbours, maps, links, measures.rise, layer).run(blocks.count());
  return layer;
}

}  // namespace wend::voxel
