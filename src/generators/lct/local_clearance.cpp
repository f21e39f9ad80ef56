#include <wend/local_clearance.h>

#include <fmt/format.h>

#include "generators/lct/disturbance.h"

namespace wend {

Result<LocalClearance> LocalClearance::of(const NavMesh& mesh) {
  std::vector<lct::NetTriangle> triangles(mesh.cellCount());
  for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
    if (mesh.sideCount(cell) != 3) {
      return Error{ErrorCode::kUnsupported,
                   fmt::format("Cell {} has {} sides; local clearance needs triangles: make the mesh with generator "
                               "'lct'.",
                               cell, mesh.sideCount(cell))};
    }
    // The side that starts at corner i lies opposite corner i + 2.
    for (uint32_t i = 0; i < 3; ++i) {
      const SideId side = mesh.firstSide(cell) + i;
      triangles[cell].v[i] = mesh.startVertex(side);
      triangles[cell].n[lct::before(i)] = mesh.neighbour(side);
    }
  }
  const auto vertices = mesh.views().vertices;
  const lct::TriangleNet net({vertices.begin(), vertices.end()}, std::move(triangles));
  LocalClearance clearance;
  clearance.widths_.reserve(mesh.sideCount());
  for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
    for (uint32_t i = 0; i < 3; ++i) {
      clearance.widths_.push_back(lct::cornerClearance(net, cell, i) * mesh.lattice().unit);
    }
  }
  return clearance;
}

}  // namespace wend
