#include "environment/extract/voxel/fragments.h"

#include <algorithm>
#include <tuple>

#include "base/parallel.h"

namespace wend::voxel {
namespace {

class BlockFragments {
 public:
  BlockFragments(const DepthMaps& maps, const Links& links, const Measures& measures, uint32_t block,
                 std::vector<uint32_t>& of)
      : maps_(maps), links_(links), m_(measures), block_(block), of_(of) {}

  std::vector<int32_t> low;
  std::vector<int32_t> high;
  std::vector<std::pair<uint32_t, uint32_t>> conflicts;

  void run() {
    if (maps_.begin[block_].empty()) return;
    listPixels();
    const int32_t n = m_.columns();
    for (int32_t column = 0; column < n * n; ++column) cutColumn(column);
    for (int32_t pixel = 0; pixel < kBlockPixels; ++pixel) {
      const auto [first, last] = maps_.at(block_, pixel);
      for (uint32_t i = first; i < last; ++i) {
        for (uint32_t k = i + 1; k < last; ++k) conflicts.push_back(std::minmax(of_[i], of_[k]));
      }
    }
    std::sort(conflicts.begin(), conflicts.end());
    conflicts.erase(std::unique(conflicts.begin(), conflicts.end()), conflicts.end());
  }

  // Gives back what only run() needs.
  void release() {
    std::vector<int32_t>().swap(pixelOf_);
    std::vector<uint32_t>().swap(samples_);
    std::vector<uint32_t>().swap(queue_);
    std::vector<uint32_t>().swap(taken_);
  }

 private:
  void listPixels() {
    pixelOf_.resize(maps_.base[block_ + 1] - maps_.base[block_]);
    for (int32_t pixel = 0; pixel < kBlockPixels; ++pixel) {
      const auto [first, last] = maps_.at(block_, pixel);
      for (uint32_t i = first; i < last; ++i) pixelOf_[i - maps_.base[block_]] = pixel;
    }
  }

  void cutColumn(int32_t column) {
    const int32_t side = 1 << m_.columnShift;
    const int32_t corner = (column / m_.columns() * side << kBlockShift) + column % m_.columns() * side;
    samples_.clear();
    bool several = false;
    for (int32_t y = 0; y < side; ++y) {
      for (int32_t x = 0; x < side; ++x) {
        const auto [first, last] = maps_.at(block_, corner + (y << kBlockShift) + x);
        for (uint32_t i = first; i < last; ++i) samples_.push_back(i);
        several = several || last - first > 1;
      }
    }
    // The order does not matter where nothing lies above anything.
    if (several) {
      std::sort(samples_.begin(), samples_.end(),
                [&](uint32_t a, uint32_t b) { return std::tuple(maps_.z[a], a) < std::tuple(maps_.z[b], b); });
    }
    for (const uint32_t seed : samples_) {
      if (of_[seed] == kNone) grow(seed, column);
    }
  }

  void grow(uint32_t seed, int32_t column) {
    const auto id = static_cast<uint32_t>(low.size());
    low.push_back(maps_.z[seed]);
    high.push_back(maps_.z[seed]);
    taken_.resize(kBlockPixels, kNone);
    const auto add = [&](uint32_t sample) {
      of_[sample] = id;
      taken_[static_cast<size_t>(pixelOf_[sample - maps_.base[block_]])] = id;
      low.back() = std::min(low.back(), maps_.z[sample]);
      high.back() = std::max(high.back(), maps_.z[sample]);
      queue_.push_back(sample);
    };
    queue_.clear();
    add(seed);
    for (size_t done = 0; done < queue_.size();) {
      for (const uint32_t next : links_.to[queue_[done++]]) {
        if (next == kNone || next < maps_.base[block_] || next >= maps_.base[block_ + 1] || of_[next] != kNone)
          continue;
        const int32_t pixel = pixelOf_[next - maps_.base[block_]];
        if (m_.columnOf(pixel) != column || taken_[static_cast<size_t>(pixel)] == id) continue;
        add(next);
      }
    }
  }

