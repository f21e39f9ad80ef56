#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "geometry/vec2.h"
#include "planning/replan/changed_part.h"
#include "planning/replan/search_graph.h"

// A* with rules that prune it (W. van Toll, R. Geraerts: Dynamically Pruned A* for re-planning in navigation meshes,
// IROS 2015; W. van Toll 2017, section 8.4). One search, several rules:
//
//   AStarRule       none: plain A*
//   UnaffectedRule  algorithm 8.1 of the source: the old path is intact, but no longer sure to be the best
//   AffectedRule    algorithm 8.2 of the source: only the end of the old path is intact
//   BoundedRule     both in one, with tighter bounds: the default
//
// All give a path of least cost, if the old path was one before the event. Cost: O((V + E) log V) at worst, as A*; the
// memory between queries is the path alone.
//
// An edge counts as changed if it is new or cheaper. A path without changed edges was there before the event and cost
// no more, so it cannot beat the old path. That is all the rules use. Where the costs rose, the old path is not intact.
namespace wend {

// The old path on the new graph, from where the agent is now.
struct OldGraphPath {
  uint32_t start = kNone;
  // An edge that is gone or costs something else than before: edge == kNone. A vertex that is gone: to == kNone.
  std::vector<GraphStep> steps;
  bool optimal = false;  // before the event
  // The old cost from the start to the goal; negative if it is unknown, because the agent has left the old path.
  double cost = -1;

  void clear() {
    start = kNone;
    steps.clear();
    optimal = false;
    cost = -1;
  }
  // How many steps lie before the intact end of the path; 0: all is intact.
  size_t suffixBegin() const {
    size_t i = steps.size();
    while (i > 0 && steps[i - 1].edge != kNone) --i;
    return i;
  }
  bool isIntact() const { return cost >= 0 && suffixBegin() == 0; }
  uint32_t vertex(size_t i) const { return i == 0 ? start : steps[i - 1].to; }
};

// Sums of the same costs in another order differ in their last digits.
inline constexpr double kCostSlack = 1e-12;

enum class Expansion : uint8_t { kAll, kSuccessor, kNothing };

// The steps of the old path, for rules: where its vertices are, and the cost of its intact end.
class OldPathIndex {
 public:
  OldPathIndex(const OldGraphPath& old, size_t begin, GraphSearchScratch& scratch)
      : old_(old), begin_(begin), scratch_(scratch) {
    scratch.tails.assign(old.steps.size() + 1, 0.0);
    for (size_t i = old.steps.size(); i-- > begin;) {
      scratch.tails[i] = scratch.tails[i + 1] + old.steps[i].cost;
    }
    for (size_t i = begin; i <= old.steps.size(); ++i) {
      scratch.oldIndex.set(old.vertex(i), static_cast<uint32_t>(i), scratch.stamp);
    }
  }
  // kNone off the intact end of the path.
  uint32_t find(uint32_t vertex) const {
    const uint32_t* at = scratch_.oldIndex.find(vertex, scratch_.stamp);
    return at == nullptr ? kNone : *at;
  }
  double tail(uint32_t index) const { return scratch_.tails[index]; }
  double total() const { return scratch_.tails[begin_]; }
  bool isSuccessor(uint32_t index, const GraphStep& step) const {
    return index < old_.steps.size() && old_.steps[index].edge == step.edge && old_.steps[index].to == step.to;
  }
  const OldGraphPath& old() const { return old_; }

 private:
  const OldGraphPath& old_;
  size_t begin_;
  GraphSearchScratch& scratch_;
};

struct AStarRule {
  double bound() const { return HUGE_VAL; }
  bool enters(uint32_t /*vertex*/, Vec2 /*p*/, double /*g*/, bool /*seen*/) { return true; }
  Expansion expand(uint32_t /*vertex*/, Vec2 /*p*/, GraphNode& /*node*/, const GraphNode* /*parent*/) const {
    return Expansion::kAll;
  }
  bool isSuccessor(uint32_t /*vertex*/, const GraphStep& /*step*/) const { return true; }
};

// The lower bound of the source: two distances to the changed part, apart from each other.
class SourceBound {
 public:
  SourceBound(const ChangedPart& part, Vec2 goal, double rate) : part_(part), rate_(rate), goal_(part.distance(goal)) {}
  double through(Vec2 p) const { return part_.empty() ? HUGE_VAL : rate_ * (part_.distance(p) + goal_); }

