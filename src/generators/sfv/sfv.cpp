#include "generators/sfv/sfv.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "generators/grow_mesh.h"
#include "geometry/growth/grow.h"

namespace wend::sfv {
namespace {

constexpr const char* kName = "sfv";

constexpr MeshTraits kTraits{.exact = false};

GrownCells growSpace(const GrownSpace& source, int64_t pitch, int64_t step, bool merge, const Context& context) {
  GrownCells grown;
  growth::GrowthSpace space(source.free, source.open);
  growth::GrowSettings settings;
  settings.rules.follow = false;
  settings.turns = growth::Turns::kAll;
  settings.step = step;
  settings.reseed = false;
  grow(space, growth::gridSeeds(source.free, pitch), settings, context);
  if (context.cancelled()) return grown;
  for (const growth::Region& region : space.regions()) {
    // A seed between two walls less than a unit apart is cut by them; a box it is not.
    if (region.contacts.empty()) grown.cells.push_back(outlineOf(region, space.walls()));
  }
  if (merge) growth::mergeConvex(grown.cells);
  grown.walls = space.walls();
  return grown;
}

}  // namespace

uint64_t Settings::hash() const {
  Hash hash;
  hash.add(std::string_view(kName));
  hash.add(pitch);
  hash.add(step);
  hash.add(merge ? 1 : 0);
  return hash.value();
}

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context) {
  if (!(settings.step >= 0 && settings.step <= 1e4)) {
    return Error{ErrorCode::kInvalidSettings, "The step of growth must be 0 to 10000 m."};
  }
  const Result<int64_t> pitch = seedPitch(environment, settings.pitch);
  if (!pitch.ok()) return pitch.error();
  const int64_t step = settings.step > 0 ? std::max<int64_t>(1, std::llround(settings.step / environment.lattice.unit))
                                         : std::max<int64_t>(1, *pitch / 4);
  return growMesh(
      environment, {kName, settings.hash(), kTraits, false},
      [&](const GrownSpace& space, size_t) { return growSpace(space, *pitch, step, settings.merge, context); },
      context);
}

Generator entry() {
  Generator generator;
  generator.info.name = kName;
  generator.info.meaning = "Boxes that grow from a grid of seeds: approximate, leaves gaps beside slanted walls.";
  generator.info.source = "P. Tozour, Search space representations, AI Game Programming Wisdom 2 (2004)";
  generator.info.traits = kTraits;
  generator.info.options = {
      seedPitchOption(),
      {"growth-step", "How far a side moves per round, in metres; 0 is a fourth of the pitch.", "0", {}, 0, 1e4},
      {"merge", "Whether boxes whose union is a box are joined.", "on", {"on", "off"}, 0, 0},
  };
  generator.run = [](const Environment& environment, const OptionValues& options, uint64_t, const Context& context) {
    return generate(environment,
                    Settings{options.number("pitch"), options.number("growth-step"), options.choice("merge") == "on"},
                    context);
  };
  return generator;
}

}  // namespace wend::sfv
