#include <cmath>

#include <wend/world.h>

#include "check_environment.h"

// The loader of .wend files. In this build it takes any hash for right, so that mutations reach the checks behind it.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wend;
  const Result<World> world = parseWorld({reinterpret_cast<const std::byte*>(data), size}, "fuzz");
  if (!world.ok()) {
    if (world.error().message.empty()) fuzz::complain("an error without a sentence");
    return 0;
  }
  const NavMesh* mesh = &world->mesh();
  (void)topology(*mesh);
  const Result<std::string> bytes = serialiseWorld(*world);
  if (!bytes.ok()) fuzz::complain("a loaded world cannot be saved: " + bytes.error().message);
  const Result<World> again = parseWorld(asBytes(*bytes), "fuzz");
  if (!again.ok() || hash(*again) != hash(*world)) fuzz::complain("a saved world does not load as it was");
  if (!validate(world->environment()).empty() || !checkMesh(*mesh, &world->environment()).empty()) return 0;

  // A mesh without faults can be used. Points of the lattice survive the way through metres, so they are found again.
  const Locator locator(*mesh);
  for (CellId cell = 0; cell < mesh->cellCount(); ++cell) {
    const VertexId first = mesh->startVertex(mesh->firstSide(cell));
    const Vec2 units = mesh->vertex(first);
    const Vec3 corner = mesh->position(first);
    const bool found = locator.locate(Vec2{corner.x, corner.y}, mesh->layerOf(cell)) != kNone;
    if (!found && units.x == std::round(units.x) && units.y == std::round(units.y)) {
      fuzz::complain("a corner lies on no cell");
    }
  }
  return 0;
}
