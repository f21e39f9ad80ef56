#include "metrics/hale_graph.h"

#include <algorithm>
#include <cmath>
#include <queue>

#include "geometry/vec2.h"
#include "mesh/cell_centroid.h"
#include "mesh/cell_geometry.h"

namespace wend {
namespace {

// Gateways whose remaining width is below this are closed, metres.
constexpr double kClosed = 1e-9;

// Ways of the greedy flow at most: each costs a search. Cells in two rows have thousands of ways whose widths differ in
// the last digits.
constexpr uint32_t kMaxWays = 50;

struct Components {
  std::vector<uint32_t> of;    // per cell
  std::vector<uint32_t> size;  // per component
  std::vector<CellId> first;   // smallest cell
};

Components componentsOf(const RegionGraph& graph) {
  const NavMesh& mesh = graph.mesh();
  Components result;
  result.of.assign(mesh.cellCount(), kNone);
  std::vector<CellId> stack;
  for (CellId start = 0; start < mesh.cellCount(); ++start) {
    if (result.of[start] != kNone) continue;
    const auto id = static_cast<uint32_t>(result.size.size());
    result.size.push_back(0);
    result.first.push_back(start);
    result.of[start] = id;
    stack.push_back(start);
    while (!stack.empty()) {
      const CellId cell = stack.back();
      stack.pop_back();
      ++result.size[id];
      for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
        const CellId other = mesh.neighbour(s);
        if (other == kNone || result.of[other] != kNone) continue;
        result.of[other] = id;
        stack.push_back(other);
      }
    }
  }
  return result;
}

// The diameter of one component by iFUB (Crescenzi, Grossi, Habib, Lanzi, Marino 2013): searches from a middle cell's
// farthest levels inwards, until what is left cannot be farther apart.
class DiameterSearch {
 public:
  DiameterSearch(const RegionGraph& graph, uint32_t& searches) : graph_(graph), searches_(searches) {}

  uint32_t low = 0;
  uint32_t high = 0;
  CellId start = kNone;
  CellId goal = kNone;

  void run(CellId any, uint32_t size) {
    start = search(any);
    goal = search(start);
    low = distance_[goal];
    high = size - 1;
    if (low == high) return;
    // The middle of the way between the two, then from there the levels.
    CellId middle = goal;
    for (uint32_t i = 0; i < low / 2; ++i) middle = towardsStart(middle);
    const CellId rim = search(middle);
    std::vector<std::vector<CellId>> levels(distance_[rim] + 1);
    for (CellId c = 0; c < distance_.size(); ++c) {
      if (distance_[c] != kNone) levels[distance_[c]].push_back(c);
    }
    for (auto level = static_cast<uint32_t>(levels.size() - 1);; --level) {
      high = std::min(high, std::max(low, 2 * level));
      if (low >= high) return;
      for (const CellId c : levels[level]) {
        if (searches_ == 0) return;
        low = std::max(low, distance_[search(c)]);
        if (low >= high) return;
      }
    }
  }

 private:
  CellId search(CellId from) {
    searches_ -= searches_ > 0 ? 1 : 0;
    return graph_.distances(from, distance_);
  }
  CellId towardsStart(CellId cell) const {
    const NavMesh& mesh = graph_.mesh();
    for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
      const CellId other = mesh.neighbour(s);
      if (other != kNone && distance_[other] + 1 == distance_[cell]) return other;
    }
    return cell;
  }
  const RegionGraph& graph_;
  uint32_t& searches_;
  std::vector<uint32_t> distance_;
};

// The sides by which a way leaves its cells, from the goal back.
template <typename Visit>
void forWay(const NavMesh& mesh, const std::vector<SideId>& entry, CellId from, CellId to, const Visit& visit) {
  for (CellId c = to; c != from;) {
    const SideId in = entry[c];
    if (in == kNone) return;
    visit(in);
    c = mesh.cellOf(in);
  }
}

double narrowest(const NavMesh& mesh, const std::vector<SideId>& entry, std::span<const double> residual, CellId from,
                 CellId to) {
  double least = HUGE_VAL;
  forWay(mesh, entry, from, to, [&](SideId s) { least = std::min(least, residual[s]); });
  return least;
}

// The way whose narrowest portal is widest: Dijkstra's search with the least width in place of the length.
double widestWay(const RegionGraph& graph, CellId from, CellId to) {
  const NavMesh& mesh = graph.mesh();
  std::vector<double> best(mesh.cellCount(), -1);
  std::priority_queue<std::pair<double, CellId>> open;
  best[from] = HUGE_VAL;
  open.emplace(HUGE_VAL, from);
  while (!open.empty()) {
    const auto [width, cell] = open.top();
    open.pop();
    if (cell == to) return width;
    if (width < best[cell]) continue;
    for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
      if (graph.width(s) <= kClosed) continue;
      const CellId other = mesh.neighbour(s);
      const double through = std::min(width, graph.width(s));
      if (through <= best[other]) continue;
      best[other] = through;
      open.emplace(through, other);
    }
  }
  return 0;
}

