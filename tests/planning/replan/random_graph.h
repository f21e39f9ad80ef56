#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/random.h"
#include "planning/replan/odpa.h"

// Random graphs that change, and A* on them: the truth that every re-planning is compared with.
namespace wend {

// Vertices and edges in lists. Edge e is the step 2 e from a to b, and 2 e + 1 back.
struct ListGraph {
  struct Edge {
    uint32_t a = 0;
    uint32_t b = 0;
    double cost = 0;
    bool present = true;
    bool changed = false;  // new or cheaper since the last event
  };
  std::vector<Vec2> places;
  std::vector<Edge> edges;
  std::vector<std::vector<uint32_t>> out;  // steps per vertex

  size_t vertexCount() const { return places.size(); }
  Vec2 position(uint32_t v) const { return places[v]; }
  double leastRate() const { return 1; }
  uint32_t tieBreak(uint32_t v) const { return v; }
  void forEachStep(uint32_t v, const auto& f) const {
    for (const uint32_t step : out[v]) {
      const Edge& edge = edges[step >> 1];
      if (edge.present) f(GraphStep{step, (step & 1) != 0 ? edge.a : edge.b, edge.cost, edge.changed});
    }
  }
  uint32_t addEdge(uint32_t a, uint32_t b, double cost) {
    const auto id = static_cast<uint32_t>(edges.size());
    edges.push_back({a, b, cost});
    out.resize(places.size());
    out[a].push_back(2 * id);
    out[b].push_back(2 * id + 1);
    return id;
  }
};

struct GraphEvent {
  ListGraph before;
  ListGraph after;
  ChangedPart part;
  ChangeKind kind = ChangeKind::kMixed;
};

// Both ends of changed edges: every path over the edge passes them.
inline void markChange(GraphEvent& event) {
  event.part.clear();
  for (uint32_t e = 0; e < event.after.edges.size(); ++e) {
    ListGraph::Edge& edge = event.after.edges[e];
    const ListGraph::Edge* was = e < event.before.edges.size() ? &event.before.edges[e] : nullptr;
    edge.changed = edge.present && (was == nullptr || !was->present || edge.cost < was->cost);
    if (edge.changed) event.part.add(event.after.places[edge.a]);
  }
  event.part.merge(0.1);
}

// The old path after the event, for an agent that has walked `walked` of its steps.
inline OldGraphPath oldPathAfter(const GraphEvent& event, const GraphPath& path, size_t walked) {
  OldGraphPath old;
  old.optimal = path.optimal;
  old.start = walked == 0 ? path.start : path.steps[walked - 1].to;
  old.cost = 0;
  for (size_t i = walked; i < path.steps.size(); ++i) {
    GraphStep step = path.steps[i];
    const ListGraph::Edge& now = event.after.edges[step.edge >> 1];
    old.cost += step.cost;
    if (!now.present || now.cost != step.cost) step.edge = kNone;
    step.changed = false;
    old.steps.push_back(step);
  }
  return old;
}

// `ties`: whole-number places and costs on a grid, so that many paths cost the same.
inline ListGraph randomGraph(Random& random, bool ties) {
  ListGraph graph;
  const auto count = static_cast<uint32_t>(random.between(2, random.chance(0.2) ? 12 : 120));
  const auto coordinate = [&] { return ties ? static_cast<double>(random.between(0, 6)) : random.real(); };
  for (uint32_t i = 0; i < count; ++i) graph.places.push_back({coordinate(), coordinate()});
  graph.out.resize(count);
  const double reach = (ties ? 7 : 1) * random.real(1.2, 2.2) / std::sqrt(static_cast<double>(count));
  for (uint32_t a = 0; a < count; ++a) {
    for (uint32_t b = a; b < count; ++b) {
      const double straight = distance(graph.places[a], graph.places[b]);
      // Loops, and edges without length between vertices of one place.
      if (a == b ? !random.chance(0.03) : straight > reach || random.chance(0.3)) continue;
      const auto cost = [&] {
        return ties ? std::ceil(straight) : straight * (random.chance(0.5) ? 1 : random.real(1, 2));
      };
      graph.addEdge(a, b, cost());
      // Edges beside each other.
      if (random.chance(0.1)) graph.addEdge(a, b, cost());
    }
  }
  return graph;
}

// What happens inside a disk: edges go, come, become dearer or cheaper.
inline GraphEvent randomEvent(Random& random, const ListGraph& graph, bool ties) {
  GraphEvent event;
  event.before = graph;
  event.after = graph;
  event.kind = static_cast<ChangeKind>(random.below(3));
  const double size = ties ? 6 : 1;
  const Vec2 centre{size * random.real(), size * random.real()};
  const double radius = size * random.real(0.02, 0.4);
  const auto isIn = [&](uint32_t v) { return distance(graph.places[v], centre) < radius; };
  // On a medial axis an obstacle that comes may make a path cheaper, too.
  const bool surprises = random.chance(0.3);
  const bool raises = surprises || event.kind != ChangeKind::kDeletion;
  const bool lowers = surprises || event.kind != ChangeKind::kInsertion;
  for (ListGraph::Edge& edge : event.after.edges) {
    if (!isIn(edge.a) && !isIn(edge.b)) continue;
    const double least = distance(graph.places[edge.a], graph.places[edge.b]);
    const double chance = random.real();
    if (raises && chance < 0.4) edge.present = false;
    if (raises && chance >= 0.4 && chance < 0.6) edge.cost = edge.cost * 2 + (ties ? 1 : 0);
    if (lowers && chance >= 0.6 && chance < 0.8) edge.cost = ties ? std::ceil(least) : least;
  }
  const auto count = static_cast<uint32_t>(graph.places.size());
  for (int i = 0; lowers && i < 6; ++i) {
    const auto a = static_cast<uint32_t>(random.below(count));
    const auto b = static_cast<uint32_t>(random.below(count));
    if (!isIn(a) || !isIn(b)) continue;
    const double least = distance(graph.places[a], graph.places[b]);
    event.after.addEdge(a, b, ties ? std::ceil(least) : least * random.real(1, 1.3));
  }
  markChange(event);
  return event;
}

inline bool isPathOf(const ListGraph& graph, const GraphPath& path, uint32_t start, uint32_t goal) {
  if (path.start != start || path.goal() != goal) return false;
  uint32_t at = start;
  double cost = 0;
  std::set<uint32_t> seen{start};
  for (const GraphStep& step : path.steps) {
    if ((step.edge >> 1) >= graph.edges.size()) return false;
    const ListGraph::Edge& edge = graph.edges[step.edge >> 1];
    const uint32_t from = (step.edge & 1) != 0 ? edge.b : edge.a;
    const uint32_t to = (step.edge & 1) != 0 ? edge.a : edge.b;
    if (!edge.present || from != at || to != step.to || !seen.insert(to).second) return false;
    cost += edge.cost;
    at = to;
  }
  return std::abs(cost - path.cost) <= 1e-9 * std::max(1.0, cost);
}

struct ReplanCounts {
  uint64_t trials = 0, affected = 0, noWay = 0, kept = 0;
  uint64_t aStar = 0, tight = 0, source = 0, local = 0, aStarAffected = 0, localAffected = 0;
  uint64_t dpaWorse = 0, localWorse = 0;
};

// One random graph, event, start and goal: every method against A*. Returns what is wrong, or nothing.
inline std::string checkReplanning(uint64_t seed, uint64_t stream, ReplanCounts& counts) {
  Random random(seed, stream);
  const bool ties = random.chance(0.3);
  const ListGraph graph = randomGraph(random, ties);
  GraphSearchScratch scratch;
  const auto count = graph.places.size();
  for (int query = 0; query < 8; ++query) {
    const auto start = static_cast<uint32_t>(random.below(count));
    const auto goal = static_cast<uint32_t>(random.below(count));
    ListGraph now = graph;
    GraphPath path;
    ReplanReport report;
    if (!replanPath(now, {start, goal, ReplanMethod::kAStar}, {}, {}, scratch, path, report)) continue;
    // Events one after the other: the path of ODPA* is the old path of the next.
    for (int k = 0; k < 3; ++k) {
      GraphEvent event = randomEvent(random, now, ties);
      const size_t walked = random.below(1 + path.steps.size() / 3);
      OldGraphPath old = oldPathAfter(event, path, walked);
      const uint32_t from = old.start;
      // Now and then the agent was pushed off its path.
      uint32_t at = from;
      if (random.chance(0.1)) {
        at = static_cast<uint32_t>(random.below(count));
        old.cost = -1;
      }
      const auto with = [&](ReplanMethod method, OdpaBounds bounds, GraphPath& out, ReplanReport& how) {
        return replanPath(event.after, {at, goal, method, event.kind, bounds}, old, event.part, scratch, out, how);
      };
      GraphPath best;
      ReplanReport bestReport;
      const bool found = with(ReplanMethod::kAStar, OdpaBounds::kTight, best, bestReport);
      ++counts.trials;
      counts.noWay += found ? 0 : 1;
      counts.aStar += bestReport.expanded;
      GraphPath next;
      for (const OdpaBounds bounds : {OdpaBounds::kSource, OdpaBounds::kTight}) {
        ReplanReport how;
        GraphPath out;
        const char* name = bounds == OdpaBounds::kTight ? "tight" : "source";
        if (with(ReplanMethod::kOdpa, bounds, out, how) != found) return fmt::format("{} {}: found differs", name, k);
        (bounds == OdpaBounds::kTight ? counts.tight : counts.source) += how.expanded;
        if (bounds == OdpaBounds::kTight) {
          counts.affected += how.affected ? 1 : 0;
          counts.kept += how.searched ? 0 : 1;
          if (how.affected) counts.aStarAffected += bestReport.expanded;
        }
        // Equal estimates may be taken in another order.
        if (!ties && how.expanded > bestReport.expanded) {
          return fmt::format("{} {}: {} expansions, A* has {}", name, k, how.expanded, bestReport.expanded);
        }
        if (!found) continue;
        if (!isPathOf(event.after, out, at, goal)) return fmt::format("{} {}: not a path", name, k);
        if (!out.optimal) return fmt::format("{} {}: not called optimal", name, k);
        if (std::abs(out.cost - best.cost) > 1e-9 * best.cost) {
          return fmt::format("{} {}: cost {} instead of {}", name, k, out.cost, best.cost);
        }
        next = out;
      }
      for (const ReplanMethod method : {ReplanMethod::kDpa, ReplanMethod::kLocal}) {
        ReplanReport how;
        GraphPath out;
        if (with(method, OdpaBounds::kTight, out, how) != found) {
          return fmt::format("{} {}: found differs", methodName(method), k);
        }
        if (method == ReplanMethod::kLocal) {
          counts.local += how.expanded;
          if (how.affected) counts.localAffected += how.expanded;
        }
        if (!found) continue;
        if (!isPathOf(event.after, out, at, goal)) return fmt::format("{} {}: not a path", methodName(method), k);
        const bool worse = out.cost > (1 + 1e-9) * best.cost;
        if (out.cost < (1 - 1e-9) * best.cost) return fmt::format("{} {}: too cheap", methodName(method), k);
        if (worse && out.optimal) return fmt::format("{} {}: called optimal, is not", methodName(method), k);
        (method == ReplanMethod::kDpa ? counts.dpaWorse : counts.localWorse) += worse ? 1 : 0;
      }
      if (!found) break;
      path = next;
      now = event.after;
    }
  }
  return {};
}

}  // namespace wend
