#include <wend/environment_file.h>
#include <wend/generate.h>
#include <wend/next_hop_table.h>

#include "check_environment.h"

// Tables of next hops that a .wend file carries. In this build the loader takes any hash for right. What is loaded can
// be followed from every cell to every goal, and ends.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wend;
  static const NavMesh mesh = [] {
    const Environment room =
        parseEnvironment(asBytes("POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (3 3, 6 3, 6 6, 3 6, 3 3))"), "room").value();
    return generate(room, {.generator = "delaunay"}).value();
  }();
  const Result<NextHopTable> table =
      NextHopTable::parse({reinterpret_cast<const std::byte*>(data), size}, mesh, "fuzz");
  if (!table.ok()) {
    if (table.error().message.empty()) fuzz::complain("an error without a sentence");
    return 0;
  }
  for (uint32_t row = 0; row < table->goalCount(); ++row) {
    for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
      if (table->path(mesh, cell, row).size() > mesh.cellCount() + 1) fuzz::complain("a path without an end");
    }
  }
  const std::string bytes = table->serialise(mesh);
  const Result<NextHopTable> again = NextHopTable::parse(asBytes(bytes), mesh, "fuzz");
  if (!again.ok() || again->hash() != table->hash()) fuzz::complain("a saved table does not load as it was");
  return 0;
}
