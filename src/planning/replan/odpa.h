#pragma once

#include <unordered_map>

#include <wend/replan.h>

#include "planning/replan/pruned_search.h"

// Planning a path again after an event changed its graph (van Toll 2017, chapter 8), by any ReplanMethod on any graph.
//
// - kOdpa: a path of least cost. Needs an old path that was one; otherwise it is plain A*. Never expands a vertex that
//   A* would not, up to equal estimates.
// - kDpa: the reconstruction of spec 4.5: keeps an intact path when obstacles came; takes the old cost for an upper
//   bound when obstacles went.
// - kLocal: a path without repeated vertices, not always the cheapest. Plain A* where the broken part has no detour.
// - kAStar: a path of least cost.
namespace wend {

// For comparison in benchmarks: the bounds as in the source.
enum class OdpaBounds : uint8_t { kTight, kSource };

struct ReplanQuery {
  uint32_t start = kNone;  // where the agent is
  uint32_t goal = kNone;
  ReplanMethod method = ReplanMethod::kOdpa;
  ChangeKind change = ChangeKind::kMixed;
  OdpaBounds bounds = OdpaBounds::kTight;
};

namespace replan {

template <SearchGraph Graph>
class Replanning {
 public:
  Replanning(Graph& graph, const ReplanQuery& query, const OldGraphPath& old, const ChangedPart& part,
             GraphSearchScratch& scratch, GraphPath& path, ReplanReport& report)
      : graph_(graph), query_(query), old_(old), part_(part), s_(scratch), path_(path), report_(report) {}

  bool run() {
    report_ = {};
    report_.affected = !old_.isIntact();
    const bool found = dispatch();
    if (!found) path_.clear();
    report_.cost = path_.cost;
    report_.optimal = found && path_.optimal;
    report_.changed = !found || !isOld();
    return found;
  }

 private:
  bool dispatch() {
    switch (query_.method) {
      case ReplanMethod::kAStar:
        return aStar();
      case ReplanMethod::kOdpa:
        return odpa();
      case ReplanMethod::kDpa:
        return dpa();
      case ReplanMethod::kLocal:
        return local();
    }
    return aStar();
  }

  bool isOld() const {
    if (!old_.isIntact() || path_.steps.size() != old_.steps.size()) return false;
    for (size_t i = 0; i < path_.steps.size(); ++i) {
      if (path_.steps[i].edge != old_.steps[i].edge || path_.steps[i].to != old_.steps[i].to) return false;
    }
    return true;
  }

  bool keep(bool optimal) {
    path_.start = old_.start;
    path_.steps = old_.steps;
    path_.cost = old_.cost;
    path_.optimal = optimal;
    return true;
  }
  // In O(1): no way through the changed part is cheaper than the intact old path.
  bool isProved() const {
    const double limit = (1 - kCostSlack) * old_.cost;
    const Vec2 from = graph_.position(query_.start);
    const Vec2 to = graph_.position(query_.goal);
    return part_.empty() || part_.isBeyond(from, to, limit / graph_.leastRate());
  }

  bool aStar() {
    s_.begin(graph_.vertexCount());
    report_.searched = true;
    AStarRule rule;
    if (searchGraph(graph_, query_.start, query_.goal, rule, s_, report_.expanded) != SearchEnd::kGoal) return false;
    tracePath(s_, query_.goal, path_);
    path_.optimal = true;
    return true;
  }

  bool odpa() {
    if (!old_.optimal) return aStar();
    if (old_.isIntact()) return query_.bounds == OdpaBounds::kTight ? bounded() : unaffected();
    if (old_.suffixBegin() == old_.steps.size()) return aStar();
    return query_.bounds == OdpaBounds::kTight ? bounded() : affected(HUGE_VAL);
  }

  bool unaffected() {
    if (part_.empty()) return keep(true);
    s_.begin(graph_.vertexCount());
    report_.searched = true;
    const OldPathIndex index(old_, 0, s_);
    const SourceBound bound(part_, graph_.position(query_.goal), graph_.leastRate());
    UnaffectedRule rule(index, bound);
    if (searchGraph(graph_, query_.start, query_.goal, rule, s_, report_.expanded) != SearchEnd::kGoal) return false;
    tracePath(s_, query_.goal, path_);
    path_.optimal = old_.optimal;
    return true;
  }

  bool affected(double assumed) {
    s_.begin(graph_.vertexCount());
    report_.searched = true;
    const OldPathIndex index(old_, old_.suffixBegin(), s_);
    const SourceBound bound(part_, graph_.position(query_.goal), graph_.leastRate());
    AffectedRule rule(index, bound);
    rule.assume(assumed);
    if (searchGraph(graph_, query_.start, query_.goal, rule, s_, report_.expanded) != SearchEnd::kGoal) return false;
    tracePath(s_, query_.goal, path_);
    path_.optimal = old_.optimal && assumed == HUGE_VAL;
    return true;
  }

