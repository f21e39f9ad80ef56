#pragma once

#include <span>
#include <vector>

#include <wend/navmesh.h>

#include "planning/point/mesh_analysis.h"
#include "planning/stamped.h"

// The input and output of every search of a point: cells and positions in, entries and bends out. Lattice units
// throughout.
namespace wend {

// Both ends of a query that needs a search: no cell contains both points. Every start cell can reach a goal cell.
struct SearchEnds {
  Vec2 start;
  Vec2 goal;
  std::span<const CellId> startCells;  // closed cells that contain the start
  std::span<const CellId> goalCells;
};

// A point where the path bends: a mesh vertex, or kNone for a point inside a portal.
struct Bend {
  Vec2 place;
  VertexId vertex;
};

struct SearchPath {
  std::vector<SideId> entries;  // the sides by which cells are entered, in order; the first leads out of a start cell
  std::vector<Bend> bends;      // start and goal not included
  void clear() {
    entries.clear();
    bends.clear();
  }
};

// Which cells a search may enter, per query.
class SearchScope {
 public:
  void grow(size_t cells) {
    goals_.grow(cells);
    open_.grow(cells);
  }
  void wipe() {
    goals_.wipe();
    open_.wipe();
  }
  // Marks the goal cells and the dead ends that lead down to them. O(depth of the dead end), each cell once.
  void begin(std::span<const CellId> goalCells, const MeshAnalysis& analysis, QueryStamp now) {
    now_ = now;
    parents_ = analysis.deadEndParent.data();
    for (const CellId goal : goalCells) {
      goals_.insert(goal, now);
      for (CellId cell = goal; parents_[cell] != kNone && open_.insert(cell, now);) cell = parents_[cell];
    }
  }
  bool isGoal(CellId cell) const { return goals_.has(cell, now_); }
  // False if the neighbour is a dead end without the goal.
  bool mayEnter(CellId from, CellId to) const { return parents_[to] != from || open_.has(to, now_); }

 private:
  StampedSet goals_;
  StampedSet open_;
  QueryStamp now_;
  const CellId* parents_ = nullptr;
};

}  // namespace wend
