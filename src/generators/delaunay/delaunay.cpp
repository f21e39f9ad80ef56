#include "generators/delaunay/delaunay.h"

#include "base/hash.h"
#include "generators/layer_triangles.h"
#include "generators/repair_cells.h"

namespace wend::delaunay {
namespace {

constexpr const char* kName = "delaunay";

}  // namespace

uint64_t Settings::hash() const {
  Hash hash;
  hash.add(std::string_view(kName));
  return hash.value();
}

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context) {
  return triangleMesh(environment, kName, settings.hash(), context);
}

Generator entry() {
  Generator generator;
  generator.info.name = kName;
  generator.info.meaning =
      "Triangles of the constrained Delaunay triangulation: exact, the most cells, the best angles.";
  generator.info.source = "L. P. Chew, Constrained Delaunay triangulations, Algorithmica 4 (1989) 97-108";
  generator.run = [](const Environment& environment, const OptionValues&, uint64_t, const Context& context) {
    return generate(environment, Settings{}, context);
  };
  generator.update = [](const NavMesh& mesh, const Environment& before, const Environment& after,
                        const ChangedArea& changed, const OptionValues&, uint64_t, const Context& context) {
    return repairCells(
        mesh, before, after, changed, {.keepDelaunay = true},
        [&](const Environment& hole, const Context& c) { return generate(hole, Settings{}, c); }, context);
  };
  return generator;
}

}  // namespace wend::delaunay
