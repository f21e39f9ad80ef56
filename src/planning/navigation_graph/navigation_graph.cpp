#include "planning/navigation_graph/navigation_graph.h"

#include <algorithm>
#include <cmath>
#include <queue>

#include "mesh/cell_centroid.h"
#include "mesh/cell_geometry.h"

namespace wend {
namespace {

double distance(Vec2 a, Vec2 b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

bool isFinite(const Place& place) {
  return std::isfinite(place.x) && std::isfinite(place.y) && (!place.z || std::isfinite(*place.z));
}

struct Open {
  double f;
  double g;
  CellId cell;
  bool operator<(const Open& other) const {
    if (f != other.f) return f > other.f;
    if (g != other.g) return g < other.g;
    return cell > other.cell;
  }
};

}  // namespace

NavigationGraph::NavigationGraph(NavMesh mesh) : mesh_(std::move(mesh)), locator_(mesh_) {
  places_.reserve(mesh_.cellCount());
  for (CellId cell = 0; cell < mesh_.cellCount(); ++cell) places_.push_back(centroidOf(mesh_, cell));
  portalNode_.assign(mesh_.sideCount(), kNone);
  for (SideId s = 0; s < mesh_.sideCount(); ++s) {
    if (mesh_.isWall(s) || mesh_.twin(s) < s) continue;
    portalNode_[s] = portalNode_[mesh_.twin(s)] = nodeCount();
    sideOfPortal_.push_back(s);
    const Vec2 a = startPoint(mesh_, s);
    const Vec2 b = endPoint(mesh_, s);
    places_.push_back(mesh_.lattice().toMetres(Vec2{(a.x + b.x) / 2, (a.y + b.y) / 2}));
  }
}

double NavigationGraph::width(SideId portal) const {
  return distance(startPoint(mesh_, portal), endPoint(mesh_, portal)) * mesh_.lattice().unit;
}

PathStatus NavigationGraph::plan(const PathQuery& query, Route& route, const GraphCosts& costs) const {
  route.clear();
  if (!isFinite(query.from) || !isFinite(query.to) || !(query.radius >= 0)) return PathStatus::kBadQuery;
  const CellId start = locator_.locate(query.from);
  if (start == kNone) return PathStatus::kStartOffMesh;
  const CellId goal = locator_.locate(query.to);
  if (goal == kNone) return PathStatus::kGoalOffMesh;
  const Vec2 from{query.from.x, query.from.y};
  const Vec2 to{query.to.x, query.to.y};
  const bool isBreadth = query.method == PathMethod::kBreadth;
  const auto costOf = [&](CellId cell) { return cell < costs.cellCosts.size() ? costs.cellCosts[cell] : 1.0; };
  double cheapest = 1;
  for (const double cost : costs.cellCosts) cheapest = std::min(cheapest, cost);

  // A node is a cell; entering it includes the middle of the portal.
  std::vector<double> best(mesh_.cellCount(), INFINITY);
  std::vector<SideId> entry(mesh_.cellCount(), kNone);  // the side of the cell before, by which it was left
  std::priority_queue<Open> open;
  const auto placeOf = [&](CellId cell) { return cell == start ? from : cell == goal ? to : places_[cell]; };
  const auto estimate = [&](CellId cell) { return isBreadth ? 0 : cheapest * distance(placeOf(cell), to); };
  best[start] = 0;
  open.push({estimate(start), 0, start});
  while (!open.empty()) {
    const Open top = open.top();
    open.pop();
    if (top.g > best[top.cell]) continue;
    if (top.cell == goal) break;
    for (SideId s = mesh_.firstSide(top.cell); s < mesh_.endSide(top.cell); ++s) {
      const CellId next = mesh_.neighbour(s);
      if (next == kNone || !std::isfinite(costOf(next))) continue;
      const double wide = width(s);
      const double across = s < costs.portalCosts.size() ? costs.portalCosts[s] : 0;
      if (wide < costs.leastWidth || !std::isfinite(across)) continue;
      const Vec2 middle = places_[portalNode_[s]];
      const double step = isBreadth ? 1
                                    : costOf(top.cell) * distance(placeOf(top.cell), middle) +
                                          costOf(next) * distance(middle, placeOf(next)) + across +
                                          (costs.narrowPenalty > 0 ? costs.narrowPenalty / std::max(wide, 1e-6) : 0);
      const double g = top.g + step;
      if (g >= best[next]) continue;
      best[next] = g;
      entry[next] = s;
      open.push({g + estimate(next), g, next});
    }
  }
  if (!std::isfinite(best[goal])) return PathStatus::kUnreachable;

  for (CellId cell = goal; cell != start; cell = mesh_.cellOf(entry[cell])) {
    route.cells.push_back(cell);
    route.portals.push_back(entry[cell]);
  }
  route.cells.push_back(start);
  std::reverse(route.cells.begin(), route.cells.end());
  std::reverse(route.portals.begin(), route.portals.end());
  const auto heightAt = [&](Vec2 metres, CellId cell) { return locator_.height(metres, mesh_.layerOf(cell)); };
  const auto add = [&](Vec2 p, CellId cell) { route.points.push_back({p.x, p.y, heightAt(p, cell)}); };
  add(from, start);
  for (size_t i = 0; i < route.portals.size(); ++i) {
    add(places_[portalNode_[route.portals[i]]], route.cells[i]);
    if (i + 1 < route.portals.size()) add(places_[route.cells[i + 1]], route.cells[i + 1]);
  }
  add(to, goal);
  for (size_t i = 1; i < route.points.size(); ++i) {
    route.length += distance({route.points[i - 1].x, route.points[i - 1].y}, {route.points[i].x, route.points[i].y});
  }
  return PathStatus::kFound;
}

uint32_t sharpTurns(const Route& route) {
  uint32_t count = 0;
  for (size_t i = 2; i < route.points.size(); ++i) {
    const Vec3& a = route.points[i - 2];
    const Vec3& b = route.points[i - 1];
    const Vec3& c = route.points[i];
    if ((b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y) < 0) ++count;
  }
  return count;
}

}  // namespace wend
