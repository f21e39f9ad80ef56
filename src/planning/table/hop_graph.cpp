#include "planning/table/hop_graph.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "geometry/predicates.h"
#include "geometry/vec2.h"
#include "mesh/cell_geometry.h"

namespace wend {
namespace {

constexpr double kPerUnit = 16;
constexpr size_t kGrain = 1024;
constexpr uint32_t kMostCrossed = 1024;  // cells that a line of sight between neighbours may pass

HopCost quantised(double units) {
  return std::max<HopCost>(1, static_cast<HopCost>(std::llround(kPerUnit * units)));
}

// Portals that end at walls lose the radius there.
bool isPassable(const NavMesh& mesh, const std::vector<uint8_t>& atWall, SideId side, double radiusUnits) {
  if (!(radiusUnits > 0)) return true;
  const double size = length(endPoint(mesh, side) - startPoint(mesh, side));
  const double lost = radiusUnits * (atWall[mesh.startVertex(side)] + atWall[mesh.endVertex(side)]);
  constexpr double kSlack = 1 + 1e-9;  // a portal of 2 r lets a disk of radius r pass
  return lost <= size * kSlack;
}

}  // namespace

Vec2 cellCentre(const NavMesh& mesh, CellId cell) {
  const Vec2 o = startPoint(mesh, mesh.firstSide(cell));
  double doubled = 0;
  Vec2 sum;
  for (SideId s = mesh.firstSide(cell) + 1; s + 1 < mesh.endSide(cell); ++s) {
    const Vec2 p = startPoint(mesh, s) - o;
    const Vec2 q = startPoint(mesh, s + 1) - o;
    const double area = cross(p, q);
    doubled += area;
    sum = sum + area * (p + q);
  }
  return doubled > 0 ? o + (1 / (3 * doubled)) * sum : o;
}

HopGraph::HopGraph(NavMesh mesh, HopMetric metric, double radius, const Context& context)
    : mesh_(std::move(mesh)), centres_(mesh_.cellCount()), costs_(mesh_.sideCount(), kNoHop) {
  parallelBlocks(mesh_.cellCount(), kGrain, context, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) centres_[i] = cellCentre(mesh_, static_cast<CellId>(i));
  });
  std::vector<uint8_t> atWall(mesh_.vertexCount(), 0);
  for (SideId s = 0; s < mesh_.sideCount(); ++s) {
    if (!mesh_.isWall(s)) continue;
    atWall[mesh_.startVertex(s)] = 1;
    atWall[mesh_.endVertex(s)] = 1;
  }
  const double radiusUnits = radius / mesh_.lattice().unit;
  parallelBlocks(mesh_.sideCount(), kGrain, context, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const auto side = static_cast<SideId>(i);
      if (mesh_.isWall(side) || mesh_.twin(side) < side || !isPassable(mesh_, atWall, side, radiusUnits)) continue;
      costs_[side] = measure(side, metric);
      costs_[mesh_.twin(side)] = costs_[side];
    }
  });
}

HopCost HopGraph::measure(SideId side, HopMetric metric) const {
  const CellId from = mesh_.cellOf(side);
  const CellId to = mesh_.neighbour(side);
  const Vec2 p = centres_[from];
  const Vec2 q = centres_[to];
  const Vec2 d = q - p;
  if (metric == HopMetric::kManhattan) return quantised(std::abs(d.x) + std::abs(d.y));
  if (metric == HopMetric::kEuclid) return quantised(length(d));
  // The straight line stays in the two cells if it passes between the ends of the portal.
  const Vec2 a = startPoint(mesh_, side);
  const Vec2 b = endPoint(mesh_, side);
  const int right = orient(p, q, a);
  const int left = orient(p, q, b);
  if ((right <= 0 && left >= 0) || isVisible(from, p, q, to)) return quantised(length(d));
  const Vec2 bend = right > 0 ? a : b;
  return quantised(length(bend - p) + length(q - bend));
}

// Walks from cell to cell along the line. Touching a corner of a wall is allowed; a line that would have to pass
// between two walls that touch in a point is not, since no portal leads through there.
bool HopGraph::isVisible(CellId from, Vec2 a, Vec2 b, CellId to) const {
  CellId cell = from;
  SideId entry = kNone;
  for (uint32_t steps = 0; steps < kMostCrossed; ++steps) {
    if (cell == to) return true;
    SideId out = kNone;
    for (SideId s = mesh_.firstSide(cell); s < mesh_.endSide(cell); ++s) {
      if (s == entry || mesh_.isWall(s)) continue;
      const Vec2 u = startPoint(mesh_, s);
      const Vec2 v = endPoint(mesh_, s);
      if (orient(u, v, b) < 0 && orient(a, b, u) <= 0 && orient(a, b, v) >= 0) {
        out = s;
        break;
      }
    }
    if (out == kNone) return false;
    entry = mesh_.twin(out);
    cell = mesh_.neighbour(out);
  }
  return false;
}

void searchFrom(const HopGraph& graph, CellId goal, HopSearchMemory& memory) {
  const NavMesh& mesh = graph.mesh();
  memory.cost.assign(mesh.cellCount(), kNoHop);
  auto& heap = memory.heap;
  heap.clear();
  const auto later = [](const auto& x, const auto& y) { return x > y; };
  memory.cost[goal] = 0;
  heap.emplace_back(0, goal);
  while (!heap.empty()) {
    const auto [cost, cell] = heap.front();
    std::pop_heap(heap.begin(), heap.end(), later);
    heap.pop_back();
    if (cost > memory.cost[cell]) continue;
    for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
      if (graph.cost(s) == kNoHop) continue;
      const CellId other = mesh.neighbour(s);
      const HopCost further = cost + graph.cost(s);
      if (further >= memory.cost[other]) continue;
      memory.cost[other] = further;
      heap.emplace_back(further, other);
      std::push_heap(heap.begin(), heap.end(), later);
    }
  }
}

SideId bestHop(const HopGraph& graph, CellId cell, std::span<const HopCost> cost) {
  const NavMesh& mesh = graph.mesh();
  if (cost[cell] == 0 || cost[cell] == kNoHop) return kNone;
  SideId best = kNone;
  for (SideId s = mesh.firstSide(cell); s < mesh.endSide(cell); ++s) {
    if (graph.cost(s) == kNoHop) continue;
    const HopCost left = cost[mesh.neighbour(s)];
    if (left == kNoHop || left + graph.cost(s) != cost[cell]) continue;
    if (best == kNone || mesh.neighbour(s) < mesh.neighbour(best)) best = s;
  }
  return best;
}

}  // namespace wend
