#include "generators/wavefront/wavefront.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/parallel.h"
#include "base/random.h"
#include "generators/growth_cells.h"
#include "generators/layer_triangles.h"
#include "geometry/growth/events.h"
#include "geometry/growth/grow.h"

namespace wend::wavefront {
namespace {

using growth::GrowthSpace;

constexpr const char* kName = "wavefront";
constexpr const char* kStage = "grow";

struct Grown {
  std::vector<growth::Wall> walls;
  std::vector<growth::Outline> cells;
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
        growByEvents(space, grower, region, settings.events == Events::kIndexed, counts);
      });
  if (context.cancelled()) return grown;
  for (const growth::Region& region : space.regions()) grown.cells.push_back(outlineOf(region, space.walls()));
  grown.report = {space.regions().size(), counts.classified,   counts.events,
                  counts.jumps,           report.counts.steps, report.counts.tests};
  if (settings.merge) growth::mergeConvex(grown.cells);
  grown.walls = space.walls();
  return grown;
}

Grown growBest(const GrownSpace& source, const Settings& settings, uint64_t stream, const Context& context) {
  Grown best;
  for (uint32_t i = 0; i < settings.tries && !context.cancelled(); ++i) {
    Grown next = growOnce(source, settings, Random(settings.seed + i, stream), context);
    if (i == 0 || next.cells.size() < best.cells.size()) best = std::move(next);
  }
  return best;
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
  if (settings.tries < 1 || settings.tries > 1000) {
    return Error{ErrorCode::kInvalidSettings, "The number of tries of growth must be 1 to 1000."};
  }
  // Only to learn what is wrong with the polygons, and where: growth trusts them.
  if (const Status status = checkLayers(environment, context); !status.ok()) return status.error();
  const auto spaces = grownSpaces(environment, settings.terrain, context);
  if (!spaces.ok()) return spaces.error();
  context.report(kStage, 0);
  std::vector<Grown> grown(spaces->size());
  parallelFor(grown.size(), context, [&](size_t i) {
    if (!(*spaces)[i].free.empty()) grown[i] = growBest((*spaces)[i], settings, i, context);
  });
  if (context.cancelled()) return Error{ErrorCode::kCancelled, "Growth was cancelled by the caller."};
  context.report(kStage, 1);
  MeshBuilder builder(environment, kGrownCornerTolerance);
  for (size_t i = 0; i < grown.size(); ++i) {
    addGrownCells(builder, (*spaces)[i], grown[i].cells, grown[i].walls);
    if (report != nullptr) add(*report, grown[i].report);
  }
  MeshTraits traits;
  traits.exact = settings.frames == 0;
  return builder.build(kName, settings.hash(), traits, context);
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
  generator.run = [](const Environment& environment, const OptionValues& options, uint64_t seed,
                     const Context& context) {
    Settings settings;
    settings.events = options.choice("events") == "faithful" ? Events::kFaithful : Events::kIndexed;
    settings.merge = options.choice("merge") == "on";
    settings.terrain = options.choice("terrain") == "on";
    settings.tries = static_cast<uint32_t>(options.number("tries"));
    settings.frames = static_cast<uint32_t>(options.number("frames"));
    settings.seed = seed;
    return generate(environment, settings, context);
  };
  return generator;
}

}  // namespace wend::wavefront
