#include "planning/corridor/corridor_graph.h"

#include <algorithm>
#include <utility>

namespace wend {

namespace {

// Room for more, so that edits rarely move an array.
template <typename Element>
void copyArray(std::vector<Element>& to, const std::vector<Element>& from) {
  if (to.capacity() < from.size()) to.reserve(from.size() + from.size() / 8 + 256);
  to.assign(from.begin(), from.end());
}

// Writes the arrays of a graph and notes where.
class GraphDraft {
 public:
  GraphDraft(const CorridorMap& map, CorridorGraphArrays& arrays) : map_(map), arrays_(arrays) {
    edgeOf().resize(map.bendingPoints.size(), kNone);
    along().resize(map.bendingPoints.size(), 0);
    leastToStart().resize(map.bendingPoints.size(), 0);
    leastToEnd().resize(map.bendingPoints.size(), 0);
    slotOf().resize(2 * map.edges.size(), 0);
  }

  void clear(uint32_t point) {
    edgeOf().set(point, kNone);
    along().set(point, 0);
    leastToStart().set(point, 0);
    leastToEnd().set(point, 0);
  }

  void measure(uint32_t e) {
    const CorridorMap::Edge& edge = map_.edges[e];
    const uint32_t last = edge.first + edge.count - 1;
    double length = 0;
    double least = map_.bendingPoints[edge.first].clearance;
    for (uint32_t i = edge.first; i <= last; ++i) {
      edgeOf().set(i, e);
      along().set(i, length);
      leastToStart().set(i, least);
      if (i == last) break;
      length += map_.arcs[i].length;
      least = std::min({least, map_.arcs[i].minClearance, map_.bendingPoints[i + 1].clearance});
    }
    least = map_.bendingPoints[last].clearance;
    for (uint32_t i = last + 1; i-- > edge.first;) {
      if (i < last) least = std::min({least, map_.arcs[i].minClearance, map_.bendingPoints[i].clearance});
      leastToEnd().set(i, least);
    }
  }

  void turn(uint32_t v) {
    const CorridorMap::Vertex& vertex = map_.vertices[v];
    for (uint32_t i = 0; i < vertex.degree; ++i) slotOf().set(map_.out[vertex.firstOut + i], i);
  }

  BlockLog& log() { return log_; }

 private:
  LoggedArray<uint32_t> edgeOf() { return {arrays_.edgeOf, log_, 0}; }
  LoggedArray<double> along() { return {arrays_.along, log_, 1}; }
  LoggedArray<double> leastToStart() { return {arrays_.leastToStart, log_, 2}; }
  LoggedArray<double> leastToEnd() { return {arrays_.leastToEnd, log_, 3}; }
  LoggedArray<uint32_t> slotOf() { return {arrays_.slotOf, log_, 4}; }

  const CorridorMap& map_;
  CorridorGraphArrays& arrays_;
  BlockLog log_;
};

using GraphVersions = Versions<CorridorGraphArrays>;

std::shared_ptr<const CorridorGraphArrays> arraysOf(const CorridorMap& map) {
  auto arrays = std::make_unique<CorridorGraphArrays>();
  GraphDraft draft(map, *arrays);
  for (uint32_t e = 0; e < map.edges.size(); ++e) draft.measure(e);
  for (uint32_t v = 0; v < map.vertices.size(); ++v) draft.turn(v);
  arrays->state = GraphVersions::nextState();
  return GraphVersions::make()->publish(std::move(arrays), {});
}

}  // namespace

void CorridorGraphArrays::copyAll(const CorridorGraphArrays& other) {
  copyArray(edgeOf, other.edgeOf);
  copyArray(along, other.along);
  copyArray(leastToStart, other.leastToStart);
  copyArray(leastToEnd, other.leastToEnd);
  copyArray(slotOf, other.slotOf);
}

bool CorridorGraphArrays::follow(const CorridorGraphArrays& other, const BlockLog& log, bool) {
  log.copy(0, other.edgeOf, edgeOf);
  log.copy(1, other.along, along);
  log.copy(2, other.leastToStart, leastToStart);
  log.copy(3, other.leastToEnd, leastToEnd);
  log.copy(4, other.slotOf, slotOf);
  return true;
}

CorridorGraph::CorridorGraph(const CorridorMap& map, std::shared_ptr<const CorridorGraphArrays> arrays)
    : map_(&map),
      arrays_(std::move(arrays)),
      edgeOf_(arrays_->edgeOf.data()),
      along_(arrays_->along.data()),
      leastToStart_(arrays_->leastToStart.data()),
      leastToEnd_(arrays_->leastToEnd.data()),
      slotOf_(arrays_->slotOf.data()) {}

CorridorGraph::CorridorGraph(const CorridorMap& map) : CorridorGraph(map, arraysOf(map)) {}

// An edge that is the same as before has its bending points where they were. So every point that may have another edge
// or other lengths is in a block that differs, or belonged to an edge that does, or belongs to one now.
CorridorGraph CorridorGraph::next(const CorridorMap& map, const ecm::AxisDifference& difference) const {
  const GraphVersions::Known known = GraphVersions::find(arrays_);
  std::unique_ptr<CorridorGraphArrays> arrays = known.versions->draft(*known.value);
  GraphDraft draft(map, *arrays);
  std::vector<uint32_t> edges;
  ecm::forEachIn(difference.edges, std::max(map_->edges.size(), map.edges.size()), [&](uint32_t e) {
    const bool was = e < map_->edges.size();
    const bool is = e < map.edges.size();
    if (was && is && map_->edges[e] == map.edges[e]) return;
    if (is) edges.push_back(e);
    for (uint32_t i = 0; was && i < map_->edges[e].count; ++i) {
      if (map_->edges[e].first + i < map.bendingPoints.size()) draft.clear(map_->edges[e].first + i);
    }
  });
  ecm::forEachIn(difference.points, map.bendingPoints.size(), [&](uint32_t i) {
    const uint32_t e = i < map_->bendingPoints.size() ? edgeOf(i) : kNone;
    const bool isSame = i < map_->bendingPoints.size() && i < map_->arcs.size() && i < map.arcs.size() &&
                        map_->bendingPoints[i] == map.bendingPoints[i] && map_->arcs[i] == map.arcs[i];
    if (isSame || e >= map.edges.size()) return;
    const CorridorMap::Edge& edge = map.edges[e];
    if (edges.empty() || edges.back() != e) {
      if (i >= edge.first && i < edge.first + edge.count) edges.push_back(e);
    }
  });
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  for (const uint32_t e : edges) draft.measure(e);
  ecm::forEachIn(difference.vertices, map.vertices.size(), [&](uint32_t v) { draft.turn(v); });
  std::vector<uint32_t> turned;
  ecm::forEachIn(difference.out, map.out.size(), [&](uint32_t i) {
    const uint32_t halfEdge = map.out[i];
    if ((halfEdge >> 1) >= map.edges.size()) return;
    const CorridorMap::Edge& edge = map.edges[halfEdge >> 1];
    turned.push_back(halfEdge & 1 ? edge.to : edge.from);
  });
  std::sort(turned.begin(), turned.end());
  turned.erase(std::unique(turned.begin(), turned.end()), turned.end());
  for (const uint32_t v : turned) draft.turn(v);
  return {map, known.versions->publish(std::move(arrays), std::move(draft.log()))};
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
  return (arrays_->edgeOf.size() + arrays_->slotOf.size()) * sizeof(uint32_t) +
         (arrays_->along.size() + arrays_->leastToStart.size() + arrays_->leastToEnd.size()) * sizeof(double);
}

}  // namespace wend
