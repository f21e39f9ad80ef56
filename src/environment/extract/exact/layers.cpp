#include "environment/extract/exact/layers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>
#include <set>
#include <tuple>

#include "base/parallel_sort.h"

namespace wend::exact {
namespace {

// Lists of neighbours in one array.
template <typename Item>
struct Lists {
  std::vector<uint32_t> begin;
  std::vector<Item> items;
  std::span<const Item> of(uint32_t i) const { return std::span(items).subspan(begin[i], begin[i + 1] - begin[i]); }
};

struct Neighbour {
  uint32_t patch;
  bool stepped;
  double length;
};

class LayerGrower {
 public:
  LayerGrower(const Facets& facets, const Patches& patches, const Edges& edges, const Links& links,
              const Selection& selection, const std::vector<std::pair<uint32_t, uint32_t>>& conflicts,
              const Tolerances& tolerances, const Context& context)
      : facets_(facets),
        patches_(patches),
        edges_(edges),
        links_(links),
        selection_(selection),
        tol_(tolerances),
        context_(context) {
    const uint32_t n = patches.count();
    conflicts_.begin.assign(n + 1, 0);
    for (const auto& [p, q] : conflicts) {
      ++conflicts_.begin[p + 1];
      ++conflicts_.begin[q + 1];
    }
    for (uint32_t i = 0; i < n; ++i) conflicts_.begin[i + 1] += conflicts_.begin[i];
    conflicts_.items.resize(conflicts_.begin.back());
    std::vector<uint32_t> fill(conflicts_.begin.begin(), conflicts_.begin.end() - 1);
    for (const auto& [p, q] : conflicts) {
      conflicts_.items[fill[p]++] = q;
      conflicts_.items[fill[q]++] = p;
    }
  }

  LayerPlan run() {
    collectNeighbours();
    grow();
    mergeLinked();
    return std::move(plan_);
  }

 private:
  template <typename Body>
  void forLinks(Body&& body) const {
    const auto wanted = [&](uint32_t e) { return selection_.component[edges_.patch[e]] != kNone; };
    for (uint32_t e = 0; e < links_.match.size(); ++e) {
      const uint32_t g = links_.match[e];
      if (g == kNone || g < e || !wanted(e) || !wanted(g) || edges_.patch[e] == edges_.patch[g]) continue;
      const Point a = patches_.rings.points[e];
      const Point b = patches_.rings.points[edges_.next[e]];
      const auto length = [&] {
        const double x = double(b.x) - a.x;
        const double y = double(b.y) - a.y;
        return std::sqrt(x * x + y * y);
      };
      body(edges_.patch[e], edges_.patch[g], length, false);
    }
    for (const Link& link : links_.list) {
      if (!wanted(link.e) || !wanted(link.g) || edges_.patch[link.e] == edges_.patch[link.g]) continue;
      body(
          edges_.patch[link.e], edges_.patch[link.g], [&] { return link.length; }, link.rise > tol_.contact);
    }
  }

  void collectNeighbours() {
    const uint32_t n = patches_.count();
    neighbours_.begin.assign(n + 1, 0);
    forLinks([&](uint32_t p, uint32_t q, auto&&, bool) {
      ++neighbours_.begin[p + 1];
      ++neighbours_.begin[q + 1];
    });
    for (uint32_t i = 0; i < n; ++i) neighbours_.begin[i + 1] += neighbours_.begin[i];
    neighbours_.items.resize(neighbours_.begin.back());
    std::vector<uint32_t> fill(neighbours_.begin.begin(), neighbours_.begin.end() - 1);
    forLinks([&](uint32_t p, uint32_t q, auto&& lengthOf, bool stepped) {
      const double length = lengthOf();
      neighbours_.items[fill[p]++] = {q, stepped, length};
      neighbours_.items[fill[q]++] = {p, stepped, length};
    });
  }