  const DepthMaps& maps_;
  const Links& links_;
  const Measures& m_;
  uint32_t block_;
  std::vector<uint32_t>& of_;
  std::vector<int32_t> pixelOf_;
  std::vector<uint32_t> samples_;
  std::vector<uint32_t> queue_;
  std::vector<uint32_t> taken_;  // of each pixel: the last fragment that has it
};

using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;

// The pairs of fragments with linked samples, once per link, and those with neighbours that are not linked.
void findNeighbours(const std::vector<std::array<uint32_t, 4>>& neighbours, const DepthMaps& maps, const Links& links,
                    const std::vector<uint32_t>& of, uint32_t block, Pairs& linked, Pairs& touching) {
  if (maps.begin[block].empty()) return;
  for (int32_t pixel = 0; pixel < kBlockPixels; ++pixel) {
    const auto [first, last] = maps.at(block, pixel);
    for (uint32_t a = first; a < last; ++a) {
      for (const Direction direction : {kRight, kUp}) {
        const uint32_t b = links.to[a][direction];
        if (b != kNone) {
          if (of[a] != of[b]) linked.push_back(std::minmax(of[a], of[b]));
          continue;
        }
        uint32_t next = block;
        const int32_t beside = step(neighbours, next, pixel, direction);
        if (next == kNone) continue;
        const auto [from, to] = maps.at(next, beside);
        for (uint32_t c = from; c < to; ++c) touching.push_back(std::minmax(of[a], of[c]));
      }
    }
  }
  std::sort(linked.begin(), linked.end());
  std::sort(touching.begin(), touching.end());
  touching.erase(std::unique(touching.begin(), touching.end()), touching.end());
}

// Equal pairs counted.
std::vector<FragmentLink> count(const Pairs& pairs) {
  std::vector<FragmentLink> result;
  for (size_t i = 0, j = 0; i < pairs.size(); i = j) {
    while (j < pairs.size() && pairs[j] == pairs[i]) ++j;
    result.push_back({pairs[i].first, pairs[i].second, static_cast<uint32_t>(j - i)});
  }
  return result;
}

}  // namespace

Fragments makeFragments(const std::vector<std::array<uint32_t, 4>>& neighbours, const DepthMaps& maps,
                        const Links& links, const Measures& measures, const Context& context) {
  Fragments result;
  result.of.assign(maps.count(), kNone);
  const auto n = static_cast<uint32_t>(neighbours.size());
  std::vector<BlockFragments> parts;
  parts.reserve(n);
  for (uint32_t i = 0; i < n; ++i) parts.emplace_back(maps, links, measures, i, result.of);
  parallelFor(n, context, [&](size_t i) {
    parts[i].run();
    parts[i].release();
  });
  std::vector<uint32_t> base(n + 1, 0);
  for (uint32_t i = 0; i < n; ++i) base[i + 1] = base[i] + static_cast<uint32_t>(parts[i].low.size());
  for (uint32_t i = 0; i < n; ++i) {
    result.low.insert(result.low.end(), parts[i].low.begin(), parts[i].low.end());
    result.high.insert(result.high.end(), parts[i].high.begin(), parts[i].high.end());
    for (const auto& [a, b] : parts[i].conflicts) result.conflicts.emplace_back(a + base[i], b + base[i]);
    for (uint32_t s = maps.base[i]; s < maps.base[i + 1]; ++s) result.of[s] += base[i];
  }
  if (context.cancelled()) return result;
  std::vector<std::vector<FragmentLink>> linked(n);
  std::vector<Pairs> touching(n);
  parallelFor(n, context, [&](size_t i) {
    Pairs pairs;
    findNeighbours(neighbours, maps, links, result.of, static_cast<uint32_t>(i), pairs, touching[i]);
    linked[i] = count(pairs);
  });
  for (uint32_t i = 0; i < n; ++i) {
    result.links.insert(result.links.end(), linked[i].begin(), linked[i].end());
    result.touching.insert(result.touching.end(), touching[i].begin(), touching[i].end());
  }
  return result;
}

}  // namespace wend::voxel
