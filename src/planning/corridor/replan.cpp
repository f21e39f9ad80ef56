#include "planning/corridor/replan.h"

namespace wend {

double stepLength(const CorridorGraph& graph, const AxisPoint& start, const AxisPoint& goal,
                  std::span<const uint32_t> path, size_t i) {
  const uint32_t halfEdge = path[i];
  if (path.size() == 1) return std::abs(goal.along - start.along);
  const double length = graph.map().edges[halfEdge >> 1].length;
  const bool reversed = (halfEdge & 1) != 0;
  if (i == 0) return std::max(0.0, reversed ? start.along : length - start.along);
  if (i + 1 == path.size()) return std::max(0.0, reversed ? length - goal.along : goal.along);
  return length;
}

double pathLength(const CorridorGraph& graph, const AxisPoint& start, const AxisPoint& goal,
                  std::span<const uint32_t> path) {
  double sum = 0;
  for (size_t i = 0; i < path.size(); ++i) sum += stepLength(graph, start, goal, path, i);
  return sum;
}

double pathCost(const CorridorGraph& graph, const AxisPoint& start, const AxisPoint& goal,
                std::span<const uint32_t> path, const EdgeDensityCost& cost) {
  double sum = 0;
  double before = 0;
  for (size_t i = 0; i < path.size(); ++i) {
    const double length = stepLength(graph, start, goal, path, i);
    sum += cost(path[i], length, before);
    before += length;
  }
  return sum;
}

namespace {

// The rest of a path for an agent that stands at `start`, beside it or on it.
class Rest {
 public:
  Rest(const CorridorGraph& graph, const AxisPoint& start, const AxisPoint& goal, double radius,
       const EdgeDensityCost& cost, const OldPath& old, ReplanScratch& scratch)
      : graph_(graph), start_(start), goal_(goal), radius_(radius), cost_(cost), old_(old), s_(scratch) {}

  // Fills scratch.rest and says which half-edge of the old path its first one ends with; false if the agent has left
  // the path.
  bool find(size_t& index) {
    s_.rest.halfEdges.clear();
    s_.rest.cost = HUGE_VAL;
    index_ = kNone;
    const CorridorMap::Edge& edge = graph_.map().edges[start_.edge];
    for (size_t i = 0; i < old_.halfEdges.size(); ++i) {
      const uint32_t halfEdge = old_.halfEdges[i];
      const bool last = i + 1 == old_.halfEdges.size();
      if (halfEdge >> 1 == start_.edge) {
        // On the goal's own edge the goal may have been passed.
        offer(last ? 2 * start_.edge + (goal_.along < start_.along ? 1 : 0) : halfEdge, i);
      }
      if (last) continue;
      // In a side branch of the path.
      const uint32_t end = graph_.endOf(halfEdge);
      if (end == edge.from) offer(2 * start_.edge + 1, i);
      if (end == edge.to) offer(2 * start_.edge, i);
    }
    index = index_;
    return index_ != kNone;
  }

 private:
  void offer(uint32_t first, size_t i) {
    const bool direct = i + 1 == old_.halfEdges.size();
    const double least = direct             ? leastClearanceBetween(graph_, start_, goal_)
                         : (first & 1) != 0 ? start_.leastToStart
                                            : start_.leastToEnd;
    if (least < radius_) return;
    // A path does not go back over the same edge.
    if (!direct && old_.halfEdges[i + 1] == (first ^ 1)) return;
    std::vector<uint32_t>& way = s_.candidate.halfEdges;
    way.assign(1, first);
    way.insert(way.end(), old_.halfEdges.begin() + static_cast<ptrdiff_t>(i) + 1, old_.halfEdges.end());
    s_.candidate.cost = pathCost(graph_, start_, goal_, way, cost_);
    if (s_.candidate.cost >= s_.rest.cost) return;
    std::swap(s_.candidate, s_.rest);
    index_ = i;
  }

  const CorridorGraph& graph_;
  const AxisPoint& start_;
  const AxisPoint& goal_;
  double radius_;
  const EdgeDensityCost& cost_;
  const OldPath& old_;
  ReplanScratch& s_;
  size_t index_ = kNone;
};

// Length from where the old path began to the end of its half-edge i, and so on: the first half-edge of the rest whose
// end lies beyond the distance in which density counted.
size_t firstBeyond(const CorridorGraph& graph, const OldPath& old, size_t index, double view) {
  double length = old.lead;
  for (size_t i = 1; i <= index; ++i) length += graph.map().edges[old.halfEdges[i] >> 1].length;
  for (size_t i = index; i + 1 < old.halfEdges.size(); ++i) {
    if (length >= view) return i - index;
    length += graph.map().edges[old.halfEdges[i + 1] >> 1].length;
  }
  return kNone;
}

}  // namespace

Replanned replanCorridor(const CorridorGraph& graph, const AxisPoint& start, const AxisPoint& goal, double radius,
                         const EdgeDensityCost& cost, const OldPath& old, QueryStamp now, CorridorSearchScratch& search,
                         ReplanScratch& scratch, CorridorPath& path, uint64_t& expanded) {
  const double view = cost.cost.reach();
  const std::vector<uint32_t>& rest = scratch.rest.halfEdges;
  size_t index = 0;
  const bool onOld = Rest(graph, start, goal, radius, cost, old, scratch).find(index);
  const auto keep = [&] {
    path.halfEdges = rest;
    path.cost = scratch.rest.cost;
    return Replanned::kKept;
  };
  // Nothing is seen of the crowd, so nothing has changed.
  if (onOld && view <= 0) return keep();
  size_t eligible = kNone;
  if (onOld) {
    eligible = firstBeyond(graph, old, index, std::max(view, old.view));
    scratch.inRest.grow(graph.map().vertices.size());
    for (uint32_t j = 0; j + 1 < rest.size(); ++j) scratch.inRest.set(graph.endOf(rest[j]), j, now);
  }
  const auto stop = [&](uint32_t vertex, double length) {
    if (eligible == kNone || length < view) return false;
    const uint32_t* at = scratch.inRest.find(vertex, now);
    if (at == nullptr || *at < eligible) return false;
    // The way here must not have passed what is left of the old path after here: that would be walked twice.
    for (uint32_t v = vertex; v != kNone; v = search.nodes.find(v, now)->parent) {
      const uint32_t* passed = scratch.inRest.find(v, now);
      if (passed != nullptr && *passed > *at) return false;
    }
    return true;
  };
  // Only a way that is better by the hysteresis counts. Sums of costs in another order may differ in their last digits.
  constexpr double kSumRounding = 1e-9;
  const double enough = onOld ? (1 - cost.cost.view().hysteresis) * scratch.rest.cost : HUGE_VAL;
  if (!searchCorridor(graph, start, goal, radius, cost, now, search, path, expanded, stop,
                      (1 + kSumRounding) * enough)) {
    return onOld ? keep() : Replanned::kNoWay;
  }
  if (path.stop != kNone) {
    const uint32_t at = *scratch.inRest.find(path.stop, now);
    path.halfEdges.insert(path.halfEdges.end(), rest.begin() + at + 1, rest.end());
    path.cost = pathCost(graph, start, goal, path.halfEdges, cost);
  }
  if (!onOld) return Replanned::kChanged;
  if (path.halfEdges != rest && path.cost < enough) return Replanned::kChanged;
  return keep();
}

}  // namespace wend