 private:
  const ChangedPart& part_;
  double rate_;
  double goal_;
};

class UnaffectedRule {
 public:
  UnaffectedRule(const OldPathIndex& index, const SourceBound& bound)
      : index_(index), bound_(bound), limit_((1 - kCostSlack) * index.total()) {}
  double bound() const { return HUGE_VAL; }
  bool enters(uint32_t /*vertex*/, Vec2 /*p*/, double /*g*/, bool /*seen*/) { return true; }
  Expansion expand(uint32_t vertex, Vec2 p, GraphNode& node, const GraphNode* parent) const {
    node.isFar = parent != nullptr && parent->isFar;
    const bool isOld = index_.find(vertex) != kNone;
    if (!isOld && node.seenChange) return Expansion::kAll;
    node.isFar = node.isFar || node.g + bound_.through(p) >= limit_;
    if (!node.isFar) return Expansion::kAll;
    return isOld ? Expansion::kSuccessor : Expansion::kNothing;
  }
  bool isSuccessor(uint32_t vertex, const GraphStep& step) const {
    return index_.isSuccessor(index_.find(vertex), step);
  }

 private:
  const OldPathIndex& index_;
  const SourceBound& bound_;
  double limit_;
};

class AffectedRule {
 public:
  AffectedRule(const OldPathIndex& index, const SourceBound& bound) : index_(index), bound_(bound) {}
  // DPA* assumes that a removed obstacle never makes a path dearer: `assumed` is then the cost of the old path.
  void assume(double assumed) { assumed_ = assumed; }

  double bound() const { return HUGE_VAL; }
  bool enters(uint32_t /*vertex*/, Vec2 /*p*/, double /*g*/, bool /*seen*/) { return true; }
  Expansion expand(uint32_t vertex, Vec2 p, GraphNode& node, const GraphNode* parent) const {
    node.isFar = parent != nullptr && parent->isFar;
    const uint32_t at = index_.find(vertex);
    if (at == kNone) {
      if (node.seenChange || assumed_ == HUGE_VAL) return Expansion::kAll;
      return node.g + bound_.through(p) < assumed_ ? Expansion::kAll : Expansion::kNothing;
    }
    node.isFar = node.isFar || bound_.through(p) >= (1 - kCostSlack) * index_.tail(at);
    return node.isFar ? Expansion::kSuccessor : Expansion::kAll;
  }
  bool isSuccessor(uint32_t vertex, const GraphStep& step) const {
    return index_.isSuccessor(index_.find(vertex), step);
  }

 private:
  const OldPathIndex& index_;
  const SourceBound& bound_;
  double assumed_ = HUGE_VAL;
};

// Keeps the best way known so far: to a vertex of the intact end of the old path, and on along it. A vertex is left out
// if neither of its continuations can be better:
// - without changed edges: from the old path, its own rest is the best; elsewhere, it costs at least the old path;
// - with changed edges: it passes the changed part, lengthThrough() at least.
// The search ends when no vertex promises less than the best way.
class BoundedRule {
 public:
  // `oldCost` is a lower bound of all ways without changed edges: the cost of the old path, or negative.
  BoundedRule(const OldPathIndex& index, const ChangedPart& part, Vec2 goal, double rate, double oldCost)
      : index_(index), part_(part), goal_(goal), rate_(rate), oldCost_(oldCost) {}

  double bound() const { return (1 - kCostSlack) * best_; }
  uint32_t bestVertex() const { return bestVertex_; }  // where the best way meets the old path
  double best() const { return best_; }

