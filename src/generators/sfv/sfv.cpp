#include "generators/sfv/sfv.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "base/parallel.h"
#include "generators/growth_cells.h"
#include "generators/layer_triangles.h"
#include "geometry/growth/grow.h"

namespace wend::sfv {
namespace {

constexpr const char* kName = "sfv";
constexpr const char* kStage = "grow";

MeshTraits traits() {
  MeshTraits traits;
  traits.exact = false;
  return traits;
}

struct Grown {
  std::vector<growth::Wall> walls;
  std::vector<growth::Outline> cells;
};

Grown growSpace(const GrownSpace& source, int64_t pitch, int64_t step, bool merge, const Context& context) {
  Grown grown;
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
  if (!(settings.pitch >= 0.01 && settings.pitch <= 1e5) || !(settings.step >= 0 && settings.step <= 1e4)) {
    return Error{ErrorCode::kInvalidSettings, "The pitch of seeds must be 0.01 to 100000 m and the step 0 to 10000 m."};
  }
  // Only to learn what is wrong with the polygons, and where: growth trusts them.
  if (const Status status = checkLayers(environment, context); !status.ok()) return status.error();
  const auto spaces = grownSpaces(environment, false, context);
  if (!spaces.ok()) return spaces.error();
  context.report(kStage, 0);
  const double unit = environment.lattice.unit;
  const auto units = [&](double metres) { return std::max<int64_t>(1, std::llround(metres / unit)); };
  const int64_t pitch = units(settings.pitch);
  const int64_t step = settings.step > 0 ? units(settings.step) : std::max<int64_t>(1, pitch / 4);
  if (const Status status = growth::checkSeedCount(boundingBox(environment), pitch); !status.ok())
    return status.error();
  std::vector<Grown> grown(spaces->size());
  parallelFor(grown.size(), context, [&](size_t i) {
    if (!(*spaces)[i].free.empty()) grown[i] = growSpace((*spaces)[i], pitch, step, settings.merge, context);
  });
  if (context.cancelled()) return Error{ErrorCode::kCancelled, "Growth was cancelled by the caller."};
  context.report(kStage, 1);
  MeshBuilder builder(environment, kGrownCornerTolerance);
  for (size_t i = 0; i < grown.size(); ++i) addGrownCells(builder, (*spaces)[i], grown[i].cells, grown[i].walls);
  return builder.build(kName, settings.hash(), traits(), context);
}

Generator entry() {
  Generator generator;
  generator.info.name = kName;
  generator.info.meaning = "Boxes that grow from a grid of seeds: approximate, leaves gaps beside slanted walls.";
  generator.info.source = "P. Tozour, Search space representations, AI Game Programming Wisdom 2 (2004)";
  generator.info.traits = traits();
  generator.info.options = {
      {"pitch", "Distance of the seeds, in metres; a coarse grid misses narrow ways.", "2", {}, 0.01, 1e5},
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
