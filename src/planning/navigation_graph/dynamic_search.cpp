#include <cmath>
#include <set>
#include <tuple>

#include "planning/navigation_graph/navigation_graph.h"

// D* Lite over cells; a portal between two cells costs the way over its middle.
namespace wend {

struct DynamicGraphSearch::Impl {
  using Key = std::tuple<double, double, CellId>;

  const NavigationGraph& graph;
  const NavMesh& mesh;
  CellId start;
  CellId goal;
  CellId last;        // where the start was when keys were last made comparable
  double offset = 0;  // added to all later keys
  uint64_t expanded = 0;
  std::vector<double> g;
  std::vector<double> ahead;    // one-step lookahead of g
  std::vector<uint8_t> closed;  // per side
  std::vector<Key> keyOf;
  std::vector<uint8_t> isOpen;
  std::set<Key> open;

  Impl(const NavigationGraph& navigationGraph, CellId from, CellId to)
      : graph(navigationGraph), mesh(graph.mesh()), start(from), goal(to), last(from) {
    g.assign(mesh.cellCount(), INFINITY);
    ahead.assign(mesh.cellCount(), INFINITY);
    closed.assign(mesh.sideCount(), 0);
    keyOf.assign(mesh.cellCount(), {});
    isOpen.assign(mesh.cellCount(), 0);
    ahead[goal] = 0;
    put(goal);
  }

  double estimate(CellId a, CellId b) const {
    return std::hypot(graph.place(a).x - graph.place(b).x, graph.place(a).y - graph.place(b).y);
  }
  double cost(SideId side) const {
    if (closed[side] != 0) return INFINITY;
    const Vec2 middle = graph.place(graph.nodeOf(side));
    const Vec2 a = graph.place(mesh.cellOf(side));
    const Vec2 b = graph.place(mesh.neighbour(side));
    return std::hypot(a.x - middle.x, a.y - middle.y) + std::hypot(b.x - middle.x, b.y - middle.y);
  }
  Key makeKey(CellId cell) const {
    const double least = std::min(g[cell], ahead[cell]);
    return {least + estimate(start, cell) + offset, least, cell};
  }
  void put(CellId cell) {
    remove(cell);
    keyOf[cell] = makeKey(cell);
    isOpen[cell] = 1;
    open.insert(keyOf[cell]);
  }
  void remove(CellId cell) {
    if (isOpen[cell] == 0) return;
    open.erase(keyOf[cell]);
    isOpen[cell] = 0;
  }
  void update(CellId cell) {
    if (cell != goal) {
      ahead[cell] = INFINITY;
      for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
        if (!mesh.isWall(s)) ahead[cell] = std::min(ahead[cell], cost(s) + g[mesh.neighbour(s)]);
      }
    }
    if (g[cell] != ahead[cell]) {
      put(cell);
    } else {
      remove(cell);
    }
  }
  void repair() {
    while (!open.empty() && (*open.begin() < makeKey(start) || ahead[start] != g[start])) {
      const Key old = *open.begin();
      const CellId cell = std::get<2>(old);
      ++expanded;
      if (old < makeKey(cell)) {
        put(cell);
        continue;
      }
      remove(cell);
      const bool isTooLong = g[cell] > ahead[cell];
      g[cell] = isTooLong ? ahead[cell] : INFINITY;
      if (!isTooLong) update(cell);
      for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
        if (!mesh.isWall(s)) update(mesh.neighbour(s));
      }
    }
  }
};

DynamicGraphSearch::DynamicGraphSearch(const NavigationGraph& graph, CellId start, CellId goal)
    : impl_(std::make_unique<Impl>(graph, start, goal)) {}
DynamicGraphSearch::~DynamicGraphSearch() = default;
DynamicGraphSearch::DynamicGraphSearch(DynamicGraphSearch&&) noexcept = default;
DynamicGraphSearch& DynamicGraphSearch::operator=(DynamicGraphSearch&&) noexcept = default;

void DynamicGraphSearch::setOpen(SideId portal, bool isOpen) {
  Impl& s = *impl_;
  if (s.mesh.isWall(portal)) return;
  const SideId twin = s.mesh.twin(portal);
  s.closed[portal] = s.closed[twin] = isOpen ? 0 : 1;
  s.offset += s.estimate(s.last, s.start);
  s.last = s.start;
  s.update(s.mesh.cellOf(portal));
  s.update(s.mesh.cellOf(twin));
}

void DynamicGraphSearch::moveStart(CellId cell) {
  impl_->start = cell;
}

std::vector<CellId> DynamicGraphSearch::path() {
  Impl& s = *impl_;
  s.repair();
  std::vector<CellId> cells;
  if (!std::isfinite(s.g[s.start])) return cells;
  CellId at = s.start;
  cells.push_back(at);
  while (at != s.goal && cells.size() <= s.mesh.cellCount()) {
    CellId next = kNone;
    double best = INFINITY;
    for (SideId side = s.mesh.firstSide(at); side < s.mesh.endSide(at); ++side) {
      if (s.mesh.isWall(side)) continue;
      const double way = s.cost(side) + s.g[s.mesh.neighbour(side)];
      if (way < best) {
        best = way;
        next = s.mesh.neighbour(side);
      }
    }
    if (next == kNone) return {};
    at = next;
    cells.push_back(at);
  }
  return cells;
}

double DynamicGraphSearch::length() {
  impl_->repair();
  return impl_->g[impl_->start];
}

uint64_t DynamicGraphSearch::expanded() const {
  return impl_->expanded;
}

}  // namespace wend