  bool enters(uint32_t vertex, Vec2 p, double g, bool seen) {
    const uint32_t at = index_.find(vertex);
    if (at != kNone && g + index_.tail(at) < best_) {
      best_ = g + index_.tail(at);
      bestVertex_ = vertex;
    }
    if (best_ == HUGE_VAL) return true;
    const double limit = bound();
    if (g + rate_ * distance(p, goal_) >= limit) return false;
    if (at == kNone && (seen || oldCost_ < limit)) return true;
    return !part_.isBeyond(p, goal_, (limit - g) / rate_);
  }
  Expansion expand(uint32_t /*vertex*/, Vec2 /*p*/, GraphNode& /*node*/, const GraphNode* /*parent*/) const {
    return Expansion::kAll;
  }
  bool isSuccessor(uint32_t /*vertex*/, const GraphStep& /*step*/) const { return true; }

 private:
  const OldPathIndex& index_;
  const ChangedPart& part_;
  Vec2 goal_;
  double rate_;
  double oldCost_;
  double best_ = HUGE_VAL;
  uint32_t bestVertex_ = kNone;
};

enum class SearchEnd : uint8_t { kGoal, kBound, kNothing };

// From `start` to `goal`. kGoal: the nodes lead to the goal. kBound: nothing promises less than rule.bound(). kNothing:
// all that the rule let pass is searched. Adds the vertices taken from the open list to `expanded`, the goal excepted.
// Deterministic: of equal estimates the one nearer to the goal, then the smaller tieBreak().
template <SearchGraph Graph, typename Rule>
SearchEnd searchGraph(Graph& graph, uint32_t start, uint32_t goal, Rule& rule, GraphSearchScratch& s,
                      uint64_t& expanded) {
  const Vec2 target = graph.position(goal);
  const double rate = graph.leastRate();
  const auto reach = [&](uint32_t vertex, double g, uint32_t parent, const GraphStep& via, bool seen) {
    if (graph.vertexCount() > s.vertices()) s.grow(graph.vertexCount());
    const GraphNode* known = s.nodes.find(vertex, s.stamp);
    if (known != nullptr && known->g <= g) return;
    s.nodes.set(vertex, {g, parent, via, seen, false}, s.stamp);
    const Vec2 p = graph.position(vertex);
    if (rule.enters(vertex, p, g, seen)) {
      const uint64_t tie = graph.tieBreak(vertex);
      s.open.push(
          {g + rate * distance(p, target), g, static_cast<uint32_t>(tie >> 32), static_cast<uint32_t>(tie), vertex});
    }
  };
  reach(start, 0, kNone, {kNone, start, 0, false}, false);
  while (!s.open.empty()) {
    const OpenEntry top = s.open.pop();
    GraphNode& found = *s.nodes.find(top.node, s.stamp);
    if (top.g > found.g) continue;
    if (top.f >= rule.bound()) return SearchEnd::kBound;
    if (top.node == goal) return SearchEnd::kGoal;
    ++expanded;
    const uint32_t vertex = top.node;
    const GraphNode* parent = found.parent == kNone ? nullptr : s.nodes.find(found.parent, s.stamp);
    const Expansion mode = rule.expand(vertex, graph.position(vertex), found, parent);
    if (mode == Expansion::kNothing) continue;
    const GraphNode node = found;
    graph.forEachStep(vertex, [&](const GraphStep& step) {
      if (mode == Expansion::kSuccessor && !rule.isSuccessor(vertex, step)) return;
      reach(step.to, node.g + step.cost, vertex, step, node.seenChange || step.changed);
    });
  }
  return SearchEnd::kNothing;
}

// The way to a vertex that the last search reached.
inline void tracePath(GraphSearchScratch& s, uint32_t vertex, GraphPath& path) {
  path.steps.clear();
  uint32_t at = vertex;
  for (;;) {
    const GraphNode& node = *s.nodes.find(at, s.stamp);
    if (node.parent == kNone) break;
    path.steps.push_back(node.via);
    at = node.parent;
  }
  path.start = at;
  std::reverse(path.steps.begin(), path.steps.end());
  path.cost = s.nodes.find(vertex, s.stamp)->g;
}

}  // namespace wend
