#include "planning/replan/axis_replan.h"

namespace wend {
namespace {

class Rest {
 public:
  Rest(const CorridorGraph& graph, const AxisChange& change, const AxisPoint& start, const AxisPoint& goal,
       double radius, const OldAxisPath& path, AxisReplanScratch& scratch)
      : graph_(graph),
        map_(graph.map()),
        change_(change),
        start_(start),
        goal_(goal),
        radius_(radius),
        path_(path),
        s_(scratch),
        startNode_(static_cast<uint32_t>(map_.vertices.size())) {}

  void find() {
    s_.old.clear();
    s_.old.optimal = path_.optimal;
    s_.mapped.clear();
    for (const uint32_t halfEdge : path_.halfEdges) s_.mapped.push_back(change_.newHalfEdge(halfEdge));
    if (s_.mapped.empty()) return;
    const size_t at = indexOfStart();
    if (at < s_.mapped.size()) return onPath(at);
    const size_t corner = indexOfCorner();
    if (corner < s_.mapped.size()) return fromCorner(corner);
    offPath();
  }

 private:
  bool isReversed(uint32_t halfEdge) const { return (halfEdge & 1) != 0; }
  const CorridorMap::Edge& edge(uint32_t halfEdge) const { return map_.edges[halfEdge >> 1]; }
  double restOfFirst(uint32_t halfEdge) const {
    return isReversed(halfEdge) ? start_.along : std::max(0.0, edge(halfEdge).length - start_.along);
  }
  double partOfLast(uint32_t halfEdge) const {
    return isReversed(halfEdge) ? std::max(0.0, edge(halfEdge).length - goal_.along) : goal_.along;
  }

  // The half-edge of the path on which the agent is, or how many there are.
  size_t indexOfStart() const {
    const size_t count = s_.mapped.size();
    for (size_t i = 0; i < count; ++i) {
      const uint32_t halfEdge = s_.mapped[i];
      if (halfEdge == kNone || halfEdge >> 1 != start_.edge) continue;
      // Behind where the path began, another direction may be shorter.
      if (i == 0 && count > 1 && restOfFirst(halfEdge) > path_.lead + AxisChange::kSameEdge) continue;
      if (i + 1 == count) {
        if (goal_.edge != start_.edge) continue;
        const double ahead = (isReversed(halfEdge) ? -1 : 1) * (goal_.along - start_.along);
        if (ahead < 0 || (i == 0 && ahead > path_.lead + AxisChange::kSameEdge)) continue;
      }
      return i;
    }
    return count;
  }
  // The agent is on an edge into a corner: the only way leads to its other end. The half-edge of the path that ends
  // there, or how many there are.
  size_t indexOfCorner() const {
    const CorridorMap::Edge& at = map_.edges[start_.edge];
    const bool fromIsCorner = map_.vertices[at.from].degree == 1;
    if (fromIsCorner == (map_.vertices[at.to].degree == 1) || goal_.edge == start_.edge) return s_.mapped.size();
    const uint32_t inner = fromIsCorner ? at.to : at.from;
    for (size_t i = 0; i + 1 < s_.mapped.size(); ++i) {
      if (endOfStep(i) == inner) return i;
    }
    return s_.mapped.size();
  }
  // The vertex after half-edge i, which is not the last; kNone if it is gone.
  uint32_t endOfStep(size_t i) const {
    if (s_.mapped[i] != kNone) return graph_.endOf(s_.mapped[i]);
    return s_.mapped[i + 1] != kNone ? graph_.endOf(s_.mapped[i + 1] ^ 1) : kNone;
  }

  void onPath(size_t at) {
    const uint32_t halfEdge = s_.mapped[at];
    s_.old.start = startNode_;
    s_.old.cost = 0;
    if (at + 1 == s_.mapped.size()) {
      const bool isFree = leastClearanceBetween(graph_, start_, goal_) >= radius_;
      add({isFree ? halfEdge : kNone, startNode_ + 1, std::abs(goal_.along - start_.along), false});
      return;
    }
    addFirst(halfEdge);
    addFrom(at + 1);
  }
  void fromCorner(size_t at) {
    const uint32_t inner = endOfStep(at);
    s_.old.start = startNode_;
    s_.old.cost = 0;
    addFirst(2 * start_.edge + (map_.edges[start_.edge].to == inner ? 0 : 1));
    addFrom(at + 1);
  }
  void offPath() {
    if (s_.mapped.size() < 2) return;
    s_.old.start = endOfStep(0);
    s_.old.cost = 0;
    addFrom(1);
    s_.old.cost = -1;
  }

