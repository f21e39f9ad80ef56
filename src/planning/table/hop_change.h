#pragma once

#include <functional>

#include "planning/table/hop_graph.h"

// What a change of the mesh means for stored next hops: which goal trees stay as they are, and which must be searched
// anew. The costs left of a kept tree follow from its hops in O(cells); a search costs a heap more. Whole numbers make
// the comparison exact.
namespace wend {

class HopChange {
 public:
  // Both graphs have one metric and radius. `newOfOld` gives for each old cell its new id, or kNone; a cell that is
  // kept has the same polygon. The graphs and the list must outlive this.
  HopChange(const HopGraph& old, const HopGraph& now, std::span<const CellId> newOfOld);

  struct Memory {
    HopSearchMemory search;
    std::vector<HopCost> oldCost;
    std::vector<HopCost> cost;
    std::vector<CellId> chain;
  };

  // The old side by which to leave an old cell, or kNone.
  using OldHop = std::function<SideId(CellId)>;
  // The costs left in the new mesh, if the old tree of a goal stays as it is for all cells that are kept; they are in
  // memory.cost then. False: a kept cell lost its parent edge, or a new cell or edge makes its way shorter. Search.
  bool keeps(CellId oldGoal, const OldHop& hop, Memory& memory) const;

  CellId oldOf(CellId cell) const { return oldOfNew_[cell]; }
  std::span<const CellId> newCells() const { return newCells_; }

 private:
  SideId sameEdge(SideId oldSide) const;
  void findChanges();
  bool oldCosts(CellId oldGoal, const OldHop& hop, Memory& memory) const;
  void reachNewCells(Memory& memory) const;
  bool mayGain(const Memory& memory) const;

  const HopGraph& old_;
  const HopGraph& now_;
  std::span<const CellId> newOfOld_;
  std::vector<CellId> oldOfNew_;
  std::vector<uint8_t> lost_;  // per old side
  std::vector<CellId> newCells_;
  std::vector<SideId> newEdges_;
};

// For each cell of the mesh before, what it is now; from what an update says of each cell now (empty: the same mesh).
std::vector<CellId> newCellsOfOld(uint32_t before, uint32_t now, std::span<const CellId> source);

}  // namespace wend
