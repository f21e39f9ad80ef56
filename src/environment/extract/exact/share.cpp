#include "environment/extract/exact/share.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/parallel.h"

namespace wend::exact {
namespace {

// Layers that each part tries at most; more would cost more than a layer.
constexpr size_t kMaxTries = 16;
constexpr size_t kBlock = 256;  // edges per task

class LayerSharing {
 public:
  LayerSharing(const Facets& facets, const Patches& patches, const Edges& edges, const Links& links,
               const Selection& selection, const std::vector<std::pair<uint32_t, uint32_t>>& conflicts,
               const Tolerances& tolerances, const Context& context, LayerPlan& plan)
      : facets_(facets),
        patches_(patches),
        edges_(edges),
        links_(links),
        selection_(selection),
        conflicts_(conflicts),
        tol_(tolerances),
        context_(context),
        plan_(plan) {}

  void run() {
    measure();
    if (std::find(layersOf_.begin(), layersOf_.end(), 1U) == layersOf_.end()) return;
    enemies_.resize(plan_.count);
    for (const auto& [p, q] : conflicts_) oppose(plan_.layer[p], plan_.layer[q]);
    findTouches();
    move();
  }

 private:
  struct Measure {
    double area = 0;
    double low = 1e300;
    double high = -1e300;
    uint32_t component = kNone;
  };

  void measure() {
    measures_.resize(plan_.count);
    layersOf_.assign(selection_.components, 0);
    for (uint32_t p = 0; p < patches_.count(); ++p) {
      if (plan_.layer[p] == kNone) continue;
      Measure& m = measures_[plan_.layer[p]];
      const Facet& facet = facets_.list[patches_.facet[p]];
      if (m.component == kNone) ++layersOf_[selection_.component[p]];
      m.component = selection_.component[p];
      m.area += patches_.area(p);
      m.low = std::min(m.low, facet.low);
      m.high = std::max(m.high, facet.high);
    }
  }

  void oppose(uint32_t i, uint32_t j) {
    if (i == j) return;
    enemies_[i].insert(j);
    enemies_[j].insert(i);
  }

  // Only parts of one layer move: the layers of a larger part stand in a certain order.
  bool moves(uint32_t layer) const { return layersOf_[measures_[layer].component] == 1; }

  // Layers that come so near one that may move that it would have to give way.
  void findTouches() {
    const auto reach = static_cast<int32_t>(std::ceil(2 * tol_.wall));
    std::vector<uint32_t> open;
    std::vector<BoxTree::Extent> extents;
    for (uint32_t e = 0; e < links_.match.size(); ++e) {
      const uint32_t layer = plan_.layer[edges_.patch[e]];
      if (layer == kNone) continue;
      const uint32_t g = links_.match[e];
      if (g != kNone && plan_.layer[edges_.patch[g]] == layer) continue;
      const Point a = patches_.rings.points[e];
      const Point b = patches_.rings.points[edges_.next[e]];
      open.push_back(e);
      const Box box = boxOf(a, b);
      extents.push_back({{{box.min.x - reach, box.min.y - reach}, {box.max.x + reach, box.max.y + reach}}});
    }
    const BoxTree tree(extents, &context_);
    const size_t blocks = (open.size() + kBlock - 1) / kBlock;
    std::vector<std::vector<std::pair<uint32_t, uint32_t>>> found(blocks);
    parallelFor(blocks, context_, [&](size_t block) {
      auto& pairs = found[block];
      for (size_t at = block * kBlock; at < std::min(open.size(), (block + 1) * kBlock); ++at) {
        const uint32_t i = tree.items()[at];
        const uint32_t li = plan_.layer[edges_.patch[open[i]]];
        if (!moves(li)) continue;
        tree.forEach(extents[i].box, [&](uint32_t k) {
          const uint32_t lk = plan_.layer[edges_.patch[open[k]]];
          if (li == lk || (k < i && moves(lk)) || (!pairs.empty() && pairs.back() == std::pair(li, lk)) ||
              enemies_[li].contains(lk))
            return;
          if (distance(open[i], open[k]) <= reach) pairs.emplace_back(li, lk);
        });
      }
    });
    for (const auto& pairs : found) {
      for (const auto& [i, j] : pairs) oppose(i, j);
    }
  }

  double distance(uint32_t e, uint32_t g) const {
    const Point a = patches_.rings.points[e];
    const Point b = patches_.rings.points[edges_.next[e]];
    const Point c = patches_.rings.points[g];
    const Point d = patches_.rings.points[edges_.next[g]];
    return std::min({toSegment(a, b, c), toSegment(a, b, d), toSegment(c, d, a), toSegment(c, d, b)});
  }
  static double toSegment(Point a, Point b, Point p) {
    const double x = double(b.x) - a.x;
    const double y = double(b.y) - a.y;
    const double px = double(p.x) - a.x;
    const double py = double(p.y) - a.y;
    const double t = std::clamp((px * x + py * y) / (x * x + y * y), 0.0, 1.0);
    const double dx = px - t * x;
    const double dy = py - t * y;
    return std::sqrt(dx * dx + dy * dy);
  }

  void move() {
    std::vector<uint32_t> movers;
    std::vector<uint32_t> hosts;
    for (uint32_t i = 0; i < plan_.count; ++i) {
      (moves(i) ? movers : hosts).push_back(i);
    }
    std::stable_sort(movers.begin(), movers.end(),
                     [&](uint32_t i, uint32_t j) { return measures_[i].area > measures_[j].area; });
    std::vector<uint32_t> into(plan_.count);
    for (uint32_t i = 0; i < plan_.count; ++i) into[i] = i;
    for (const uint32_t mover : movers) {
      uint32_t host = kNone;
      size_t tries = 0;
      for (size_t k = 0; k < hosts.size() && host == kNone && tries < kMaxTries; ++k) {
        const Measure& h = measures_[hosts[k]];
        const Measure& m = measures_[mover];
        if (m.low > h.high + tol_.height || m.high < h.low - tol_.height) continue;
        ++tries;
        if (!enemies_[hosts[k]].contains(mover)) host = hosts[k];
      }
      if (host == kNone) {
        hosts.push_back(mover);
        continue;
      }
      into[mover] = host;
      enemies_[host].insert(enemies_[mover].begin(), enemies_[mover].end());
    }
    std::vector<uint32_t> number(plan_.count, kNone);
    uint32_t count = 0;
    for (uint32_t i = 0; i < plan_.count; ++i) {
      if (into[i] == i) number[i] = count++;
    }
    for (uint32_t& layer : plan_.layer) {
      if (layer != kNone) layer = number[into[layer]];
    }
    plan_.count = count;
  }

  const Facets& facets_;
  const Patches& patches_;
  const Edges& edges_;
  const Links& links_;
  const Selection& selection_;
  const std::vector<std::pair<uint32_t, uint32_t>>& conflicts_;
  const Tolerances& tol_;
  const Context& context_;
  LayerPlan& plan_;
  std::vector<Measure> measures_;
  std::vector<uint32_t> layersOf_;
  std::vector<std::set<uint32_t>> enemies_;
};

}  // namespace

void shareLayers(const Facets& facets, const Patches& patches, const Edges& edges, const Links& links,
                 const Selection& selection, const std::vector<std::pair<uint32_t, uint32_t>>& conflicts,
                 const Tolerances& tolerances, const Context& context, LayerPlan& plan) {
  if (plan.count < 2) return;
  LayerSharing(facets, patches, edges, links, selection, conflicts, tolerances, context, plan).run();
}

}  // namespace wend::exact
