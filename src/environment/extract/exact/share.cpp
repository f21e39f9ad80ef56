#include "environment/extract/exact/share.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/parallel.h"

namespace wend::exact {
namespace {

// Layers that each part tries at most; more would cost more than a layer.
constexpr size_t kMaxTries = 16;
constexpr size_t kBlock = 32;  // leaves per task

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
    std::vector<uint32_t> layers;  // of the open edges
    std::vector<BoxTree::Extent> extents;
    for (uint32_t e = 0; e < links_.match.size(); ++e) {
      const uint32_t layer = plan_.layer[edges_.patch[e]];
      if (layer == kNone) continue;
      const uint32_t g = links_.match[e];
      if (g != kNone && plan_.layer[edges_.patch[g]] == layer) continue;
      const Point a = patches_.rings.points[e];
      const Point b = patches_.rings.points[edges_.next[e]];
      open.push_back(e);
      layers.push_back(layer);
      // In place of heights: those of two layers that stay do not meet.
      const bool mover = moves(layer);
      extents.push_back({boxOf(a, b), mover ? 0 : 1, mover ? 2 : 1});
    }
    const BoxTree tree(extents, &context_);
    const size_t blocks = (tree.leaves() + kBlock - 1) / kBlock;
    std::vector<std::vector<std::pair<uint32_t, uint32_t>>> found(blocks);
    parallelFor(blocks, context_, [&](size_t block) {
      auto& pairs = found[block];
      // Edges of two layers meet many times.
      std::array<std::pair<uint32_t, uint32_t>, 64> lately;
      lately.fill({kNone, kNone});
      for (size_t leaf = block * kBlock; leaf < std::min(tree.leaves(), (block + 1) * kBlock); ++leaf) {
        tree.forEachPair(leaf, reach + 1, 0, [&](uint32_t i, uint32_t k) {
          const std::pair<uint32_t, uint32_t> pair = std::minmax(layers[i], layers[k]);
          auto& known = lately[(7 * pair.first + pair.second) % lately.size()];
          if (pair.first == pair.second || known == pair || enemies_[pair.first].contains(pair.second) ||
              !areNear(open[i], open[k], reach)) {
            return;
          }
          pairs.push_back(pair);
          known = pair;
        });
      }
      std::sort(pairs.begin(), pairs.end());
      pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    });
    for (const auto& pairs : found) {
      for (const auto& [i, j] : pairs) oppose(i, j);
    }
  }

  bool areNear(uint32_t e, uint32_t g, double reach) const {
    const Point a = patches_.rings.points[e];
    const Point b = patches_.rings.points[edges_.next[e]];
    const Point c = patches_.rings.points[g];
    const Point d = patches_.rings.points[edges_.next[g]];
    if (liesBeside(a, b, c, d, reach + 1) || liesBeside(c, d, a, b, reach + 1)) return false;
    const double nearest = std::min(
        {squareToSegment(a, b, c), squareToSegment(a, b, d), squareToSegment(c, d, a), squareToSegment(c, d, b)});
    return nearest <= reach * reach;
  }
  // Whether both c and d lie on one side of the line through a and b, farther away than given. Most do.
  static bool liesBeside(Point a, Point b, Point c, Point d, double distance) {
    const double x = double(b.x) - a.x;
    const double y = double(b.y) - a.y;
    const double leftC = x * (double(c.y) - a.y) - y * (double(c.x) - a.x);
    const double leftD = x * (double(d.y) - a.y) - y * (double(d.x) - a.x);
    const double nearer = std::min(leftC * leftC, leftD * leftD);
    return (leftC > 0) == (leftD > 0) && nearer > distance * distance * (x * x + y * y);
  }
  static double squareToSegment(Point a, Point b, Point p) {
    const double x = double(b.x) - a.x;
    const double y = double(b.y) - a.y;
    const double px = double(p.x) - a.x;
    const double py = double(p.y) - a.y;
    const double t = std::clamp((px * x + py * y) / (x * x + y * y), 0.0, 1.0);
    const double dx = px - t * x;
    const double dy = py - t * y;
    return dx * dx + dy * dy;
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
