#pragma once

#include <algorithm>
#include <cmath>

#include "geometry/vec2.h"
#include "planning/corridor/retraction.h"
#include "planning/replan/axis_change.h"
#include "planning/replan/search_graph.h"

// The medial axis as a graph for re-planning: its true vertices, then the start, then the goal. Both ends split their
// edges virtually, as in axis_search.h. A step's edge is a half-edge; costs are lengths in lattice units.
namespace wend {

class AxisGraph {
 public:
  // Without a change no edge counts as changed.
  AxisGraph(const CorridorGraph& graph, const AxisPoint& start, const AxisPoint& goal, double radius,
            const AxisChange* change = nullptr)
      : graph_(graph), map_(graph.map()), start_(start), goal_(goal), radius_(radius), change_(change) {}

  uint32_t start() const { return static_cast<uint32_t>(map_.vertices.size()); }
  uint32_t goal() const { return start() + 1; }

  size_t vertexCount() const { return map_.vertices.size() + 2; }
  Vec2 position(uint32_t v) const {
    if (v < start()) return map_.vertices[v].p;
    return v == start() ? start_.p : goal_.p;
  }
  double leastRate() const { return 1; }
  uint32_t tieBreak(uint32_t v) const { return v; }

  template <typename F>
  void forEachStep(uint32_t v, const F& f) const {
    if (v == goal()) return;
    if (v == start()) return fromStart(f);
    const CorridorMap::Edge& last = map_.edges[goal_.edge];
    if (v == last.from && goal_.leastToStart >= radius_) f(part(2 * goal_.edge, goal(), goal_.along));
    if (v == last.to && goal_.leastToEnd >= radius_) {
      f(part(2 * goal_.edge + 1, goal(), std::max(0.0, last.length - goal_.along)));
    }
    const CorridorMap::Vertex& vertex = map_.vertices[v];
    for (uint32_t i = 0; i < vertex.degree; ++i) {
      const uint32_t halfEdge = map_.out[vertex.firstOut + i];
      const CorridorMap::Edge& edge = map_.edges[halfEdge >> 1];
      if (edge.minClearance < radius_) continue;
      const uint32_t other = graph_.endOf(halfEdge);
      if (other != v) f(step(halfEdge, other, edge.length));
    }
  }

 private:
  GraphStep step(uint32_t halfEdge, uint32_t to, double cost) const {
    return {halfEdge, to, cost, change_ != nullptr && change_->isChanged(halfEdge >> 1, radius_)};
  }
  // Of an edge at one of the ends only a part is walked: it may be passable where the whole edge is not.
  GraphStep part(uint32_t halfEdge, uint32_t to, double cost) const {
    return {halfEdge, to, cost, change_ != nullptr && change_->isNew(halfEdge >> 1)};
  }
  template <typename F>
  void fromStart(const F& f) const {
    const CorridorMap::Edge& first = map_.edges[start_.edge];
    if (start_.edge == goal_.edge && leastClearanceBetween(graph_, start_, goal_) >= radius_) {
      const bool back = goal_.arc < start_.arc || (goal_.arc == start_.arc && goal_.u < start_.u);
      f(part(2 * start_.edge + (back ? 1 : 0), goal(), std::abs(goal_.along - start_.along)));
    }
    if (start_.leastToStart >= radius_) f(part(2 * start_.edge + 1, first.from, start_.along));
    if (start_.leastToEnd >= radius_) {
      f(part(2 * start_.edge, first.to, std::max(0.0, first.length - start_.along)));
    }
  }

  const CorridorGraph& graph_;
  const CorridorMap& map_;
  const AxisPoint& start_;
  const AxisPoint& goal_;
  double radius_;
  const AxisChange* change_;
};

}  // namespace wend
