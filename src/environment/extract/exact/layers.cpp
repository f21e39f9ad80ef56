#include "environment/extract/exact/layers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "base/parallel_sort.h"

namespace wend::exact {
namespace {

constexpr size_t kBlock = 1024;  // patches per task

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
  bool wanted(uint32_t edge) const { return selection_.component[edges_.patch[edge]] != kNone; }
  bool joins(const Link& link) const {
    return wanted(link.e) && wanted(link.g) && edges_.patch[link.e] != edges_.patch[link.g];
  }
  // Calls body(other patch, edge) for every edge of the patch that another wanted patch shares.
  template <typename Body>
  void forMatches(uint32_t patch, Body&& body) const {
    if (selection_.component[patch] == kNone) return;
    const uint32_t end = patches_.rings.begin[patches_.firstRing[patch + 1]];
    for (uint32_t e = patches_.firstPoint(patch); e < end; ++e) {
      const uint32_t g = links_.match[e];
      if (g != kNone && wanted(g) && edges_.patch[g] != patch) body(edges_.patch[g], e);
    }
  }
  double lengthOf(uint32_t edge) const {
    const Point a = patches_.rings.points[edge];
    const Point b = patches_.rings.points[edges_.next[edge]];
    const double x = double(b.x) - a.x;
    const double y = double(b.y) - a.y;
    return std::sqrt(x * x + y * y);
  }
  template <typename Body>
  void forPatches(const Body& body) const {
    parallelBlocks(patches_.count(), kBlock, context_, [&](size_t begin, size_t end) {
      for (auto p = static_cast<uint32_t>(begin); p < end; ++p) body(p);
    });
  }

  void collectNeighbours() {
    const uint32_t n = patches_.count();
    neighbours_.begin.assign(n + 1, 0);
    forPatches([&](uint32_t p) { forMatches(p, [&](uint32_t, uint32_t) { ++neighbours_.begin[p + 1]; }); });
    for (const Link& link : links_.list) {
      if (!joins(link)) continue;
      ++neighbours_.begin[edges_.patch[link.e] + 1];
      ++neighbours_.begin[edges_.patch[link.g] + 1];
    }
    for (uint32_t i = 0; i < n; ++i) neighbours_.begin[i + 1] += neighbours_.begin[i];
    neighbours_.items.resize(neighbours_.begin.back());
    std::vector<uint32_t> fill(neighbours_.begin.begin(), neighbours_.begin.end() - 1);
    forPatches([&](uint32_t p) {
      forMatches(p, [&](uint32_t q, uint32_t e) { neighbours_.items[fill[p]++] = {q, false, lengthOf(e)}; });
    });
    for (const Link& link : links_.list) {
      if (!joins(link)) continue;
      const uint32_t p = edges_.patch[link.e];
      const uint32_t q = edges_.patch[link.g];
      const bool stepped = link.rise > tol_.contact;
      neighbours_.items[fill[p]++] = {q, stepped, link.length};
      neighbours_.items[fill[q]++] = {p, stepped, link.length};
    }
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
    // Flat before stepped, then longer first, then smaller ids: one number.
    const auto keyOf = [](bool stepped, double length, uint32_t patch) {
      const uint64_t shortness = ~std::bit_cast<uint32_t>(static_cast<float>(length)) & 0x7fffffff;
      return uint64_t{stepped} << 63 | shortness << 32 | patch;
    };
    std::vector<uint64_t> heap;
    // For which layer each patch waits in the heap, and with which rank: it need not wait with a worse one too.
    struct Waiting {
      uint32_t layer = kNone;
      uint32_t rank = 0;
    };
    std::vector<Waiting> waiting(n);
    for (const auto& [low, start] : starts) {
      if (plan_.layer[start] != kNone) continue;
      const uint32_t id = plan_.count++;
      heap.assign(1, start);
      while (!heap.empty()) {
        std::pop_heap(heap.begin(), heap.end(), std::greater<>());
        const auto p = static_cast<uint32_t>(heap.back());
        heap.pop_back();
        if (plan_.layer[p] != kNone || blocked[p] == id) continue;
        plan_.layer[p] = id;
        for (const uint32_t q : conflicts_.of(p)) blocked[q] = id;
        for (const Neighbour& next : neighbours_.of(p)) {
          if (plan_.layer[next.patch] != kNone || blocked[next.patch] == id) continue;
          const uint64_t key = keyOf(next.stepped, next.length, next.patch);
          const auto rank = static_cast<uint32_t>(key >> 32);
          if (waiting[next.patch].layer == id && waiting[next.patch].rank <= rank) continue;
          waiting[next.patch] = {id, rank};
          heap.push_back(key);
          std::push_heap(heap.begin(), heap.end(), std::greater<>());
        }
      }
    }
  }

  void mergeLinked() {
    if (plan_.count < 2) return;
    std::map<std::pair<uint32_t, uint32_t>, double> common;
    for (uint32_t p = 0; p < patches_.count(); ++p) {
      for (const Neighbour& next : neighbours_.of(p)) {
        // Each link is listed by both of its patches.
        if (plan_.layer[p] < plan_.layer[next.patch]) common[{plan_.layer[p], plan_.layer[next.patch]}] += next.length;
      }
    }
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
