#include "generators/ecm/ecm.h"

#include <array>

#include "base/hash.h"
#include "generators/ecm/corridor_cells.h"
#include "generators/ecm/edit/insert_and_delete.h"
#include "generators/ecm/medial_axis.h"
#include "generators/ecm/split_edges.h"

namespace wend::ecm {
namespace {

constexpr const char* kName = "ecm";
constexpr std::array<const char*, 2> kSwitch{"off", "on"};

}  // namespace

uint64_t Settings::hash() const {
  Hash hash;
  hash.add(std::string_view(kName));
  if (splitEdges) hash.add(std::string_view("split"));
  return hash.value();
}

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context) {
  Result<CorridorMap> map = buildCorridorMap(environment, context);
  if (!map.ok()) return map.error();
  if (settings.splitEdges && !environment.connections.empty()) map = splitEdges(*map, environment);
  return corridorMesh(environment, std::move(map).value(), kName, settings.hash(), context);
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
  generator.info.options = {{"split",
                             "Cut edges of the medial axis where they cross a connection, so that each has one layer; "
                             "no query needs it.",
                             kSwitch[0],
                             {kSwitch.begin(), kSwitch.end()},
                             0,
                             0}};
  generator.run = [](const Environment& environment, const OptionValues& options, uint64_t, const Context& context) {
    return generate(environment, Settings{options.choice("split") == kSwitch[1]}, context);
  };
  generator.update = [](const NavMesh& mesh, const Environment& before, const Environment& after,
                        const ChangedArea& changed, const OptionValues& options, uint64_t, const Context& context) {
    if (options.choice("split") == kSwitch[1]) {
      return Result<MeshUpdate>(Error{ErrorCode::kUnsupported, "edges that are cut at connections are made anew"});
    }
    return updateAxis(mesh, before, after, changed, context);
  };
  return generator;
}

}  // namespace wend::ecm
