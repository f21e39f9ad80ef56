#pragma once

#include <memory>
#include <vector>

#include "planning/corridor/corridor_graph.h"
#include "planning/replan/changed_part.h"
#include "planning/replan/wall_difference.h"

// What became of the edges of a medial axis from one version of a world to the next.
namespace wend {

// Edges are the same if they run between the same sites over the same number of arcs and end at the same points, up to
// kSameEdge lattice units: a rebuilt axis computes its vertices anew. Ids need not survive. An edge that is not found
// again counts as changed, which costs time but never a better path.
class AxisChange {
 public:
  // Far above the rounding of a vertex, far below any visible distance.
  static constexpr double kSameEdge = 1e-3;

  // O(n) expected for n arcs.
  AxisChange(std::shared_ptr<const CorridorMap> before, std::shared_ptr<const CorridorMap> after);

  const CorridorMap& before() const { return *before_; }
  const CorridorMap& after() const { return *after_; }
  // The half-edge of the new axis that a half-edge of the old one has become, kNone if it is gone.
  uint32_t newHalfEdge(uint32_t oldHalfEdge) const {
    const uint32_t edge = newEdge_[oldHalfEdge >> 1];
    return edge == kNone ? kNone : edge ^ (oldHalfEdge & 1);
  }
  bool isNew(uint32_t newEdge) const { return oldEdge_[newEdge] == kNone; }
  // True if an edge of the new axis is new for this radius.
  bool isChanged(uint32_t newEdge, double radius) const {
    const uint32_t was = oldEdge_[newEdge];
    return was == kNone || before_->edges[was].minClearance < radius;
  }
  // True if each edge of one axis is an edge of the other.
  bool empty() const { return changed_.empty() && gone_ == 0; }
  // Edges of the new axis that are new, ascending.
  const std::vector<uint32_t>& changedEdges() const { return changed_; }

  // Walls and corners that only one version has.
  const std::vector<WallPiece>& walls() const { return walls_; }
  // Every path over a changed edge passes a point of it: of each edge the point nearest to the changed walls. Edges
  // into corners lead nowhere and are left out: a goal on such an edge must be added. Lattice units.
  const ChangedPart& part() const { return part_; }

 private:
  void matchEdges();
  void findWalls();
  void coverChange();
  bool isSame(uint32_t oldEdge, uint32_t newHalfEdge) const;

  std::shared_ptr<const CorridorMap> before_;
  std::shared_ptr<const CorridorMap> after_;
  std::vector<uint32_t> newEdge_;  // per old edge: half-edge of the new axis that runs as its half-edge 0
  std::vector<uint32_t> oldEdge_;  // per new edge
  std::vector<uint32_t> changed_;
  size_t gone_ = 0;
  std::vector<WallPiece> walls_;
  ChangedPart part_;
};

}  // namespace wend
