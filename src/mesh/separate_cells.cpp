#include "mesh/separate_cells.h"

#include <fmt/format.h>

namespace wend {

bool hasSeparateCells(const NavMesh& mesh) {
  return !mesh.info().traits.disjoint && mesh.cellCount() > 1 && mesh.portalCount() == 0;
}

Status checkCellsAreJoined(const NavMesh& mesh, std::string_view what) {
  if (!hasSeparateCells(mesh)) return Done{};
  return Error{
      ErrorCode::kUnsupported,
      fmt::format("{} needs cells that share portals, and those of '{}' overlap and share none; bake the world "
                  "with another generator, for example pasfv",
                  what, mesh.info().generator)};
}

}  // namespace wend
