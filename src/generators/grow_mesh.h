#pragma once

#include <functional>

#include <wend/generator.h>

#include "generators/growth_cells.h"

// The way from an environment to a mesh that `pasfv` and `wavefront` share, and the options that both have.
namespace wend {

struct GrownCells {
  std::vector<growth::Wall> walls;  // of the space
  std::vector<growth::Outline> cells;
};

// The cells of a space; `number` counts the spaces. Called from several threads, for each space that is not empty.
using GrowCells = std::function<GrownCells(const GrownSpace& space, size_t number)>;

struct GrowMeshSettings {
  const char* generator = "";
  uint64_t settingsHash = 0;
  MeshTraits traits;
  bool terrain = true;  // spaces end at the borders of labelled regions
};

// Checks the environment, grows the cells of all spaces in parallel, and joins them to a mesh.
Result<NavMesh> growMesh(const Environment& environment, const GrowMeshSettings& settings, const GrowCells& grow,
                         const Context& context);

// The regions of a space as cells; joined where the union of two is convex if `merge`.
GrownCells cellsOf(const growth::GrowthSpace& space, bool merge);

// Calls grow(i) for 0 to tries - 1 and keeps what has the fewest cells, the first of equals. `Grown` has a member
// `cells` that holds GrownCells.
template <typename Grow>
auto fewestCells(uint32_t tries, const Context& context, const Grow& grow) {
  auto best = grow(0);
  for (uint32_t i = 1; i < tries && !context.cancelled(); ++i) {
    auto next = grow(i);
    if (next.cells.cells.size() < best.cells.cells.size()) best = std::move(next);
  }
  return best;
}

// Fields of the settings of both methods, by the names of their options: merge, terrain, tries, frames.
template <typename Settings>
void readGrowthOptions(Settings& settings, const OptionValues& options, uint64_t seed) {
  settings.merge = options.choice("merge") == "on";
  settings.terrain = options.choice("terrain") == "on";
  settings.tries = static_cast<uint32_t>(options.number("tries"));
  settings.frames = static_cast<uint32_t>(options.number("frames"));
  settings.seed = seed;
}

// Both functions of a generator from those of its method: kSettingsOf reads options and a seed, kGenerate makes a mesh
// and, if it is not null, a report, kUpdate repairs one.
template <auto kSettingsOf, auto kGenerate, auto kUpdate>
void setMethod(Generator& generator) {
  generator.run = [](const Environment& environment, const OptionValues& options, uint64_t seed,
                     const Context& context) {
    return kGenerate(environment, kSettingsOf(options, seed), context, nullptr);
  };
  generator.update = [](const NavMesh& mesh, const Environment& before, const Environment& after,
                        const ChangedArea& changed, const OptionValues& options, uint64_t seed,
                        const Context& context) {
    return kUpdate(mesh, before, after, changed, kSettingsOf(options, seed), context);
  };
}

// The pitch of a grid of seeds, in lattice units: `metres`, or if that is 0, 2 m, halved until a seed lies in every
// layer. kInvalidSettings unless `metres` is 0 or 0.01 to 1e5; kLimit for too many seeds.
Result<int64_t> seedPitch(const Environment& environment, double metres);
GeneratorOption seedPitchOption();

// kInvalidSettings for tries outside 1 to 1000.
Status checkTries(uint32_t tries);

}  // namespace wend
