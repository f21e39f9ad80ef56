#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include <wend/navmesh.h>

#include "planning/replan/changed_part.h"

// What became of the cells and portals of a mesh from one version of a world to the next, for disks of one radius.
namespace wend {

// Cells and portals are the same if their corners are, in the same layer; ids need not survive. A crossing of a cell
// also depends on the walls nearer than the radius. So a cell counts as changed if it is new, or nearer than the radius
// to a cell that came or went. O(n) expected for n sides, plus the number of cells times that of changed ones; where
// more than kManyCells changed, all did.
class CellChange {
 public:
  static constexpr size_t kManyCells = 2000;

  // The radius is in lattice units.
  CellChange(const NavMesh& before, const NavMesh& after, double radius);

  bool isChanged(CellId newCell) const { return changed_[newCell] != 0; }
  // The side of the new mesh over the same line as a portal of the old one; kNone if there is none.
  SideId newSide(SideId oldSide) const;
  // Covers all changed cells. Lattice units.
  const ChangedPart& part() const { return part_; }

 private:
  NavMesh before_;
  NavMesh after_;
  std::unordered_multimap<uint64_t, SideId> sides_;  // of the new mesh, by their line
  std::vector<uint8_t> changed_;
  ChangedPart part_;
};

}  // namespace wend
