#include "generators/wavefront/wavefront.h"

#include <mutex>

#include "base/hash.h"
#include "base/random.h"
#include "generators/grow_mesh.h"
#include "generators/regrow_cells.h"
#include "geometry/growth/events.h"
#include "geometry/growth/grow.h"

namespace wend::wavefront {
namespace {

using growth::GrowthSpace;

constexpr const char* kName = "wavefront";

struct Grown {
  GrownCells cells;
  Report report;
};

Grown growOnce(const GrownSpace& source, const Settings& settings, Random random, const Context& context) {
  Grown grown;
  GrowthSpace space(source.free, source.open);
  std::vector<growth::Seed> seeds = wallSeeds(space);
  random.shuffle(seeds);
  growth::EventCounts counts;
  growth::GrowSettings growSettings;
  growSettings.frames = settings.frames;
  const growth::GrowReport report =
      grow(space, seeds, growSettings, context, [&](growth::Grower& grower, growth::Region& region) {
        return growByEvents(space, grower, region, settings.events == Events::kIndexed, counts);
      });
  if (context.cancelled()) return grown;
  grown.report = {space.regions().size(), counts.classified,   counts.events,
                  counts.jumps,           report.counts.steps, report.counts.tests};
  grown.cells = cellsOf(space, settings.merge);
  return grown;
}

Result<MeshUpdate> update(const NavMesh& mesh, const Environment& before, const Environment& after,
                          const ChangedArea& changed, const Settings& settings, const Context& context) {
  if (!mesh.info().traits.exact) {
    return Error{ErrorCode::kUnsupported, "growth was stopped early, so nothing says what belongs in a hole"};
  }
  return regrowCells(
      mesh, before, after, changed, {settings.merge, settings.terrain},
      [&](GrowthSpace& space, std::span<const growth::Seed> seeds, const growth::GrowSettings& how, const Context& c) {
        growth::EventCounts counts;
        grow(space, seeds, how, c, [&](growth::Grower& grower, growth::Region& region) {
          return growByEvents(space, grower, region, settings.events == Events::kIndexed, counts);
        });
      },
      context);
}

Settings settingsOf(const OptionValues& options, uint64_t seed) {
  Settings settings;
  settings.events = options.choice("events") == "faithful" ? Events::kFaithful : Events::kIndexed;
  readGrowthOptions(settings, options, seed);
  return settings;
}

void add(Report& sum, const Report& part) {
  sum.regions += part.regions;
  sum.classified += part.classified;
  sum.events += part.events;
  sum.jumps += part.jumps;
  sum.steps += part.steps;
  sum.tests += part.tests;
}

}  // namespace

uint64_t Settings::hash() const {
  Hash hash;
  hash.add(std::string_view(kName));
  hash.add(events);
  for (const bool flag : {merge, terrain}) hash.add(flag ? 1 : 0);
  hash.add(tries);
  hash.add(frames);
  hash.add(seed);
  return hash.value();
}

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context,
                         Report* report) {
  if (const Status status = checkTries(settings.tries); !status.ok()) return status.error();
  std::mutex mutex;
  Report sum;
  const auto growSpace = [&](const GrownSpace& space, size_t number) {
    Grown grown = fewestCells(settings.tries, context, [&](uint32_t i) {
      return growOnce(space, settings, Random(settings.seed + i, number), context);
    });
    const std::lock_guard lock(mutex);
    add(sum, grown.report);
    return std::move(grown.cells);
  };
  MeshTraits traits;
  traits.exact = settings.frames == 0;
  auto mesh = growMesh(environment, {kName, settings.hash(), traits, settings.terrain}, growSpace, context);
  if (report != nullptr && mesh.ok()) *report = sum;
  return mesh;
}

Generator entry() {
  Generator generator;
  generator.info.name = kName;
  generator.info.meaning =
      "Regions that grow one at a time and jump from event to event: exact, few cells, axis-aligned portals.";
  generator.info.source =
      "D. H. Hale, A Growth-Based Approach to the Automatic Generation of Navigation Meshes, dissertation, University "
      "of North Carolina at Charlotte (2011), chapter 7";
  const std::vector<std::string> onOff{"on", "off"};
  generator.info.options = {
      {"events",
       "Made for what is around a region, or for all edges as in the source, which is slow.",
       "indexed",
       {"indexed", "faithful"},
       0,
       0},
      {"merge", "Whether regions whose union is convex are joined.", "on", onOff, 0, 0},
      {"terrain", "Whether cells end at the borders of labelled regions.", "on", onOff, 0, 0},
      {"tries", "Orders of seeds that are tried; the mesh with the fewest cells is kept.", "1", {}, 1, 1000},
      {"frames", "Stops after so many regions, for pictures; 0 never.", "0", {}, 0, 1e9},
  };
  setMethod<settingsOf, generate, update>(generator);
  return generator;
}

}  // namespace wend::wavefront
