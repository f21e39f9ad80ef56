#include "generators/adaptive_grid/adaptive_grid.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <wend/mesh_builder.h>

#include <fmt/format.h>

#include "base/hash.h"
#include "generators/adaptive_grid/growth.h"
#include "generators/adaptive_grid/rasterise.h"
#include "generators/layer_triangles.h"
#include "geometry/predicates.h"
#include "geometry/vec2.h"

namespace wend::adaptive_grid {
namespace {

constexpr const char* kName = "adaptive-grid";

MeshTraits traits(bool exact) {
  MeshTraits traits;
  traits.exact = exact;
  return traits;
}

void addCell(MeshBuilder& builder, LayerId layer, const Frame& frame, const std::array<Point, 4>& corners) {
  if (!frame.turned()) {
    builder.addCell(layer, std::span<const Point>(corners));
    return;
  }
  std::array<Vec2, 4> loop;
  for (size_t i = 0; i < 4; ++i) loop[i] = frame.back(corners[i]);
  builder.addCell(layer, std::span<const Vec2>(loop));
}

// The part of a pixel left of a segment of the boundary that crosses it.
void addCrossedPixel(MeshBuilder& builder, LayerId layer, const Frame& frame, const std::array<Point, 4>& corners,
                     Point from, Point to) {
  const Vec2 a = toVec2(from);
  const Vec2 b = toVec2(to);
  std::vector<Vec2> loop;
  for (size_t i = 0; i < 4; ++i) {
    const Vec2 p = frame.back(corners[i]);
    const Vec2 q = frame.back(corners[(i + 1) % 4]);
    const int turnP = orient(a, b, p);
    const int turnQ = orient(a, b, q);
    if (turnP >= 0) loop.push_back(p);
    if (turnP * turnQ >= 0) continue;
    // From the same end for both layers, so that both get the same place.
    const bool forward = turnP > 0;
    const Vec2 u = forward ? p : q;
    const Vec2 v = forward ? q : p;
    const bool first = u.x != v.x ? u.x < v.x : u.y < v.y;
    const Vec2 s = first ? u : v;
    const Vec2 t = first ? v : u;
    const Vec2 c = from < to ? a : b;
    const Vec2 d = from < to ? b : a;
    const double share = cross(d - c, s - c) / cross(d - c, s - t);
    loop.push_back(s + share * (t - s));
  }
  double doubled = 0;
  for (size_t i = 2; i < loop.size(); ++i) doubled += cross(loop[i - 1] - loop[0], loop[i] - loop[0]);
  constexpr double kSmallest = 1;  // square units; thinner pieces would collapse when corners are matched
  if (loop.size() < 3 || doubled < 2 * kSmallest) return;
  builder.addCell(layer, std::span<const Vec2>(loop));
}

const std::vector<std::string>& orders() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> list;
    std::string order = "ENSW";
    do {
      list.push_back(order);
    } while (std::next_permutation(order.begin(), order.end()));
    return list;
  }();
  return all;
}

std::array<GridDirection, 4> orderOf(const std::string& text) {
  std::array<GridDirection, 4> order{};
  for (size_t i = 0; i < 4; ++i) order[i] = static_cast<GridDirection>(std::string("ESWN").find(text[i]));
  return order;
}

template <typename Choice>
Choice choiceOf(const std::vector<std::string>& names, const std::string& text) {
  return static_cast<Choice>(std::find(names.begin(), names.end(), text) - names.begin());
}

// In the order of the enumerations.
const std::vector<std::string> kSeedNames{"single", "border", "border-all", "random", "sampled"};
const std::vector<std::string> kContainerNames{"queue", "stack", "min-heap", "max-heap", "rounds"};
const std::vector<std::string> kExpanderNames{"1d", "2d", "diagonal", "square"};
const std::vector<std::string> kSwitch{"off", "on"};

std::vector<GeneratorOption> optionsOf() {
  const double most = kMaxGridSide;
  return {
      {"pixel", "Side of a pixel, in metres; small ones follow walls and take memory.", "0.25", {}, 0.001, 1000},
      {"seeds", "Where clusters begin.", "sampled", kSeedNames, 0, 0},
      {"seed-count", "Number of random seeds.", "100", {}, 1, 1e9},
      {"seed-period", "Distance of sampled seeds, in pixels.", "16", {}, 1, most},
      {"container", "Which cluster grows next.", "queue", kContainerNames, 0, 0},
      {"expander", "What one call grows: one side, all sides, a pair of sides, or a pair or none.", "1d",
       kExpanderNames, 0, 0},
      {"directions", "The order in which sides are tried.", "ESWN", orders(), 0, 0},
      {"expander-memory", "Whether the next call begins with the next side (compact clusters).", "off", kSwitch, 0, 0},
      {"max-pixels", "Largest cluster, in pixels; 0 sets no limit.", "0", {}, 0, 1e9},
      {"max-side", "Longest side of a cluster, in pixels; 0 sets no limit.", "0", {}, 0, most},
      {"cover-all", "Whether free pixels that no seed reaches get clusters too.", "on", kSwitch, 0, 0},
      {"merge", "Whether neighbours that share a whole side are joined afterwards.", "off", kSwitch, 0, 0},
      {"align", "Whether the raster is turned to the direction of most walls.", "off", kSwitch, 0, 0}};
}

