#include "planning/table/hop_change.h"

#include <algorithm>

namespace wend {

HopChange::HopChange(const HopGraph& old, const HopGraph& now, std::span<const CellId> newOfOld)
    : old_(old), now_(now), newOfOld_(newOfOld), oldOfNew_(now.mesh().cellCount(), kNone) {
  for (CellId c = 0; c < newOfOld.size(); ++c) {
    if (newOfOld[c] != kNone) oldOfNew_[newOfOld[c]] = c;
  }
  findChanges();
}

bool HopChange::keeps(CellId oldGoal, const OldHop& hop, Memory& memory) const {
  if (newOfOld_[oldGoal] == kNone || !oldCosts(oldGoal, hop, memory)) return false;
  memory.cost.assign(now_.mesh().cellCount(), kNoHop);
  for (CellId c = 0; c < newOfOld_.size(); ++c) {
    if (newOfOld_[c] != kNone) memory.cost[newOfOld_[c]] = memory.oldCost[c];
  }
  reachNewCells(memory);
  return !mayGain(memory);
}

// The edge of the new mesh that stands for an old one, or kNone.
SideId HopChange::sameEdge(SideId oldSide) const {
  const NavMesh& before = old_.mesh();
  const NavMesh& after = now_.mesh();
  const CellId from = newOfOld_[before.cellOf(oldSide)];
  const CellId to = newOfOld_[before.neighbour(oldSide)];
  if (from == kNone || to == kNone) return kNone;
  for (SideId s = after.firstSide(from); s < after.endSide(from); ++s) {
    if (!after.isWall(s) && after.neighbour(s) == to && now_.cost(s) == old_.cost(oldSide)) return s;
  }
  return kNone;
}

// Which old edges are gone, and which cells and edges are new.
void HopChange::findChanges() {
  const NavMesh& before = old_.mesh();
  const NavMesh& after = now_.mesh();
  lost_.assign(before.sideCount(), 0);
  std::vector<uint8_t> known(after.sideCount(), 0);
  for (SideId s = 0; s < before.sideCount(); ++s) {
    if (old_.cost(s) == kNoHop) continue;
    const SideId same = sameEdge(s);
    if (same == kNone) {
      lost_[s] = 1;
    } else {
      known[same] = 1;
    }
  }
  for (CellId c = 0; c < after.cellCount(); ++c) {
    if (oldOfNew_[c] == kNone) newCells_.push_back(c);
  }
  for (SideId s = 0; s < after.sideCount(); ++s) {
    if (now_.cost(s) != kNoHop && known[s] == 0) newEdges_.push_back(s);
  }
}

// Follows the hops of the old tree. False if a kept cell's way to the goal, or its lack of one, is not certain any
// more.
bool HopChange::oldCosts(CellId goal, const OldHop& hop, Memory& memory) const {
  const NavMesh& before = old_.mesh();
  memory.oldCost.assign(before.cellCount(), kNoHop);
  memory.oldCost[goal] = 0;
  for (CellId start = 0; start < before.cellCount(); ++start) {
    memory.chain.clear();
    CellId c = start;
    while (memory.oldCost[c] == kNoHop) {
      const SideId side = hop(c);
      if (side == kNone) break;
      if (newOfOld_[c] != kNone && lost_[side] != 0) return false;  // lost a parent edge
      memory.chain.push_back(c);
      c = before.neighbour(side);
      if (memory.chain.size() > before.cellCount()) return false;  // a table from a file may run in a circle
    }
    for (size_t i = memory.chain.size(); i-- > 0;) {
      const SideId side = hop(memory.chain[i]);
      const HopCost left = memory.oldCost[before.neighbour(side)];
      if (left == kNoHop) return false;
      memory.oldCost[memory.chain[i]] = left + old_.cost(side);
    }
  }
  return true;
}

// Costs of the new cells from those around them.
void HopChange::reachNewCells(Memory& memory) const {
  const NavMesh& after = now_.mesh();
  auto& heap = memory.search.heap;
  heap.clear();
  const auto later = [](const auto& x, const auto& y) { return x > y; };
  const auto relax = [&](CellId cell, HopCost cost) {
    if (cost >= memory.cost[cell]) return;
    memory.cost[cell] = cost;
    heap.emplace_back(cost, cell);
    std::push_heap(heap.begin(), heap.end(), later);
  };
  for (const CellId cell : newCells_) {
    for (SideId s = after.firstSide(cell); s < after.endSide(cell); ++s) {
      if (now_.cost(s) == kNoHop || oldOfNew_[after.neighbour(s)] == kNone) continue;
      const HopCost left = memory.cost[after.neighbour(s)];
      if (left != kNoHop) relax(cell, left + now_.cost(s));
    }
  }
  while (!heap.empty()) {
    const auto [cost, cell] = heap.front();
    std::pop_heap(heap.begin(), heap.end(), later);
    heap.pop_back();
    if (cost > memory.cost[cell]) continue;
    for (SideId s = after.firstSide(cell); s < after.endSide(cell); ++s) {
      if (now_.cost(s) == kNoHop || oldOfNew_[after.neighbour(s)] != kNone) continue;
      relax(after.neighbour(s), cost + now_.cost(s));
    }
  }
}

// Whether a new edge makes a kept cell's way shorter.
bool HopChange::mayGain(const Memory& memory) const {
  const NavMesh& after = now_.mesh();
  return std::any_of(newEdges_.begin(), newEdges_.end(), [&](SideId s) {
    const CellId cell = after.cellOf(s);
    const HopCost left = memory.cost[after.neighbour(s)];
    return oldOfNew_[cell] != kNone && left != kNoHop && left + now_.cost(s) < memory.cost[cell];
  });
}

std::vector<CellId> newCellsOfOld(uint32_t before, uint32_t now, std::span<const CellId> source) {
  std::vector<CellId> newOfOld(before, kNone);
  for (CellId cell = 0; cell < now; ++cell) {
    const CellId old = source.empty() ? cell : source[cell];
    if (old < before) newOfOld[old] = cell;
  }
  return newOfOld;
}

}  // namespace wend
