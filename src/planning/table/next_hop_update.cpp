#include <algorithm>
#include <atomic>
#include <exception>
#include <new>

#include <fmt/format.h>

#include "base/parallel.h"
#include "planning/table/next_hop_builder.h"

// A table after a change of the mesh. The costs left of a kept tree follow from its hops in O(cells); a search costs a
// heap more. Whole numbers make the comparison exact.
namespace wend {
namespace {

class Updating {
 public:
  Updating(const NextHopTable& table, const NavMesh& before, const NavMesh& after, std::span<const CellId> newOfOld,
           const Context& context)
      : table_(table),
        newOfOld_(newOfOld),
        old_(before, table.metric(), table.radius(), context),
        now_(after, table.metric(), table.radius(), context),
        oldOfNew_(after.cellCount(), kNone) {
    for (CellId c = 0; c < newOfOld.size(); ++c) {
      if (newOfOld[c] != kNone) oldOfNew_[newOfOld[c]] = c;
    }
    findChanges();
  }

  const HopGraph& graph() const { return now_; }

  struct Memory {
    HopSearchMemory search;
    std::vector<HopCost> oldCost;
    std::vector<HopCost> cost;
    std::vector<CellId> chain;
  };

  // The costs left in the new mesh, if the tree of the old one stays as it is for all cells that are kept; they are in
  // memory.cost then. False: search.
  bool keeps(uint32_t oldRow, Memory& memory) const {
    if (!oldCosts(oldRow, memory)) return false;
    memory.cost.assign(now_.mesh().cellCount(), kNoHop);
    for (CellId c = 0; c < newOfOld_.size(); ++c) {
      if (newOfOld_[c] != kNone) memory.cost[newOfOld_[c]] = memory.oldCost[c];
    }
    reachNewCells(memory);
    return !mayGain(memory);
  }

 private:
  // The edge of the new mesh that stands for an old one, or kNone.
  SideId sameEdge(SideId oldSide) const {
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
  void findChanges() {
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
  bool oldCosts(uint32_t row, Memory& memory) const {
    const NavMesh& before = old_.mesh();
    const CellId goal = table_.goalOf(row);
    memory.oldCost.assign(before.cellCount(), kNoHop);
    memory.oldCost[goal] = 0;
    for (CellId start = 0; start < before.cellCount(); ++start) {
      memory.chain.clear();
      CellId c = start;
      while (memory.oldCost[c] == kNoHop) {
        const SideId side = table_.next(before, c, row);
        if (side == kNone) break;
        if (newOfOld_[c] != kNone && lost_[side] != 0) return false;  // lost a parent edge
        memory.chain.push_back(c);
        c = before.neighbour(side);
        if (memory.chain.size() > before.cellCount()) return false;  // a table from a file may run in a circle
      }
      for (size_t i = memory.chain.size(); i-- > 0;) {
        const SideId side = table_.next(before, memory.chain[i], row);
        const HopCost left = memory.oldCost[before.neighbour(side)];
        if (left == kNoHop) return false;
        memory.oldCost[memory.chain[i]] = left + old_.cost(side);
      }
    }
    return true;
  }

  // Costs of the new cells from those around them.
  void reachNewCells(Memory& memory) const {
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
  bool mayGain(const Memory& memory) const {
    const NavMesh& after = now_.mesh();
    return std::any_of(newEdges_.begin(), newEdges_.end(), [&](SideId s) {
      const CellId cell = after.cellOf(s);
      const HopCost left = memory.cost[after.neighbour(s)];
      return oldOfNew_[cell] != kNone && left != kNoHop && left + now_.cost(s) < memory.cost[cell];
    });
  }

  const NextHopTable& table_;
  std::span<const CellId> newOfOld_;
  HopGraph old_;
  HopGraph now_;
  std::vector<CellId> oldOfNew_;
  std::vector<uint8_t> lost_;  // per old side
  std::vector<CellId> newCells_;
  std::vector<SideId> newEdges_;
};

Status checkMap(const NextHopTable& table, const NavMesh& before, const NavMesh& after,
                std::span<const CellId> newOfOld) {
  const bool fits = before.cellCount() == table.cellCount() && newOfOld.size() == before.cellCount();
  std::vector<uint8_t> used(after.cellCount(), 0);
  const bool once = fits && std::all_of(newOfOld.begin(), newOfOld.end(), [&](CellId c) {
                      return c == kNone || (c < after.cellCount() && used[c]++ == 0);
                    });
  if (once && !after.empty()) return Done{};
  return Error{ErrorCode::kInvalidSettings,
               "the old mesh is not the table's, or the list of new cells does not fit the two meshes; build the table "
               "anew"};
}

}  // namespace

Result<NextHopTable> NextHopTable::update(const NavMesh& before, const NavMesh& after, std::span<const CellId> newOfOld,
                                          const Context& context, NextHopUpdate* report) const {
  try {
    if (const Status status = checkMap(*this, before, after, newOfOld); !status.ok()) return status.error();
    std::vector<CellId> goals;
    if (goalCells_ != nullptr) {
      for (const CellId goal : *goalCells_) {
        if (newOfOld[goal] != kNone) goals.push_back(newOfOld[goal]);
      }
      std::sort(goals.begin(), goals.end());
      if (goals.empty()) return Error{ErrorCode::kEmpty, "the change removed every goal of the table"};
    }
    Result<NextHopBuilder> builder =
        NextHopBuilder::make(after, std::move(goals), metric_, radius_, NextHopSettings{}.maxBytes);
    if (!builder.ok()) return builder.error();
    const Updating updating(*this, before, after, newOfOld, context);
    std::vector<CellId> oldOfNew(after.cellCount(), kNone);
    for (CellId c = 0; c < newOfOld.size(); ++c) {
      if (newOfOld[c] != kNone) oldOfNew[newOfOld[c]] = c;
    }
    std::atomic<uint32_t> kept{0};
    parallelBlocks(builder->rows(), 8, context, [&](size_t begin, size_t end) {
      Updating::Memory memory;
      for (size_t i = begin; i < end && !context.cancelled(); ++i) {
        const auto row = static_cast<uint32_t>(i);
        const CellId old = oldOfNew[builder->goalOf(row)];
        const uint32_t oldRow = old == kNone ? kNone : rowOf(old);
        if (oldRow != kNone && updating.keeps(oldRow, memory)) {
          builder->setRow(updating.graph(), row, memory.cost);
          kept.fetch_add(1, std::memory_order_relaxed);
          continue;
        }
        searchFrom(updating.graph(), builder->goalOf(row), memory.search);
        builder->setRow(updating.graph(), row, memory.search.cost);
      }
    });
    if (context.cancelled()) return Error{ErrorCode::kCancelled, "the update of the table was cancelled by the caller"};
    if (report != nullptr) *report = {kept.load(), builder->rows() - kept.load()};
    return std::move(*builder).finish();
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kLimit, "there is not enough memory for the table of next hops; give fewer goals"};
  } catch (const std::exception& exception) {
    return Error{ErrorCode::kInternal, fmt::format("the update of the table failed: {}", exception.what())};
  }
}

}  // namespace wend
