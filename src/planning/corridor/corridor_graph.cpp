#include "planning/corridor/corridor_graph.h"

#include <algorithm>

namespace wend {

CorridorGraph::CorridorGraph(const CorridorMap& map)
    : map_(&map),
      edgeOf_(map.bendingPoints.size(), kNone),
      along_(map.bendingPoints.size()),
      leastToStart_(map.bendingPoints.size()),
      leastToEnd_(map.bendingPoints.size()),
      slotOf_(2 * map.edges.size()) {
  for (uint32_t e = 0; e < map.edges.size(); ++e) {
    const CorridorMap::Edge& edge = map.edges[e];
    const uint32_t last = edge.first + edge.count - 1;
    double along = 0;
    double least = map.bendingPoints[edge.first].clearance;
    for (uint32_t i = edge.first; i <= last; ++i) {
      edgeOf_[i] = e;
      along_[i] = along;
      leastToStart_[i] = least;
      if (i == last) break;
      along += map.arcs[i].length;
      least = std::min({least, map.arcs[i].minClearance, map.bendingPoints[i + 1].clearance});
    }
    least = map.bendingPoints[last].clearance;
    for (uint32_t i = last + 1; i-- > edge.first;) {
      if (i < last) least = std::min({least, map.arcs[i].minClearance, map.bendingPoints[i].clearance});
      leastToEnd_[i] = least;
    }
  }
  for (const CorridorMap::Vertex& vertex : map.vertices) {
    for (uint32_t i = 0; i < vertex.degree; ++i) slotOf_[map.out[vertex.firstOut + i]] = i;
  }
}

ecm::ArcCurve CorridorGraph::curve(uint32_t arc) const {
  const CorridorMap::Arc& a = map_->arcs[arc];
  const CorridorMap::BendingPoint& from = map_->bendingPoints[arc];
  const CorridorMap::BendingPoint& to = map_->bendingPoints[arc + 1];
  return {map_->sites[a.left], map_->sites[a.right], from.p, to.p, from.clearance, to.clearance};
}

DirectedArc CorridorGraph::onward(DirectedArc d) const {
  const CorridorMap::Edge& edge = map_->edges[edgeOf_[d >> 1]];
  if (d & 1) return (d >> 1) == edge.first ? kNone : d - 2;
  return (d >> 1) == edge.first + edge.count - 2 ? kNone : d + 2;
}

uint32_t CorridorGraph::around(uint32_t halfEdge, int turns) const {
  const CorridorMap::Vertex& vertex = map_->vertices[endOf(halfEdge ^ 1)];
  const auto degree = static_cast<int64_t>(vertex.degree);
  const int64_t slot = (static_cast<int64_t>(slotOf_[halfEdge]) + turns % degree + degree) % degree;
  return map_->out[vertex.firstOut + static_cast<uint32_t>(slot)];
}

DirectedArc CorridorGraph::next(DirectedArc d) const {
  const DirectedArc same = onward(d);
  if (same != kNone) return same;
  const uint32_t back = halfEdgeOf(d) ^ 1;
  const uint32_t other = around(back, -1);
  return other == back ? kNone : firstArc(other);
}

DirectedArc CorridorGraph::prev(DirectedArc d) const {
  const DirectedArc same = onward(d ^ 1);
  if (same != kNone) return same ^ 1;
  const uint32_t here = halfEdgeOf(d);
  const uint32_t other = around(here, 1);
  return other == here ? kNone : firstArc(other) ^ 1;
}

size_t CorridorGraph::memory() const {
  return (edgeOf_.size() + slotOf_.size()) * sizeof(uint32_t) +
         (along_.size() + leastToStart_.size() + leastToEnd_.size()) * sizeof(double);
}

}  // namespace wend
