#include "environment/extract/voxel/layer_flooding.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <tuple>

namespace wend::voxel {
namespace {

// For each item the others it is paired with.
class Partners {
 public:
  template <typename Pairs, typename First, typename Second>
  Partners(uint32_t count, const Pairs& pairs, First first, Second second) : begin_(count + 1, 0) {
    for (const auto& p : pairs) {
      ++begin_[first(p) + 1];
      ++begin_[second(p) + 1];
    }
    for (uint32_t i = 0; i < count; ++i) begin_[i + 1] += begin_[i];
    items_.resize(begin_[count]);
    std::vector<uint32_t> next = begin_;
    for (const auto& p : pairs) {
      items_[next[first(p)]++] = second(p);
      items_[next[second(p)]++] = first(p);
    }
  }
  std::span<const uint32_t> of(uint32_t i) const {
    return std::span(items_).subspan(begin_[i], begin_[i + 1] - begin_[i]);
  }

 private:
  std::vector<uint32_t> begin_;
  std::vector<uint32_t> items_;
};

class LayerMaker {
 public:
  LayerMaker(const Fragments& fragments, const Measures& measures)
      : f_(fragments),
        m_(measures),
        links_(
            f_.count(), f_.links, [](const FragmentLink& l) { return l.a; }, [](const FragmentLink& l) { return l.b; }),
        conflicts_(
            f_.count(), f_.conflicts, [](const auto& p) { return p.first; }, [](const auto& p) { return p.second; }),
        layer_(f_.count(), kNone) {}

  LayerPlan run() {
    flood();
    mergeByBorder();
    shareLayers();
    return numbered();
  }

 private:
  uint32_t find(uint32_t layer) {
    while (root_[layer] != layer) layer = root_[layer] = root_[root_[layer]];
    return layer;
  }

  void flood() {
    order_.resize(f_.count());
    std::iota(order_.begin(), order_.end(), 0U);
    std::sort(order_.begin(), order_.end(),
              [&](uint32_t a, uint32_t b) { return std::tuple(f_.low[a], a) < std::tuple(f_.low[b], b); });
    for (const uint32_t v : order_) {
      if (layer_[v] == kNone) {
        const auto fresh = static_cast<uint32_t>(root_.size());
        root_.push_back(fresh);
        enemies_.emplace_back();
        enter(v, fresh);
      }
      for (const uint32_t u : links_.of(v)) {
        const uint32_t mine = find(layer_[v]);
        if (layer_[u] != kNone) {
          merge(mine, find(layer_[u]));
        } else if (fits(u, mine)) {
          enter(u, mine);
        }
      }
    }
  }

  bool fits(uint32_t fragment, uint32_t layer) {
    for (const uint32_t c : conflicts_.of(fragment)) {
      if (layer_[c] != kNone && find(layer_[c]) == layer) return false;
    }
    return true;
  }

  void enter(uint32_t fragment, uint32_t layer) {
    layer_[fragment] = layer;
    for (const uint32_t c : conflicts_.of(fragment)) {
      if (layer_[c] == kNone) continue;
      const uint32_t other = find(layer_[c]);
      enemies_[layer].insert(other);
      enemies_[other].insert(layer);
    }
  }

  void merge(uint32_t a, uint32_t b) {
    if (a == b || enemies_[a].contains(b)) return;
    if (std::tuple(enemies_[a].size(), b) < std::tuple(enemies_[b].size(), a)) std::swap(a, b);
    root_[b] = a;
    for (const uint32_t e : enemies_[b]) {
      enemies_[e].erase(b);
      enemies_[e].insert(a);
      enemies_[a].insert(e);
    }
    enemies_[b].clear();
  }

  void mergeByBorder() {
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> border;
    for (const FragmentLink& l : f_.links) {
      const uint32_t a = find(layer_[l.a]);
      const uint32_t b = find(layer_[l.b]);
      if (a != b) border[std::minmax(a, b)] += l.pixels;
    }
    std::vector<std::tuple<uint64_t, uint32_t, uint32_t>> pairs;
    for (const auto& [pair, pixels] : border) pairs.emplace_back(pixels, pair.first, pair.second);
    std::sort(pairs.begin(), pairs.end(), [](const auto& p, const auto& q) {
      return std::tuple(std::get<0>(q), std::get<1>(p), std::get<2>(p)) <
             std::tuple(std::get<0>(p), std::get<1>(q), std::get<2>(q));
    });
    for (const auto& [pixels, a, b] : pairs) merge(find(a), find(b));
  }

  // Layers that touch without a way through stay apart: a common layer would take a line of pixels from between them.
  void shareLayers() {
    struct Measure {
      int32_t low = kMaxCoordinate;
      int32_t high = -kMaxCoordinate;
      uint32_t fragments = 0;
    };
    std::vector<Measure> measure(root_.size());
    for (uint32_t i = 0; i < f_.count(); ++i) {
      Measure& m = measure[find(layer_[i])];
      m.low = std::min(m.low, f_.low[i]);
      m.high = std::max(m.high, f_.high[i]);
      ++m.fragments;
    }
    for (const auto& [a, b] : f_.touching) {
      const uint32_t p = find(layer_[a]);
      const uint32_t q = find(layer_[b]);
      if (p == q) continue;
      enemies_[p].insert(q);
      enemies_[q].insert(p);
    }
    std::vector<uint32_t> bySize;
    for (uint32_t i = 0; i < root_.size(); ++i) {
      if (root_[i] == i) bySize.push_back(i);
    }
    std::stable_sort(bySize.begin(), bySize.end(),
                     [&](uint32_t a, uint32_t b) { return measure[a].fragments > measure[b].fragments; });
    constexpr int kTries = 64;
    std::vector<uint32_t> hosts;
    for (const uint32_t guest : bySize) {
      int tries = 0;
      uint32_t host = kNone;
      for (size_t i = 0; i < hosts.size() && host == kNone && tries < kTries; ++i) {
        const Measure& h = measure[find(hosts[i])];
        const Measure& g = measure[guest];
        if (g.low > h.high + m_.height || g.high < h.low - m_.height) continue;
        ++tries;
        if (!enemies_[find(hosts[i])].contains(guest)) host = hosts[i];
      }
      if (host == kNone) {
        hosts.push_back(guest);
        continue;
      }
      const Measure h = measure[find(host)];
      merge(find(host), guest);
      measure[find(host)] = h;
    }
  }

  LayerPlan numbered() {
    LayerPlan plan;
    plan.layer.assign(f_.count(), kNone);
    std::vector<uint32_t> number(root_.size(), kNone);
    for (const uint32_t fragment : order_) {
      uint32_t& n = number[find(layer_[fragment])];
      if (n == kNone) n = plan.count++;
      plan.layer[fragment] = n;
    }
    return plan;
  }

  const Fragments& f_;
  const Measures& m_;
  Partners links_;
  Partners conflicts_;
  std::vector<uint32_t> layer_;  // of each fragment; find() gives the one it is part of now
  std::vector<uint32_t> order_;
  std::vector<uint32_t> root_;               // of each layer
  std::vector<std::set<uint32_t>> enemies_;  // of each layer: those that lie above or below
};

}  // namespace

LayerPlan floodLayers(const Fragments& fragments, const Measures& measures) {
  if (measures.singleLayer) return {std::vector<uint32_t>(fragments.count(), 0), 1};
  return LayerMaker(fragments, measures).run();
}

}  // namespace wend::voxel
