#include <wend/mesh_file.h>

#include "check_environment.h"

// The loader of .wend files. In this build it takes any hash for right, so that mutations reach the checks behind it.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wend;
  const Result<NavMesh> mesh = parseMesh({reinterpret_cast<const std::byte*>(data), size}, "fuzz");
  if (!mesh.ok()) {
    if (mesh.error().message.empty()) fuzz::complain("an error without a sentence");
    return 0;
  }
  (void)topology(*mesh);
  const Result<std::string> bytes = serialiseMesh(*mesh);
  if (!bytes.ok()) fuzz::complain("a loaded mesh cannot be saved: " + bytes.error().message);
  const Result<NavMesh> again = parseMesh(asBytes(*bytes), "fuzz");
  if (!again.ok() || hash(*again) != hash(*mesh)) fuzz::complain("a saved mesh does not load as it was");
  if (!checkMesh(*mesh).empty()) return 0;

  // A mesh without faults can be used.
  const Locator locator(*mesh);
  for (CellId cell = 0; cell < mesh->cellCount(); ++cell) {
    const Vec3 corner = mesh->position(mesh->startVertex(mesh->firstSide(cell)));
    if (locator.locate(Vec2{corner.x, corner.y}, mesh->layerOf(cell)) == kNone)
      fuzz::complain("a corner lies on no cell");
  }
  return 0;
}
