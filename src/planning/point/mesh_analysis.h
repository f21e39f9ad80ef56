#pragma once

#include <vector>

#include <wend/navmesh.h>

// The facts about a mesh that the planners compute before the first query: components, dead ends, corners.
namespace wend {

struct MeshAnalysis {
  // Cells with the same number are joined through portals.
  std::vector<uint32_t> component;
  // Cells that no path crosses unless it starts or ends in them: leaves of the cell graph, then leaves of what is left,
  // and so on. Such a cell knows the neighbour it hangs on; kNone for all others. A path that enters a cell from this
  // neighbour must have its goal there or further down.
  std::vector<CellId> deadEndParent;
  // One per vertex: whether a shortest path may bend here, that is, whether the free angle is larger than pi at a wall,
  // or larger than 2 pi inside (layers wound around a point).
  std::vector<uint8_t> turnable;
  bool operator==(const MeshAnalysis&) const = default;
};

// O(sides). Exact: the free angle is compared with pi by orient().
MeshAnalysis analyseMesh(const NavMesh& mesh);
// The same, where `old` is a version of the mesh before edits and `before` what was known of it. Corners are looked at
// where the versions differ only; components and dead ends take O(sides), without arithmetic.
MeshAnalysis analyseMesh(const NavMesh& mesh, const NavMesh& old, const MeshAnalysis& before);

}  // namespace wend
