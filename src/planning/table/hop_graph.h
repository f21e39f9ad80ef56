#pragma once

#include <limits>
#include <vector>

#include <wend/next_hop_table.h>

// The graph of a mesh: cells are vertices, portals are edges with a cost.
namespace wend {

using HopCost = uint64_t;  // sixteenths of a lattice unit
inline constexpr HopCost kNoHop = std::numeric_limits<HopCost>::max();

// The middle of a cell's area, lattice units.
Vec2 cellCentre(const NavMesh& mesh, CellId cell);

class HopGraph {
 public:
  HopGraph(NavMesh mesh, HopMetric metric, double radius, const Context& context);

  const NavMesh& mesh() const { return mesh_; }
  // Of leaving a cell by a side; kNoHop for walls and portals that are too narrow. Equal for twins, at least 1.
  HopCost cost(SideId side) const { return costs_[side]; }
  Vec2 centre(CellId cell) const { return centres_[cell]; }

 private:
  HopCost measure(SideId side, HopMetric metric) const;
  bool isVisible(CellId from, Vec2 a, Vec2 b, CellId to) const;

  NavMesh mesh_;
  std::vector<Vec2> centres_;
  std::vector<HopCost> costs_;
};

// The cost left from each cell to the goal; kNoHop where nothing leads to it. Memory is reused between calls.
struct HopSearchMemory {
  std::vector<HopCost> cost;
  std::vector<std::pair<HopCost, CellId>> heap;
};
void searchFrom(const HopGraph& graph, CellId goal, HopSearchMemory& memory);

// The hop of a cell at given costs left: its side, or kNone.
SideId bestHop(const HopGraph& graph, CellId cell, std::span<const HopCost> cost);

}  // namespace wend