  void grow() {
    const uint32_t n = patches_.count();
    plan_.layer.assign(n, kNone);
    std::vector<std::pair<double, uint32_t>> starts;
    for (uint32_t p = 0; p < n; ++p) {
      if (selection_.component[p] != kNone) starts.emplace_back(facets_.list[patches_.facet[p]].low, p);
    }
    parallelSort(starts, context_, std::less<>());
    std::vector<uint32_t> blocked(n, kNone);  // the layer that a patch would overlap
    // Flat before stepped, then longer first, then smaller ids.
    using Entry = std::tuple<bool, double, uint32_t>;
    for (const auto& [low, start] : starts) {
      if (plan_.layer[start] != kNone) continue;
      const uint32_t id = plan_.count++;
      std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
      heap.emplace(false, 0.0, start);
      while (!heap.empty()) {
        const uint32_t p = std::get<2>(heap.top());
        heap.pop();
        if (plan_.layer[p] != kNone || blocked[p] == id) continue;
        plan_.layer[p] = id;
        for (const uint32_t q : conflicts_.of(p)) blocked[q] = id;
        for (const Neighbour& next : neighbours_.of(p)) {
          if (plan_.layer[next.patch] == kNone) heap.emplace(next.stepped, -next.length, next.patch);
        }
      }
    }
  }

  void mergeLinked() {
    std::map<std::pair<uint32_t, uint32_t>, double> common;
    forLinks([&](uint32_t p, uint32_t q, auto&& lengthOf, bool) {
      const auto [i, j] = std::minmax(plan_.layer[p], plan_.layer[q]);
      if (i != j) common[{i, j}] += lengthOf();
    });
    std::vector<std::set<uint32_t>> enemies(plan_.count);
    for (uint32_t p = 0; p < patches_.count(); ++p) {
      for (const uint32_t q : conflicts_.of(p)) enemies[plan_.layer[p]].insert(plan_.layer[q]);
    }
    std::vector<std::tuple<double, uint32_t, uint32_t>> order;
    for (const auto& [pair, length] : common) order.emplace_back(-length, pair.first, pair.second);
    std::sort(order.begin(), order.end());
    std::vector<uint32_t> into(plan_.count);
    for (uint32_t i = 0; i < plan_.count; ++i) into[i] = i;
    const auto find = [&](uint32_t i) {
      while (into[i] != i) i = into[i] = into[into[i]];
      return i;
    };
    for (const auto& [length, first, second] : order) {
      const auto [i, j] = std::minmax({find(first), find(second)});
      if (i == j || enemies[i].contains(j)) continue;
      into[j] = i;
      for (const uint32_t enemy : enemies[j]) {
        enemies[enemy].erase(j);
        enemies[enemy].insert(i);
        enemies[i].insert(enemy);
      }
      enemies[j].clear();
    }
    std::vector<uint32_t> number(plan_.count, kNone);
    uint32_t count = 0;
    for (uint32_t i = 0; i < plan_.count; ++i) {
      if (find(i) == i) number[i] = count++;
    }
    for (uint32_t& layer : plan_.layer) {
      if (layer != kNone) layer = number[find(layer)];
    }
    plan_.count = count;
  }

  const Facets& facets_;
  const Patches& patches_;
  const Edges& edges_;
  const Links& links_;
  const Selection& selection_;
  const Tolerances& tol_;
  const Context& context_;
  Lists<uint32_t> conflicts_;
  Lists<Neighbour> neighbours_;
  LayerPlan plan_;
};

}  // namespace

LayerPlan makeLayers(const Facets& facets, const Patches& patches, const Edges& edges, const Links& links,
                     const Selection& selection, const std::vector<std::pair<uint32_t, uint32_t>>& conflicts,
                     const Tolerances& tolerances, const Context& context) {
  return LayerGrower(facets, patches, edges, links, selection, conflicts, tolerances, context).run();
}

}  // namespace wend::exact
