#include "planning/corridor/bottleneck.h"

#include <algorithm>
#include <numeric>

namespace wend {

CorridorBottleneck::CorridorBottleneck(const CorridorGraph& graph) : links_(graph.map().vertices.size()) {
  const CorridorMap& map = graph.map();
  std::vector<uint32_t> order(map.edges.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return map.edges[a].minClearance > map.edges[b].minClearance; });
  std::vector<uint32_t> size(map.vertices.size(), 1);
  const auto root = [&](uint32_t v) {
    while (links_[v].parent != kNone) v = links_[v].parent;
    return v;
  };
  uint32_t made = 0;
  for (const uint32_t e : order) {
    uint32_t a = root(map.edges[e].from);
    uint32_t b = root(map.edges[e].to);
    if (a == b) continue;
    if (size[a] < size[b]) std::swap(a, b);
    size[a] += size[b];
    links_[b] = {a, made++, map.edges[e].minClearance};
  }
}

double CorridorBottleneck::between(uint32_t from, uint32_t to) const {
  double least = std::numeric_limits<double>::infinity();
  // Of two different vertices the one whose link is older is below the point where their ways meet.
  while (from != to) {
    if (links_[from].order > links_[to].order) std::swap(from, to);
    if (links_[from].parent == kNone) return -1;
    least = std::min(least, links_[from].clearance);
    from = links_[from].parent;
  }
  return least;
}

double CorridorBottleneck::between(const CorridorGraph& graph, const AxisPoint& from, const AxisPoint& to) const {
  const CorridorMap& map = graph.map();
  double best = -1;
  if (from.edge == to.edge) best = leastClearanceBetween(graph, from, to);
  const CorridorMap::Edge& a = map.edges[from.edge];
  const CorridorMap::Edge& b = map.edges[to.edge];
  for (const auto& [start, leastStart] : {std::pair{a.from, from.leastToStart}, std::pair{a.to, from.leastToEnd}}) {
    for (const auto& [end, leastEnd] : {std::pair{b.from, to.leastToStart}, std::pair{b.to, to.leastToEnd}}) {
      const double ends = std::min(leastStart, leastEnd);
      if (ends > best) best = std::max(best, std::min(ends, between(start, end)));
    }
  }
  return best;
}

}  // namespace wend