Settings settingsOf(const OptionValues& options, uint64_t seed) {
  Settings settings;
  settings.pixel = options.number("pixel");
  settings.align = options.choice("align") == "on";
  GridSettings& grid = settings.grid;
  grid.seeds = choiceOf<GridSeeds>(kSeedNames, options.choice("seeds"));
  grid.count = static_cast<uint32_t>(options.number("seed-count"));
  grid.period = static_cast<uint32_t>(options.number("seed-period"));
  grid.container = choiceOf<GridContainer>(kContainerNames, options.choice("container"));
  grid.expander = choiceOf<GridExpander>(kExpanderNames, options.choice("expander"));
  grid.order = orderOf(options.choice("directions"));
  grid.memory = options.choice("expander-memory") == "on";
  grid.maxPixels = static_cast<uint64_t>(options.number("max-pixels"));
  grid.maxSide = static_cast<uint32_t>(options.number("max-side"));
  grid.coverAll = options.choice("cover-all") == "on";
  grid.merge = options.choice("merge") == "on";
  grid.seed = seed;
  return settings;
}

}  // namespace

Result<NavMesh> generate(const Environment& environment, const Settings& settings, uint64_t settingsHash,
                         const Context& context) {
  // Only to learn what is wrong with the polygons, and where: the scan trusts them.
  if (const Status status = checkLayers(environment, context); !status.ok()) return status.error();
  const double pixel = settings.pixel / environment.lattice.unit;
  if (pixel < 4) {
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("Pixels of {:g} m are finer than four lattice units of {:g} m; choose larger pixels or a "
                             "finer unit.",
                             settings.pixel, environment.lattice.unit)};
  }
  Frame frame;
  if (settings.align) frame.along = dominantDirection(environment);
  const Result<Lines> lines = linesOver(environment, frame, pixel);
  if (!lines.ok()) return lines.error();
  const Boundary boundary(environment.layers, environment.connections);
  const std::vector<uint32_t> twin = glue(boundary, environment.connections);
  MeshBuilder builder(environment);
  bool exact = !frame.turned() && settings.grid.coverAll;
  for (LayerId layer = 0; layer < environment.layers.size(); ++layer) {
    const Result<LayerRaster> raster = rasterise(environment, layer, boundary, twin, frame, *lines);
    if (!raster.ok()) return raster.error();
    if (raster->grid.width == 0) continue;
    exact = exact && raster->touched == 0;
    const Result<AdaptiveGrid> grid = growGrid(raster->grid, settings.grid, context);
    if (!grid.ok()) return grid.error();
    for (const GridCluster& box : grid->clusters) {
      addCell(builder, layer, frame, cornersOf(*raster, *lines, box));
    }
    for (const CrossedPixel& crossed : raster->crossed) {
      const GridCluster box{crossed.row, crossed.column, crossed.row, crossed.column};
      addCrossedPixel(builder, layer, frame, cornersOf(*raster, *lines, box), boundary.start(crossed.edge),
                      boundary.end(crossed.edge));
    }
  }
  return builder.build(kName, settingsHash, traits(exact), context);
}

Generator entry() {
  Generator generator;
  generator.info.name = kName;
  generator.info.meaning =
      "Rectangles that grow from single pixels of a raster: exact for pictures, approximate elsewhere, never outside "
      "the "
      "free space.";
  generator.info.source =
      "A. Akaydin, U. Gudukbay, Adaptive grids: an image-based approach to generate navigation meshes, Optical "
      "Engineering 52(2) (2013)";
  generator.info.traits = traits(false);
  generator.info.options = optionsOf();
  generator.run = [](const Environment& environment, const OptionValues& options, uint64_t seed,
                     const Context& context) -> Result<NavMesh> {
    Hash sum;
    sum.add(std::string_view(kName));
    sum.add(hash(options));
    if (options.choice("seeds") == "random") sum.add(seed);
    return generate(environment, settingsOf(options, seed), sum.value(), context);
  };
  generator.update = [](const NavMesh& mesh, const Environment& before, const Environment& after,
                        const ChangedArea& changed, const OptionValues& options, uint64_t seed,
                        const Context& context) -> Result<MeshUpdate> {
    return update(mesh, before, after, changed, settingsOf(options, seed), context);
  };
  return generator;
}

}  // namespace wend::adaptive_grid
