#pragma once

#include <vector>

#include "planning/corridor/retraction.h"

// The largest disk that can get from one place to another: a maximum-bottleneck spanning forest of the medial axis.
// Edges are joined from the widest to the narrowest; in the trees of that union (the smaller hung below the larger, so
// no deeper than log2 n) each link remembers the clearance at which it was made.
namespace wend {

class CorridorBottleneck {
 public:
  // O(n log n).
  explicit CorridorBottleneck(const CorridorGraph& graph);

  // The largest clearance with which a disk can get from vertex to vertex, lattice units; negative if there is no path.
  // O(log n).
  double between(uint32_t from, uint32_t to) const;
  // Between two points of the axis, parts of edges included. O(log n), plus the arcs between them on a common edge.
  double between(const CorridorGraph& graph, const AxisPoint& from, const AxisPoint& to) const;

  size_t memory() const { return links_.size() * sizeof(Link); }

 private:
  struct Link {
    uint32_t parent = kNone;
    uint32_t order = kNone;  // when the link was made: a root's is the last
    double clearance = 0;
  };
  std::vector<Link> links_;
};

}  // namespace wend