// The width of each gateway, at its side; 0 at all other sides.
std::vector<double> widths(const RegionGraph& graph) {
  std::vector<double> result(graph.mesh().sideCount());
  for (SideId s = 0; s < graph.mesh().sideCount(); ++s) result[s] = graph.width(s);
  return result;
}

// Dinic's search: levels from the start, then ways along rising levels until none is left.
class FlowSearch {
 public:
  FlowSearch(const RegionGraph& graph, CellId from, CellId to)
      : mesh_(graph.mesh()), from_(from), to_(to), residual_(widths(graph)), at_(mesh_.cellCount()) {}

  // What can still flow over gateways of more than `least` metres.
  double run(double least) {
    double flow = 0;
    while (makeLevels(least)) {
      for (CellId c = 0; c < mesh_.cellCount(); ++c) at_[c] = mesh_.firstSide(c);
      flow += block(least);
    }
    return flow;
  }

 private:
  bool makeLevels(double least) {
    level_.assign(mesh_.cellCount(), kNone);
    level_[from_] = 0;
    std::vector<CellId> queue{from_};
    for (size_t i = 0; i < queue.size() && level_[to_] == kNone; ++i) {
      for (SideId s = mesh_.firstSide(queue[i]); s < mesh_.endSide(queue[i]); ++s) {
        if (residual_[s] <= least || level_[mesh_.neighbour(s)] != kNone) continue;
        level_[mesh_.neighbour(s)] = level_[queue[i]] + 1;
        queue.push_back(mesh_.neighbour(s));
      }
    }
    return level_[to_] != kNone;
  }

  double block(double least) {
    double flow = 0;
    way_.clear();
    for (CellId cell = from_;;) {
      SideId& s = at_[cell];
      const SideId end = mesh_.endSide(cell);
      while (s < end && (residual_[s] <= least || level_[mesh_.neighbour(s)] != level_[cell] + 1)) ++s;
      if (s < end) {
        way_.push_back(s);
        cell = mesh_.neighbour(s);
      } else if (way_.empty()) {
        return flow;
      } else {
        cell = mesh_.cellOf(way_.back());
        ++at_[cell];
        way_.pop_back();
      }
      if (cell != to_) continue;
      flow += push();
      // On from the last cell that still has room behind it.
      size_t kept = 0;
      while (kept < way_.size() && residual_[way_[kept]] > least) ++kept;
      cell = kept < way_.size() ? mesh_.cellOf(way_[kept]) : from_;
      way_.resize(kept);
    }
  }

  double push() {
    double least = HUGE_VAL;
    for (const SideId s : way_) least = std::min(least, residual_[s]);
    for (const SideId s : way_) {
      residual_[s] -= least;
      residual_[mesh_.twin(s)] += least;
    }
    return least;
  }

  const NavMesh& mesh_;
  CellId from_;
  CellId to_;
  std::vector<double> residual_;  // per side
  std::vector<uint32_t> level_;
  std::vector<SideId> at_;  // per cell: the next side to try
  std::vector<SideId> way_;
};

}  // namespace

RegionGraph::RegionGraph(const NavMesh& mesh)
    : mesh_(mesh), widths_(mesh.sideCount(), 0), lengths_(mesh.sideCount(), 0) {
  centroids_.reserve(mesh.cellCount());
  std::vector<std::pair<CellId, SideId>> portals;
  for (CellId c = 0; c < mesh.cellCount(); ++c) {
    centroids_.push_back(centroidOf(mesh, c));
    portals.clear();
    for (SideId s = mesh.firstSide(c); s < mesh.endSide(c); ++s) {
      if (!mesh.isWall(s) && mesh.neighbour(s) > c) portals.emplace_back(mesh.neighbour(s), s);
    }
    std::sort(portals.begin(), portals.end());
    for (size_t i = 0, j = 0; i < portals.size(); i = j) {
      SideId longest = portals[i].second;
      double width = 0;
      for (; j < portals.size() && portals[j].first == portals[i].first; ++j) {
        width += sideLength(portals[j].second);
        if (sideLength(portals[j].second) > sideLength(longest)) longest = portals[j].second;
      }
      widths_[longest] = widths_[mesh.twin(longest)] = width;
    }
  }
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    if (widths_[s] <= 0) continue;
    const Vec2 a = startPoint(mesh, s);
    const Vec2 b = endPoint(mesh, s);
    const Vec2 middle = mesh.lattice().toMetres(Vec2{(a.x + b.x) / 2, (a.y + b.y) / 2});
    lengths_[s] = distance(centroids_[mesh.cellOf(s)], middle) + distance(middle, centroids_[mesh.neighbour(s)]);
  }
}