  void addFirst(uint32_t halfEdge) {
    const double least = isReversed(halfEdge) ? start_.leastToStart : start_.leastToEnd;
    const bool isIntact = least >= radius_ && !change_.isNew(halfEdge >> 1);
    add({isIntact ? halfEdge : kNone, graph_.endOf(halfEdge), restOfFirst(halfEdge), false});
  }
  void addFrom(size_t first) {
    for (size_t i = first; i < s_.mapped.size(); ++i) {
      const uint32_t halfEdge = s_.mapped[i];
      const uint32_t oldHalfEdge = path_.halfEdges[i];
      const double oldLength = change_.before().edges[oldHalfEdge >> 1].length;
      if (i + 1 == s_.mapped.size()) {
        // What the last part cost is not known once the goal's edge is gone. Nothing is less than that.
        const bool isSame = halfEdge != kNone && halfEdge >> 1 == goal_.edge;
        const double least = isReversed(halfEdge) ? goal_.leastToEnd : goal_.leastToStart;
        const bool isIntact = isSame && least >= radius_;
        add({isIntact ? halfEdge : kNone, startNode_ + 1, isSame ? partOfLast(halfEdge) : 0, false});
        return;
      }
      const bool isIntact = halfEdge != kNone && edge(halfEdge).minClearance >= radius_;
      add({isIntact ? halfEdge : kNone, endOfStep(i), halfEdge != kNone ? edge(halfEdge).length : oldLength, false});
    }
  }
  void add(const GraphStep& step) {
    s_.old.steps.push_back(step);
    s_.old.cost += step.cost;
  }

  const CorridorGraph& graph_;
  const CorridorMap& map_;
  const AxisChange& change_;
  const AxisPoint& start_;
  const AxisPoint& goal_;
  double radius_;
  const OldAxisPath& path_;
  AxisReplanScratch& s_;
  uint32_t startNode_;
};

// The changed part of a query: a goal on a changed edge belongs to it.
void findPart(const AxisChange& change, const AxisPoint& goal, ChangedPart& part) {
  part = change.part();
  if (change.isNew(goal.edge)) part.add(goal.p);
}

}  // namespace

void findRest(const CorridorGraph& graph, const AxisChange& change, const AxisPoint& start, const AxisPoint& goal,
              double radius, const OldAxisPath& path, AxisReplanScratch& scratch) {
  Rest(graph, change, start, goal, radius, path, scratch).find();
}

bool isAxisPathConcerned(const CorridorGraph& graph, const AxisChange& change, const AxisPoint& start,
                         const AxisPoint& goal, double radius, const OldAxisPath& path, AxisReplanScratch& scratch) {
  findRest(graph, change, start, goal, radius, path, scratch);
  if (!scratch.old.isIntact()) return true;
  findPart(change, goal, scratch.part);
  return !scratch.part.isBeyond(start.p, goal.p, (1 - kCostSlack) * scratch.old.cost);
}

bool replanOnAxis(const CorridorGraph& graph, const AxisChange& change, const AxisPoint& start, const AxisPoint& goal,
                  double radius, const OldAxisPath& path, const ReplanQuery& how, AxisReplanScratch& scratch,
                  ReplanReport& report) {
  findRest(graph, change, start, goal, radius, path, scratch);
  findPart(change, goal, scratch.part);
  AxisGraph axis(graph, start, goal, radius, &change);
  ReplanQuery query = how;
  query.start = axis.start();
  query.goal = axis.goal();
  return replanPath(axis, query, scratch.old, scratch.part, scratch.search, scratch.path, report);
}

}  // namespace wend
