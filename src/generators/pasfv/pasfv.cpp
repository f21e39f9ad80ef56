#include "generators/pasfv/pasfv.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/random.h"
#include "generators/grow_mesh.h"
#include "generators/regrow_cells.h"
#include "geometry/growth/grow.h"

namespace wend::pasfv {
namespace {

using growth::GrowthSpace;
using growth::Seed;

constexpr const char* kName = "pasfv";

// Whole steps across the world, if none are given: the source's worlds are about 1000 units wide.
constexpr double kStepsAcross = 1000;

struct Grown {
  GrownCells cells;
  Report report;
};

std::vector<Seed> randomSeeds(const GrownSpace& space, const Box& box, uint32_t count, Random& random) {
  std::vector<Seed> seeds;
  for (uint32_t i = 0; i < count; ++i) {
    const Point p{static_cast<int32_t>(random.between(box.min.x, box.max.x)),
                  static_cast<int32_t>(random.between(box.min.y, box.max.y))};
    if (locate(space.free, p) == Side::kInside) seeds.push_back(growth::pointSeed(p));
  }
  return seeds;
}

int64_t pitchOf(const Settings& settings, const Lattice& lattice) {
  return std::max<int64_t>(1, std::llround(settings.pitch / lattice.unit));
}

double squaredLength(const growth::Wall& wall) {
  const double dx = static_cast<double>(wall.to.x) - wall.from.x;
  const double dy = static_cast<double>(wall.to.y) - wall.from.y;
  return dx * dx + dy * dy;
}

std::vector<Seed> firstSeeds(const GrowthSpace& space, const GrownSpace& source, const Lattice& lattice,
                             const Settings& settings, Order order, Random& random) {
  std::vector<Seed> seeds;
  switch (settings.seeding) {
    case Seeding::kWalls:
      seeds = wallSeeds(space);
      break;
    case Seeding::kGrid:
      seeds = growth::gridSeeds(source.free, pitchOf(settings, lattice));
      break;
    case Seeding::kRandom:
      seeds = randomSeeds(source, space.box(), settings.count, random);
      break;
    case Seeding::kPoints:
      for (const Vec2 metres : settings.points) {
        const Result<Point> p = lattice.snap(metres);
        if (p.ok() && locate(source.free, *p) == Side::kInside) seeds.push_back(growth::pointSeed(*p));
      }
      break;
  }
  if (order == Order::kShuffled) random.shuffle(seeds);
  const bool isByLength = order == Order::kLongest || order == Order::kShortest;
  if (isByLength && settings.seeding == Seeding::kWalls) {
    std::vector<uint32_t> byLength(seeds.size());
    for (uint32_t i = 0; i < byLength.size(); ++i) byLength[i] = i;
    std::stable_sort(byLength.begin(), byLength.end(), [&](uint32_t a, uint32_t b) {
      const double first = squaredLength(space.walls()[a]);
      const double second = squaredLength(space.walls()[b]);
      return order == Order::kLongest ? first > second : first < second;
    });
    std::vector<Seed> sorted;
    sorted.reserve(seeds.size());
    for (const uint32_t i : byLength) sorted.push_back(seeds[i]);
    seeds = std::move(sorted);
  }
  return seeds;
}

growth::GrowSettings growSettings(const Settings& settings, const Box& box, const Lattice& lattice) {
  growth::GrowSettings out;
  const auto units = [&](double metres) {
    return metres == 0 ? int64_t{0} : std::max<int64_t>(1, std::llround(metres / lattice.unit));
  };
  out.rules.follow = settings.follow;
  out.rules.snap = settings.growth == Growth::kExact;
  out.turns = settings.turns == Turns::kSingle ? growth::Turns::kSingle : growth::Turns::kAll;
  out.step = units(settings.step);
  out.reseed = settings.reseed;
  out.frames = settings.frames;
  if (!out.rules.snap) {
    const double extent =
        std::max(static_cast<double>(box.max.x) - box.min.x, static_cast<double>(box.max.y) - box.min.y);
    if (out.step == 0) out.step = std::max<int64_t>(1, std::llround(extent / kStepsAcross));
    out.resolution = std::min(units(settings.resolution), out.step);
    // What a step falls short of looks like free space; it is narrower than the last step.
    out.gap = out.resolution > 0 ? out.resolution : out.step;
  }
  return out;
}

Grown growOnce(const GrownSpace& source, const Lattice& lattice, const Settings& settings, Order order, Random random,
               const Context& context) {
  Grown grown;
  GrowthSpace space(source.free, source.open);
  const std::vector<Seed> seeds = firstSeeds(space, source, lattice, settings, order, random);
  const growth::GrowReport report = grow(space, seeds, growSettings(settings, space.box(), lattice), context);
  if (context.cancelled()) return grown;
  grown.report = {space.regions().size(), report.counts.steps, report.counts.tests, report.rounds};
  grown.cells = cellsOf(space, settings.merge);
  return grown;
}

// DASFV. Cells that stay are what they were, so the settings of growth matter for the new ones only.
Result<MeshUpdate> update(const NavMesh& mesh, const Environment& before, const Environment& after,
                          const ChangedArea& changed, const Settings& settings, const Context& context) {
  if (!mesh.info().traits.exact) {
    return Error{ErrorCode::kUnsupported, "the settings of growth leave gaps, so nothing says what belongs in a hole"};
  }
  return regrowCells(
      mesh, before, after, changed, {settings.merge, settings.terrain},
      [](GrowthSpace& space, std::span<const Seed> seeds, const growth::GrowSettings& how, const Context& c) {
        grow(space, seeds, how, c);
      },
      context);
}

MeshTraits traitsOf(const Settings& settings) {
  MeshTraits traits;
  traits.exact = settings.growth == Growth::kExact && settings.follow && settings.reseed && settings.frames == 0 &&
                 settings.seeding == Seeding::kWalls;
  return traits;
}

Settings settingsOf(const OptionValues& options, uint64_t seed) {
  const auto isOn = [&](const char* name) { return options.choice(name) == "on"; };
  Settings settings;
  const std::string& seeding = options.choice("seeds");
  settings.seeding = seeding == "grid" ? Seeding::kGrid : seeding == "random" ? Seeding::kRandom : Seeding::kWalls;
  settings.pitch = options.number("pitch");
  settings.count = static_cast<uint32_t>(options.number("count"));
  settings.reseed = isOn("reseed");
  settings.turns = options.choice("turns") == "all" ? Turns::kAll : Turns::kSingle;
  settings.growth = options.choice("growth") == "steps" ? Growth::kSteps : Growth::kExact;
  settings.step = options.number("growth-step");
  settings.resolution = options.number("finest-step");
  settings.follow = isOn("follow");
  const std::string& order = options.choice("order");
  settings.order = order == "shuffled"  ? Order::kShuffled
                   : order == "given"   ? Order::kGiven
                   : order == "longest" ? Order::kLongest
                                        : Order::kShortest;
  readGrowthOptions(settings, options, seed);
  return settings;
}

Status checkSettings(const Settings& settings) {
  const auto fail = [](std::string_view name, std::string_view range) {
    return Error{ErrorCode::kInvalidSettings, fmt::format("The {} of growth must be {}.", name, range)};
  };
  if (!(settings.pitch >= 0.01 && settings.pitch <= 1e5)) return fail("pitch", "0.01 to 100000 m");
  if (settings.count < 1 || settings.count > 1'000'000) return fail("count of random seeds", "1 to 1000000");
  if (!(settings.step >= 0 && settings.step <= 1e4)) return fail("step", "0 to 10000 m");
  if (!(settings.resolution >= 0 && settings.resolution <= 1e4)) return fail("resolution", "0 to 10000 m");
  return checkTries(settings.tries);
}

}  // namespace

uint64_t Settings::hash() const {
  Hash hash;
  hash.add(std::string_view(kName));
  hash.add(seeding);
  hash.add(pitch);
  hash.add(count);
  hash.add(points.size());
  for (const Vec2 p : points) {
    hash.add(p.x);
    hash.add(p.y);
  }
  for (const bool flag : {reseed, follow, merge, terrain}) hash.add(flag ? 1 : 0);
  hash.add(turns);
  hash.add(growth);
  hash.add(step);
  hash.add(resolution);
  hash.add(order);
  hash.add(tries);
  hash.add(frames);
  hash.add(seed);
  return hash.value();
}

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context,
                         Report* report) {
  if (const Status status = checkSettings(settings); !status.ok()) return status.error();
  if (settings.seeding == Seeding::kGrid) {
    const Status status = growth::checkSeedCount(boundingBox(environment), pitchOf(settings, environment.lattice));
    if (!status.ok()) return status.error();
  }
  std::mutex mutex;
  Report sum;
  const auto growSpace = [&](const GrownSpace& space, size_t number) {
    Grown grown = fewestCells(settings.tries, context, [&](uint32_t i) {
      return growOnce(space, environment.lattice, settings, i == 0 ? settings.order : Order::kShuffled,
                      Random(settings.seed + i, number), context);
    });
    const std::lock_guard lock(mutex);
    sum.regions += grown.report.regions;
    sum.steps += grown.report.steps;
    sum.tests += grown.report.tests;
    sum.rounds = std::max(sum.rounds, grown.report.rounds);
    return std::move(grown.cells);
  };
  auto mesh = growMesh(environment, {kName, settings.hash(), traitsOf(settings), settings.terrain}, growSpace, context);
  if (report != nullptr && mesh.ok()) *report = sum;
  return mesh;
}

