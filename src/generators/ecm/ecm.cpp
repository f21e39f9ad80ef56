#include "generators/ecm/ecm.h"

#include "base/hash.h"
#include "generators/ecm/corridor_cells.h"
#include "generators/ecm/make_map.h"

namespace wend::ecm {
namespace {

constexpr const char* kName = "ecm";

}  // namespace

uint64_t Settings::hash() const {
  Hash hash;
  hash.add(std::string_view(kName));
  return hash.value();
}

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context) {
  Result<CorridorMap> map = buildCorridorMap(environment, context);
  if (!map.ok()) return map.error();
  return corridorMesh(environment, *std::move(map), kName, settings.hash(), context);
}

Generator entry() {
  Generator generator;
  generator.info.name = kName;
  generator.info.meaning =
      "Cells of the Explicit Corridor Map: the medial axis with its nearest obstacles, exact for every radius.";
  generator.info.source =
      "W. van Toll, A. F. Cook, R. Geraerts, Navigation meshes for realistic multi-layered environments, IROS (2011) "
      "3526-3532";
  generator.info.traits.convex = false;
  generator.run = [](const Environment& environment, const OptionValues&, uint64_t, const Context& context) {
    return generate(environment, Settings{}, context);
  };
  return generator;
}

}  // namespace wend::ecm