  // Both scenarios with the bounds of BoundedRule.
  bool bounded() {
    if (old_.isIntact() && isProved()) return keep(true);
    s_.begin(graph_.vertexCount());
    report_.searched = true;
    const OldPathIndex index(old_, old_.suffixBegin(), s_);
    BoundedRule rule(index, part_, graph_.position(query_.goal), graph_.leastRate(), old_.cost);
    searchGraph(graph_, query_.start, query_.goal, rule, s_, report_.expanded);
    if (rule.bestVertex() == kNone) return false;
    const uint32_t at = index.find(rule.bestVertex());
    tracePath(s_, rule.bestVertex(), path_);
    path_.steps.insert(path_.steps.end(), old_.steps.begin() + at, old_.steps.end());
    path_.cost = rule.best();
    path_.optimal = true;
    return true;
  }

  bool dpa() {
    const ChangeKind kind = query_.change;
    if (kind == ChangeKind::kMixed || (kind == ChangeKind::kInsertion && report_.affected) ||
        (kind == ChangeKind::kDeletion && !report_.affected)) {
      return odpa();
    }
    if (kind == ChangeKind::kInsertion) return keep(old_.optimal && isProved());
    if (old_.cost < 0) return odpa();
    // Deletion: the old path must not be dearer than it was. It may be; then everything may have been pruned away.
    if (affected((1 - kCostSlack) * old_.cost)) return true;
    return aStar();
  }

  bool local();
  void removeLoops();

  Graph& graph_;
  const ReplanQuery& query_;
  const OldGraphPath& old_;
  const ChangedPart& part_;
  GraphSearchScratch& s_;
  GraphPath& path_;
  ReplanReport& report_;
};

template <SearchGraph Graph>
bool Replanning<Graph>::local() {
  if (!report_.affected) return keep(old_.optimal && isProved());
  // A: the last vertex before the first broken step. B: the first vertex after the last one.
  if (old_.cost < 0 || old_.start != query_.start) return aStar();
  const size_t b = old_.suffixBegin();
  size_t a = 0;
  while (a < b && old_.steps[a].edge != kNone) ++a;
  const uint32_t from = old_.vertex(a);
  const uint32_t to = old_.vertex(b);
  if (from == kNone || to == kNone) return aStar();
  if (a == 0 && b == old_.steps.size()) return aStar();
  s_.begin(graph_.vertexCount());
  report_.searched = true;
  AStarRule rule;
  if (searchGraph(graph_, from, to, rule, s_, report_.expanded) != SearchEnd::kGoal) return aStar();
  tracePath(s_, to, s_.part);
  path_.start = old_.start;
  path_.steps.assign(old_.steps.begin(), old_.steps.begin() + static_cast<ptrdiff_t>(a));
  path_.steps.insert(path_.steps.end(), s_.part.steps.begin(), s_.part.steps.end());
  path_.steps.insert(path_.steps.end(), old_.steps.begin() + static_cast<ptrdiff_t>(b), old_.steps.end());
  removeLoops();
  path_.cost = 0;
  for (const GraphStep& step : path_.steps) path_.cost += step.cost;
  path_.optimal = false;
  return true;
}

// Cuts what lies between two visits of a vertex: from the start, each vertex is left by the step of its last visit. The
// source cuts at A' and B' only, which is not enough where the detour doubles back.
template <SearchGraph Graph>
void Replanning<Graph>::removeLoops() {
  std::unordered_map<uint32_t, size_t> last;  // the number of steps before the last visit
  last[path_.start] = 0;
  for (size_t i = 0; i < path_.steps.size(); ++i) last[path_.steps[i].to] = i + 1;
  size_t kept = 0;
  for (size_t i = last.at(path_.start); i < path_.steps.size();) {
    const GraphStep step = path_.steps[i];
    path_.steps[kept++] = step;
    i = last.at(step.to);
  }
  path_.steps.resize(kept);
}

}  // namespace replan

// The path from query.start to query.goal on the graph as it is now. False if there is none. `old` is the old path in
// terms of this graph, `part` covers its changed edges.
template <SearchGraph Graph>
bool replanPath(Graph& graph, const ReplanQuery& query, const OldGraphPath& old, const ChangedPart& part,
                GraphSearchScratch& scratch, GraphPath& path, ReplanReport& report) {
  return replan::Replanning<Graph>(graph, query, old, part, scratch, path, report).run();
}

}  // namespace wend
