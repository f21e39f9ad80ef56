#pragma once

#include <vector>

#include "geometry/vec2.h"
#include "planning/corridor/retraction.h"
#include "planning/open_list.h"
#include "planning/stamped.h"

// A* for a disk on the medial axis, between two points of it (van Toll 2017, chapter 4).
//
// The graph is that of true vertices; both ends split their edges virtually. A vertex remembers the half-edge by which
// it was reached, so that parallel edges and loops need no special case. An edge is passable if its least clearance is
// at least the radius; of the edges at both ends only the part that is walked counts.
namespace wend {

// The cost of walking `length` of an edge, after `before` from the start: at least the length, so that straight
// distances are admissible estimates.
struct LengthCost {
  double operator()(uint32_t /*halfEdge*/, double length, double /*before*/) const { return length; }
};

// True if a search may end at a vertex, `length` from the start, before it has reached the goal.
struct NeverStop {
  bool operator()(uint32_t /*vertex*/, double /*length*/) const { return false; }
};

struct CorridorNode {
  double g;
  double length;      // from the start
  uint32_t halfEdge;  // by which it is reached
  uint32_t parent;    // vertex, kNone for the start
};

struct CorridorSearchScratch {
  OpenList open;
  StampedArray<CorridorNode> nodes;  // vertices, then the goal
};

struct CorridorPath {
  std::vector<uint32_t> halfEdges;  // walked in order, the first and the last in part
  double cost = 0;
  uint32_t stop = kNone;  // the vertex where the search ended, kNone at the goal
};

// Fills `path`; false if there is none. Cost is any type called like LengthCost. Where the cost
// depends on the length before an edge, the path is a good one, not always the cheapest. Adds the expanded vertices to
// `expanded`. Paths that cost `bound` or more are left out: false if none costs less. Deterministic: of equal
// estimates the one nearer to the goal, then the lower id.
template <typename Cost, typename Stop = NeverStop>
bool searchCorridor(const CorridorGraph& graph, const AxisPoint& start, const AxisPoint& goal, double radius,
                    const Cost& cost, QueryStamp now, CorridorSearchScratch& scratch, CorridorPath& path,
                    uint64_t& expanded, const Stop& stop = {}, double bound = HUGE_VAL) {
  const CorridorMap& map = graph.map();
  const auto goalNode = static_cast<uint32_t>(map.vertices.size());
  scratch.open.clear();
  scratch.nodes.grow(map.vertices.size() + 1);
  path.halfEdges.clear();
  path.cost = 0;
  path.stop = kNone;
  const auto reach = [&](uint32_t node, const CorridorNode* from, uint32_t halfEdge, double length, uint32_t parent) {
    const double before = from == nullptr ? 0 : from->length;
    const double g = (from == nullptr ? 0 : from->g) + cost(halfEdge, length, before);
    const CorridorNode* known = scratch.nodes.find(node, now);
    if (known != nullptr && known->g <= g) return;
    const double h = node == goalNode ? 0 : distance(map.vertices[node].p, goal.p);
    if (g + h >= bound) return;
    scratch.nodes.set(node, {g, before + length, halfEdge, parent}, now);
    scratch.open.push({g + h, g, node, 0, 0});
  };
  const CorridorMap::Edge& first = map.edges[start.edge];
  const CorridorMap::Edge& last = map.edges[goal.edge];
  const double startRest = std::max(0.0, first.length - start.along);
  const double goalRest = std::max(0.0, last.length - goal.along);
  if (start.edge == goal.edge && leastClearanceBetween(graph, start, goal) >= radius) {
    const bool back = goal.arc < start.arc || (goal.arc == start.arc && goal.u < start.u);
    const uint32_t halfEdge = 2 * start.edge + (back ? 1 : 0);
    reach(goalNode, nullptr, halfEdge, std::abs(goal.along - start.along), kNone);
  }
  if (start.leastToStart >= radius) reach(first.from, nullptr, 2 * start.edge + 1, start.along, kNone);
  if (start.leastToEnd >= radius) reach(first.to, nullptr, 2 * start.edge, startRest, kNone);

  uint32_t end = kNone;
  while (!scratch.open.empty()) {
    const OpenEntry top = scratch.open.pop();
    const CorridorNode node = *scratch.nodes.find(top.side, now);
    if (top.g > node.g) continue;
    if (top.side == goalNode) {
      end = goalNode;
      break;
    }
    ++expanded;
    if (stop(top.side, node.length)) {
      end = path.stop = top.side;
      break;
    }
    if (top.side == last.from && goal.leastToStart >= radius) {
      reach(goalNode, &node, 2 * goal.edge, goal.along, top.side);
    }
    if (top.side == last.to && goal.leastToEnd >= radius) {
      reach(goalNode, &node, 2 * goal.edge + 1, goalRest, top.side);
    }
    const CorridorMap::Vertex& vertex = map.vertices[top.side];
    for (uint32_t i = 0; i < vertex.degree; ++i) {
      const uint32_t halfEdge = map.out[vertex.firstOut + i];
      // Straight back is never shorter.
      if (halfEdge == (node.halfEdge ^ 1)) continue;
      const CorridorMap::Edge& edge = map.edges[halfEdge >> 1];
      if (edge.minClearance < radius) continue;
      const uint32_t other = graph.endOf(halfEdge);
      if (other == top.side) continue;
      reach(other, &node, halfEdge, edge.length, top.side);
    }
  }
  if (end == kNone) return false;
  path.cost = scratch.nodes.find(end, now)->g;
  for (uint32_t node = end; node != kNone;) {
    const CorridorNode& n = *scratch.nodes.find(node, now);
    path.halfEdges.push_back(n.halfEdge);
    node = n.parent;
  }
  std::reverse(path.halfEdges.begin(), path.halfEdges.end());
  return true;
}

}  // namespace wend
