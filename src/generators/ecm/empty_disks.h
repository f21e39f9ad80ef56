#pragma once

#include <cstdint>
#include <vector>

#include <wend/corridor_map.h>
#include <wend/navmesh.h>

// Whether the disks of a medial axis are empty, on the surface that the cells of its mesh make.
namespace wend::ecm {

class EmptyDisks {
 public:
  // The mesh must have a corridor map that fits it.
  explicit EmptyDisks(const NavMesh& mesh);

  // The distance of the nearest wall from p, a point of the arc, if it is below `radius`; otherwise `radius`. Visits
  // the cells that can be reached inside the disk. If no wall is found, they are the disk: a surface without boundary
  // over a disk is one sheet. Lattice units.
  double nearestWall(uint32_t arc, Vec2 p, double radius);

 private:
  const NavMesh& mesh_;
  const CorridorMap& map_;
  std::vector<uint32_t> begin_;  // per arc: its cells
  std::vector<CellId> cells_;
  std::vector<uint32_t> stamp_;  // per cell
  uint32_t now_ = 0;
  std::vector<CellId> stack_;
};

}  // namespace wend::ecm