Generator entry() {
  Generator generator;
  generator.info.name = kName;
  generator.info.meaning =
      "Regions that grow from seeds and follow walls: exact, few cells with wide angles, axis-aligned portals.";
  generator.info.source =
      "D. H. Hale, A Growth-Based Approach to the Automatic Generation of Navigation Meshes, dissertation, University "
      "of North Carolina at Charlotte (2011), chapter 4";
  const std::vector<std::string> onOff{"on", "off"};
  generator.info.options = {
      {"seeds", "Where regions begin; walls alone promise full coverage.", "walls", {"walls", "grid", "random"}, 0, 0},
      {"pitch",
       "Distance of the seeds of a grid, in metres; a coarse grid misses small components.",
       "5",
       {},
       0.01,
       1e5},
      {"count", "Number of random seeds per layer.", "100", {}, 1, 1e6},
      {"reseed", "Whether unclaimed space gets seeds until none is left.", "on", onOff, 0, 0},
      {"turns",
       "One region after the other, or all together; together gives more cells.",
       "single",
       {"single", "all"},
       0,
       0},
      {"growth",
       "Up to contact, or by whole steps, which leave gaps narrower than a step.",
       "exact",
       {"exact", "steps"},
       0,
       0},
      {"growth-step", "How far a side moves per turn, in metres; 0 is a good value for the world.", "0", {}, 0, 1e4},
      {"finest-step", "Steps halve on collision down to this, in metres; 0 keeps them.", "0", {}, 0, 1e4},
      {"follow", "Whether regions follow slanted walls; without, they stay boxes and leave gaps.", "on", onOff, 0, 0},
      {"merge", "Whether regions whose union is convex are joined.", "on", onOff, 0, 0},
      {"terrain", "Whether cells end at the borders of labelled regions.", "on", onOff, 0, 0},
      {"order",
       "Of the seeds: by the length of their walls, as they come, or shuffled by the seed.",
       "shortest",
       {"shortest", "longest", "given", "shuffled"},
       0,
       0},
      {"tries", "Orders of seeds that are tried; the mesh with the fewest cells is kept.", "1", {}, 1, 1000},
      {"frames", "Stops after so many regions (single) or rounds (all), for pictures; 0 never.", "0", {}, 0, 1e9},
  };
  setMethod<settingsOf, generate, update>(generator);
  return generator;
}

}  // namespace wend::pasfv
