#pragma once

#include <memory>
#include <vector>

#include <wend/corridor_map.h>

#include "base/versions.h"
#include "generators/ecm/arc.h"
#include "generators/ecm/edit/live_axis.h"

// The relations between the cells of a CorridorMap, and the lengths and clearances that queries need, computed once.
namespace wend {

// A cell seen in one of its two directions: 2 * arc, or 2 * arc + 1 for the reversed one, whose ends and sides are
// swapped. The lowest bit flipped is the twin.
using DirectedArc = uint32_t;

// Per bending point: edgeOf to leastToEnd. Per half-edge: slotOf.
struct CorridorGraphArrays {
  uint64_t state = 0;
  std::vector<uint32_t> edgeOf;
  std::vector<double> along;
  std::vector<double> leastToStart;
  std::vector<double> leastToEnd;
  std::vector<uint32_t> slotOf;

  void copyAll(const CorridorGraphArrays& other);
  bool follow(const CorridorGraphArrays& other, const BlockLog& log, bool forward);
  bool operator==(const CorridorGraphArrays&) const = default;
};

class CorridorGraph {
 public:
  // Keeps a reference to the map. O(n).
  explicit CorridorGraph(const CorridorMap& map);
  // The same for the map after an edit of this one's. O(what differs).
  CorridorGraph next(const CorridorMap& map, const ecm::AxisDifference& difference) const;

  const CorridorMap& map() const { return *map_; }
  // Entries of `arcs` at an edge's last bending point are unused.
  bool isArc(uint32_t i) const { return i < map_->arcs.size() && map_->arcs[i].left != kNone; }
  uint32_t edgeOf(uint32_t bendingPoint) const { return edgeOf_[bendingPoint]; }
  // Length from the edge's start to a bending point, lattice units.
  double along(uint32_t bendingPoint) const { return along_[bendingPoint]; }
  // Least clearance from a bending point to the start or end of its edge.
  double leastToStart(uint32_t bendingPoint) const { return leastToStart_[bendingPoint]; }
  double leastToEnd(uint32_t bendingPoint) const { return leastToEnd_[bendingPoint]; }

  ecm::ArcCurve curve(uint32_t arc) const;
  // Ends of a directed arc, l and r as seen in its direction.
  CorridorMap::BendingPoint from(DirectedArc d) const { return pointOf((d >> 1) + (d & 1), d & 1); }
  CorridorMap::BendingPoint to(DirectedArc d) const { return pointOf((d >> 1) + 1 - (d & 1), d & 1); }
  uint32_t leftSite(DirectedArc d) const { return d & 1 ? map_->arcs[d >> 1].right : map_->arcs[d >> 1].left; }
  uint32_t rightSite(DirectedArc d) const { return leftSite(d ^ 1); }

  uint32_t halfEdgeOf(DirectedArc d) const { return 2 * edgeOf_[d >> 1] + (d & 1); }
  // The vertex where a half-edge (2 * edge + reversed) ends.
  uint32_t endOf(uint32_t halfEdge) const {
    const CorridorMap::Edge& e = map_->edges[halfEdge >> 1];
    return halfEdge & 1 ? e.from : e.to;
  }
  DirectedArc firstArc(uint32_t halfEdge) const {
    const CorridorMap::Edge& e = map_->edges[halfEdge >> 1];
    return halfEdge & 1 ? 2 * (e.first + e.count - 2) + 1 : 2 * e.first;
  }
  // The arc after d on the same half-edge, or kNone at its end.
  DirectedArc onward(DirectedArc d) const;
  // Index of a half-edge among those that leave its vertex.
  uint32_t slotOf(uint32_t halfEdge) const { return slotOf_[halfEdge]; }
  // The half-edge `turns` places counter-clockwise of one that leaves the same vertex.
  uint32_t around(uint32_t halfEdge, int turns) const;

  // The cell across the segment from the end of the axis to its left obstacle, seen so that this obstacle stays on the
  // left; kNone in a corner. O(1).
  DirectedArc next(DirectedArc d) const;
  // Likewise across the segment at the start of d: prev(next(d)) == d.
  DirectedArc prev(DirectedArc d) const;

  size_t memory() const;
  const CorridorGraphArrays& arrays() const { return *arrays_; }

 private:
  CorridorMap::BendingPoint pointOf(uint32_t i, bool reversed) const {
    CorridorMap::BendingPoint b = map_->bendingPoints[i];
    if (reversed) {
      std::swap(b.l, b.r);
      std::swap(b.layerL, b.layerR);
    }
    return b;
  }

  CorridorGraph(const CorridorMap& map, std::shared_ptr<const CorridorGraphArrays> arrays);

  const CorridorMap* map_;
  std::shared_ptr<const CorridorGraphArrays> arrays_;
  // Into the arrays: these are read more often than anything else.
  const uint32_t* edgeOf_;
  const double* along_;
  const double* leastToStart_;
  const double* leastToEnd_;
  const uint32_t* slotOf_;
};

}  // namespace wend
