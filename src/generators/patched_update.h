#pragma once

#include <utility>

#include <wend/generate.h>

#include "mesh/mesh_patch.h"

namespace wend {

// What updateMesh() gives for a mesh that was patched.
inline MeshUpdate updateInPlace(PatchedMesh&& patched) {
  MeshUpdate update;
  update.mesh = std::move(patched.mesh);
  update.inPlace = true;
  update.source = std::move(patched.source);
  update.cellsRemoved = patched.removed;
  update.cellsAdded = patched.added;
  return update;
}

}  // namespace wend
