#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <vector>

#include <wend/lattice.h>

#include "planning/open_list.h"
#include "planning/stamped.h"

// What re-planning needs of a graph: the medial axis, the portals of a mesh, or any other. And a path on it.
namespace wend {

// A way from one vertex to a neighbour. Several edges may join two vertices, so a step is named by its edge.
struct GraphStep {
  uint32_t edge = kNone;  // in this direction
  uint32_t to = kNone;
  double cost = 0;  // >= 0
  // The edge is new, or cheaper than before the event that is re-planned for.
  bool changed = false;
};

// - vertexCount(): ids are below it; it may grow while steps are made.
// - position(v): a step costs at least leastRate() times the straight distance of its ends. So straight distances are
//   consistent estimates.
// - tieBreak(v): a number that does not depend on the order of queries.
// - forEachStep(v, f): calls f(GraphStep) for every step from v that the agent can make.
template <typename G>
concept SearchGraph = requires(G& graph, uint32_t v) {
  { graph.vertexCount() } -> std::convertible_to<size_t>;
  { graph.position(v) } -> std::convertible_to<Vec2>;
  { graph.leastRate() } -> std::convertible_to<double>;
  { graph.tieBreak(v) } -> std::convertible_to<uint64_t>;
  graph.forEachStep(v, [](const GraphStep&) {});
};

// All that an agent keeps between two queries: O(length of the path).
struct GraphPath {
  uint32_t start = kNone;
  std::vector<GraphStep> steps;
  double cost = 0;
  bool optimal = false;  // no path costs less, on the graph it was planned on

  uint32_t goal() const { return steps.empty() ? start : steps.back().to; }
  void clear() {
    start = kNone;
    steps.clear();
    cost = 0;
    optimal = false;
  }
};

struct GraphNode {
  double g = 0;
  uint32_t parent = kNone;
  GraphStep via;
  bool seenChange = false;  // the way here uses a changed edge
  bool isFar = false;       // no way through the changed part is better than the old path ("R-worse")
};

// The memory of one thread's searches. It holds no answers.
struct GraphSearchScratch {
  QueryStamp stamp;
  OpenList open;
  StampedArray<GraphNode> nodes;
  StampedArray<uint32_t> oldIndex;  // per vertex of the old path: how many of its steps lie before it
  std::vector<double> tails;        // per vertex of the old path: cost of the rest of it
  GraphPath part;                   // of a local repair

  void begin(size_t vertices) {
    if (stamp.advance()) {
      nodes.wipe();
      oldIndex.wipe();
    }
    open.clear();
    grow(vertices);
  }
  void grow(size_t vertices) {
    if (vertices <= vertices_) return;
    vertices_ = std::max(vertices, 2 * vertices_);
    nodes.grow(vertices_);
    oldIndex.grow(vertices_);
  }
  size_t vertices() const { return vertices_; }

 private:
  size_t vertices_ = 0;
};

}  // namespace wend
