#include "planning/replan/portal_graph.h"

#include <cmath>

namespace wend {

uint32_t PortalGraph::vertexNear(SideId side, Vec2 middle, double off) {
  uint32_t first = 0;
  const std::span<const ShrunkPortalUnits> shrunk = table_.shrunkPortals(side, first);
  uint32_t best = kNone;
  for (uint32_t k = 0; k < shrunk.size(); ++k) {
    const double d = distance(middle, 0.5 * (shrunk[k].ends[0].place + shrunk[k].ends[1].place));
    if (d > off) continue;
    off = d;
    best = kFirstPortal + first + k;
  }
  return best;
}

uint32_t PortalGraph::faceOf(const End& end) {
  const ShrunkPortals::CellView view = table_.cell(end.cell);
  for (size_t i = 0; i < view.entries.size(); ++i) {
    const DirectedPortal& portal = table_.directed(view.entries[i]);
    for (const Vec2 to : {closestOnSegment(end.place, portal.left, portal.right), 0.5 * (portal.left + portal.right),
                          portal.left, portal.right}) {
      if (isClearOf(view.shapes, {end.place, to, table_.radius()})) return view.faces[i];
    }
  }
  return kNone;
}

PortalPath portalPathOf(const PortalGraph& graph, const GraphPath& path) {
  PortalPath out;
  out.cost = path.cost;
  out.optimal = path.optimal;
  for (const GraphStep& step : path.steps) {
    if (step.to >= PortalGraph::kFirstPortal)
      out.portals.push_back({graph.portal(step.to).side, graph.position(step.to)});
  }
  return out;
}

void oldPathOf(PortalGraph& graph, const CellChange& change, const PortalPath& path, size_t walked, bool isOnPath,
               OldGraphPath& old) {
  // A shrunk portal that moved by less than this is the same: rounding of the walls that end it.
  constexpr double kSamePortal = 1e-3;
  old.clear();
  old.optimal = path.optimal;
  old.start = PortalGraph::kStart;
  uint32_t from = PortalGraph::kStart;
  Vec2 fromPlace = graph.position(from);
  double cost = 0;
  for (size_t i = walked; i <= path.portals.size(); ++i) {
    const bool isLast = i == path.portals.size();
    uint32_t to = PortalGraph::kGoal;
    Vec2 toPlace = graph.position(to);
    if (!isLast) {
      toPlace = path.portals[i].middle;
      const SideId side = change.newSide(path.portals[i].side);
      to = side == kNone ? kNone : graph.vertexNear(side, toPlace, kSamePortal);
    }
    GraphStep found{kNone, to, distance(fromPlace, toPlace), false};
    if (from != kNone && to != kNone) {
      graph.forEachStep(from, [&](const GraphStep& step) {
        if (step.to != to || step.changed) return;
        if (found.edge == kNone || step.edge < found.edge) found = step;
      });
    }
    old.steps.push_back(found);
    cost += found.cost;
    from = to;
    fromPlace = toPlace;
  }
  old.cost = isOnPath ? cost : -1;
  if (!isOnPath && !old.steps.empty()) {
    // It is unknown whether the first step is the best.
    old.start = old.steps.front().to;
    old.steps.erase(old.steps.begin());
  }
}

}  // namespace wend
