#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>

#include "base/disjoint_sets.h"
#include "planning/navigation_graph/navigation_graph.h"

namespace wend {
namespace {

constexpr double kClosed = 1e-9;        // metres: a portal with less left is used up
constexpr uint32_t kMostWays = 100000;  // of one flow; each closes a portal, so this is never reached in practice

double widthOf(const NavMesh& mesh, SideId s) {
  const Vec2 a = mesh.vertex(mesh.startVertex(s));
  const Vec2 b = mesh.vertex(mesh.endVertex(s));
  return std::hypot(a.x - b.x, a.y - b.y) * mesh.lattice().unit;
}

}  // namespace

// Portals join cells from the widest to the narrowest; the portal that first joins the parts of two cells is the
// bottleneck between them.
Bottlenecks::Bottlenecks(const NavMesh& mesh) : joins_(mesh.cellCount()) {
  std::vector<SideId> portals;
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    if (!mesh.isWall(s) && s < mesh.twin(s)) portals.push_back(s);
  }
  std::vector<double> width(mesh.sideCount(), 0);
  for (const SideId s : portals) width[s] = widthOf(mesh, s);
  std::sort(portals.begin(), portals.end(),
            [&](SideId a, SideId b) { return width[a] != width[b] ? width[a] > width[b] : a < b; });
  std::vector<uint32_t> root(mesh.cellCount());  // the join that stands for each part, by its representative
  std::iota(root.begin(), root.end(), 0U);
  DisjointSets parts(mesh.cellCount());
  for (const SideId s : portals) {
    const uint32_t a = parts.find(mesh.cellOf(s));
    const uint32_t b = parts.find(mesh.neighbour(s));
    if (a == b) continue;
    const auto join = static_cast<uint32_t>(joins_.size());
    joins_.push_back({kNone, 0, width[s], s});
    joins_[root[a]].parent = join;
    joins_[root[b]].parent = join;
    parts.join(a, b);
    root[parts.find(a)] = join;
  }
  for (size_t i = joins_.size(); i-- > 0;) {
    if (joins_[i].parent != kNone) joins_[i].depth = joins_[joins_[i].parent].depth + 1;
  }
}

uint32_t Bottlenecks::meeting(CellId a, CellId b) const {
  uint32_t u = a;
  uint32_t v = b;
  while (u != v) {
    if (joins_[u].depth < joins_[v].depth) std::swap(u, v);
    u = joins_[u].parent;
    if (u == kNone) return kNone;
  }
  return u;
}

double Bottlenecks::between(CellId a, CellId b) const {
  if (a == b) return INFINITY;
  const uint32_t join = meeting(a, b);
  return join == kNone ? 0 : joins_[join].width;
}

SideId Bottlenecks::portal(CellId a, CellId b) const {
  if (a == b) return kNone;
  const uint32_t join = meeting(a, b);
  return join == kNone ? kNone : joins_[join].portal;
}

namespace {

// Way after way of the shortest augmenting path. With `reverse`, flow may be taken back, which makes it the maximum.
GraphFlow flowOn(const NavigationGraph& graph, CellId from, CellId to, bool reverse) {
  const NavMesh& mesh = graph.mesh();
  GraphFlow flow;
  std::vector<double> residual(mesh.sideCount(), 0);
  for (SideId s = 0; s < mesh.sideCount(); ++s) residual[s] = mesh.isWall(s) ? 0 : graph.width(s);
  std::vector<double> best;
  std::vector<SideId> entry;
  double sum = 0;
  while (flow.ways < kMostWays) {
    best.assign(mesh.cellCount(), INFINITY);
    entry.assign(mesh.cellCount(), kNone);
    using Node = std::pair<double, CellId>;
    std::priority_queue<Node, std::vector<Node>, std::greater<>> open;
    best[from] = 0;
    open.emplace(0, from);
    while (!open.empty()) {
      const auto [g, cell] = open.top();
      open.pop();
      if (g > best[cell]) continue;
      if (cell == to) break;
      for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
        if (mesh.isWall(s) || residual[s] <= kClosed) continue;
        const CellId next = mesh.neighbour(s);
        const Vec2 middle = graph.place(graph.nodeOf(s));
        const Vec2 a = graph.place(cell);
        const Vec2 b = graph.place(next);
        // The maximum needs few nodes per way; the source's way is the shortest.
        const double step =
            reverse ? 1 : std::hypot(a.x - middle.x, a.y - middle.y) + std::hypot(b.x - middle.x, b.y - middle.y);
        if (g + step >= best[next]) continue;
        best[next] = g + step;
        entry[next] = s;
        open.emplace(g + step, next);
      }
    }
    if (entry[to] == kNone) break;
    double least = INFINITY;
    for (CellId cell = to; cell != from; cell = mesh.cellOf(entry[cell]))
      least = std::min(least, residual[entry[cell]]);
    for (CellId cell = to; cell != from; cell = mesh.cellOf(entry[cell])) {
      residual[entry[cell]] -= least;
      residual[mesh.twin(entry[cell])] += reverse ? least : -least;
    }
    sum += least;
    ++flow.ways;
  }
  (reverse ? flow.maximum : flow.greedy) = sum;
  return flow;
}

}  // namespace

GraphFlow flowBetween(const NavigationGraph& graph, CellId from, CellId to) {
  if (from == to) return {INFINITY, INFINITY, 0};
  GraphFlow flow = flowOn(graph, from, to, false);
  flow.maximum = flowOn(graph, from, to, true).maximum;
  return flow;
}

}  // namespace wend