double RegionGraph::sideLength(SideId side) const {
  return distance(startPoint(mesh_, side), endPoint(mesh_, side)) * mesh_.lattice().unit;
}

CellId RegionGraph::distances(CellId from, std::vector<uint32_t>& out) const {
  out.assign(mesh_.cellCount(), kNone);
  std::vector<CellId> queue{from};
  out[from] = 0;
  CellId farthest = from;
  for (size_t i = 0; i < queue.size(); ++i) {
    const CellId cell = queue[i];
    if (out[cell] > out[farthest] || (out[cell] == out[farthest] && cell < farthest)) farthest = cell;
    for (SideId s = mesh_.firstSide(cell); s < mesh_.endSide(cell); ++s) {
      const CellId other = mesh_.neighbour(s);
      if (other == kNone || out[other] != kNone) continue;
      out[other] = out[cell] + 1;
      queue.push_back(other);
    }
  }
  return farthest;
}

void RegionGraph::lengths(CellId from, std::span<const double> residual, std::vector<double>& out,
                          std::vector<SideId>* entry) const {
  out.assign(mesh_.cellCount(), HUGE_VAL);
  if (entry != nullptr) entry->assign(mesh_.cellCount(), kNone);
  using Item = std::pair<double, CellId>;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> open;
  out[from] = 0;
  open.emplace(0.0, from);
  while (!open.empty()) {
    const auto [way, cell] = open.top();
    open.pop();
    if (way > out[cell]) continue;
    for (SideId s = mesh_.firstSide(cell); s < mesh_.endSide(cell); ++s) {
      if ((residual.empty() ? widths_[s] : residual[s]) <= kClosed) continue;
      const CellId other = mesh_.neighbour(s);
      const double further = way + length(s);
      if (further >= out[other]) continue;
      out[other] = further;
      if (entry != nullptr) (*entry)[other] = s;
      open.emplace(further, other);
    }
  }
}

double maximumFlow(const RegionGraph& graph, CellId from, CellId to) {
  if (from == to) return 0;
  FlowSearch search(graph, from, to);
  const std::vector<double> all = widths(graph);
  // Wide ways first, by halves: without that, cells in two rows take a way per cell.
  double flow = 0;
  for (double least = *std::max_element(all.begin(), all.end()); least > kClosed; least /= 4) flow += search.run(least);
  return flow + search.run(kClosed);
}

GraphMetrics measureHaleGraph(const NavMesh& mesh, uint32_t searches, const Context& context) {
  GraphMetrics m;
  if (mesh.empty()) return m;
  const RegionGraph graph(mesh);
  const Components components = componentsOf(graph);
  m.connected = components.size.size() == 1;
  std::vector<uint32_t> order(components.size.size());
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return components.size[a] > components.size[b]; });
  for (const uint32_t c : order) {
    if (components.size[c] <= m.diameterAtLeast + 1 || context.cancelled()) break;
    if (searches < 2 && c != order[0]) {
      m.diameterAtMost = std::max(m.diameterAtMost, components.size[c] - 1);
      break;
    }
    DiameterSearch search(graph, searches);
    search.run(components.first[c], components.size[c]);
    m.diameterAtLeast = std::max(m.diameterAtLeast, search.low);
    m.diameterAtMost = std::max(m.diameterAtMost, search.high);
    if (c == order[0]) {
      m.start = search.start;
      m.goal = search.goal;
    }
  }
  if (m.start == kNone) m.start = m.goal = components.first[order[0]];
  if (m.start == m.goal) return m;

  std::vector<double> residual = widths(graph);
  std::vector<double> lengths;
  std::vector<SideId> entry;
  graph.lengths(m.start, residual, lengths, &entry);
  m.bottleneck = narrowest(mesh, entry, residual, m.start, m.goal);
  m.widestBottleneck = widestWay(graph, m.start, m.goal);
  for (uint32_t i = 0; i < kMaxWays && std::isfinite(lengths[m.goal]) && !context.cancelled(); ++i) {
    const double least = narrowest(mesh, entry, residual, m.start, m.goal);
    m.greedyFlow += least;
    forWay(mesh, entry, m.start, m.goal, [&](SideId s) {
      residual[s] -= least;
      residual[mesh.twin(s)] = residual[s];
    });
    graph.lengths(m.start, residual, lengths, &entry);
  }
  m.maximumFlow = maximumFlow(graph, m.start, m.goal);
  return m;
}

}  // namespace wend
