#include "generators/esfv/esfv.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/hash.h"
#include "generators/grow_mesh.h"
#include "geometry/growth/grow.h"
#include "mesh/surface_index.h"

namespace wend::esfv {
namespace {

using growth::Grower;
using growth::Region;

constexpr const char* kName = "esfv";

constexpr MeshTraits kTraits{.exact = false};

struct HeightRange {
  double low = 0;
  double high = 0;
};

// The heights along the border of a box: at its corners and every `step` between them.
HeightRange heightsUnder(const SurfaceIndex& surface, const growth::Limits& limit, double step) {
  HeightRange heights{INFINITY, -INFINITY};
  const auto add = [&](double x, double y) {
    const double z = surface.at({x, y});
    heights.low = std::min(heights.low, z);
    heights.high = std::max(heights.high, z);
  };
  const double x0 = limit[growth::kLeft];
  const double x1 = limit[growth::kRight];
  const double y0 = limit[growth::kBottom];
  const double y1 = limit[growth::kTop];
  for (double x = x0; x < x1; x += step) {
    add(x, y0);
    add(x, y1);
  }
  for (double y = y0; y < y1; y += step) {
    add(x0, y);
    add(x1, y);
  }
  add(x1, y1);
  return heights;
}

std::vector<growth::Outline> growLayer(const GrownSpace& source, const Layer& layer, const Settings& settings,
                                       int64_t pitch, int64_t step, const Context& context) {
  growth::GrowthSpace space(source.free, source.open);
  const SurfaceIndex surface(layer.heights);
  std::vector<uint32_t> growing;
  for (const growth::Seed& seed : growth::gridSeeds(source.free, pitch)) {
    auto region = plant(space, seed);
    if (!region || !region->contacts.empty()) continue;
    growing.push_back(space.addRegion(std::move(*region)));
  }
  Grower grower(space, {false, true});
  std::vector<std::array<bool, 4>> isStopped(growing.size(), std::array<bool, 4>{});
  for (bool moved = true; moved && !context.cancelled();) {
    moved = false;
    for (size_t i = 0; i < growing.size(); ++i) {
      for (const growth::Side4 side : growth::kSides) {
        if (isStopped[i][side]) continue;
        Region& region = space.regions()[growing[i]];
        const Region before = region;
        growth::Limits ahead = region.limit;
        ahead[side] = static_cast<int32_t>(
            std::clamp<int64_t>(ahead[side] + growth::forward(side) * step, -kMaxCoordinate, kMaxCoordinate));
        grower.look({{ahead[growth::kLeft], ahead[growth::kBottom]}, {ahead[growth::kRight], ahead[growth::kTop]}});
        const Grower::Move move = grower.advance(region, side, step, growing[i]);
        isStopped[i][side] = move != Grower::Move::kWhole;
        if (!layer.heights.flat()) {
          const HeightRange heights = heightsUnder(surface, region.limit, static_cast<double>(step));
          if (heights.high - heights.low > settings.rise) {
            region = before;
            isStopped[i][side] = true;
            continue;
          }
        }
        space.enter(growing[i], before.limit, false);
        moved = moved || move == Grower::Move::kWhole || move == Grower::Move::kPart;
      }
    }
  }
  std::vector<growth::Outline> cells;
  for (const uint32_t id : growing) cells.push_back(outlineOf(space.regions()[id], space.walls()));
  if (settings.merge && layer.heights.flat()) growth::mergeConvex(cells);
  return cells;
}

}  // namespace

uint64_t Settings::hash() const {
  Hash hash;
  hash.add(std::string_view(kName));
  for (const double value : {pitch, step, rise}) hash.add(value);
  hash.add(merge ? 1 : 0);
  return hash.value();
}

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context) {
  if (!(settings.step >= 0.001 && settings.step <= 1e4) || !(settings.rise >= 0 && settings.rise <= 1000)) {
    return Error{ErrorCode::kInvalidSettings, "The step must be 0.001 to 10000 m and the rise 0 to 1000 m."};
  }
  const Result<int64_t> pitch = seedPitch(environment, settings.pitch);
  if (!pitch.ok()) return pitch.error();
  const int64_t step = std::max<int64_t>(1, std::llround(settings.step / environment.lattice.unit));
  return growMesh(
      environment, {kName, settings.hash(), kTraits, false},
      [&](const GrownSpace& space, size_t) {
        return GrownCells{{}, growLayer(space, environment.layers[space.layer], settings, *pitch, step, context)};
      },
      context);
}

Generator entry() {
  Generator generator;
  generator.info.name = kName;
  generator.info.meaning = "Level boxes that grow on surfaces with heights: approximate, leaves ramps out.";
  generator.info.source =
      "D. H. Hale, A Growth-Based Approach to the Automatic Generation of Navigation Meshes, dissertation, University "
      "of North Carolina at Charlotte (2011), section 4.3";
  generator.info.traits = kTraits;
  generator.info.options = {
      seedPitchOption(),
      {"growth-step", "How far a side moves per turn, in metres; small steps are slow.", "0.1", {}, 0.001, 1e4},
      {"rise", "How much the surface below one box may differ in height, in metres.", "0.2", {}, 0, 1000},
      {"merge", "Whether boxes on level ground whose union is a box are joined.", "on", {"on", "off"}, 0, 0},
  };
  generator.run = [](const Environment& environment, const OptionValues& options, uint64_t, const Context& context) {
    return generate(environment,
                    Settings{options.number("pitch"), options.number("growth-step"), options.number("rise"),
                             options.choice("merge") == "on"},
                    context);
  };
  return generator;
}

}  // namespace wend::esfv
