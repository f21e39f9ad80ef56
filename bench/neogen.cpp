#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>
#include <numbers>

#include <wend/generate.h>
#include <wend/make.h>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "environment/turned.h"
#include "generators/neogen/cell_count_bound.h"
#include "geometry/predicates.h"
#include "geometry/vec2.h"

// How many cells NEOGEN makes, and how long it takes.
//   bench_neogen --table                      CSV: cells, bounds and slivers for every made world
//   bench_neogen --angles [alpha]             CSV: cells, slivers and portals of every made world, turned
//   bench_neogen --benchmark_format=csv       times against the number of notches
// The label of a time is the hash of the mesh; it must not depend on the machine.
namespace wend {
namespace {

NavMesh bake(const Environment& environment, const char* generator, const char* optimise = nullptr) {
  GenerateSettings settings;
  settings.generator = generator;
  if (optimise != nullptr) settings.options = {{"optimise", optimise}};
  auto mesh = generate(environment, settings);
  if (!mesh.ok()) {
    fmt::print(stderr, "{}\n", mesh.error().message);
    return {};
  }
  return *mesh;
}

int64_t notches(const Ring& ring) {
  int64_t count = 0;
  for (size_t i = 0; i < ring.size(); ++i) {
    count += orient(ring[i], ring[(i + 1) % ring.size()], ring[(i + 2) % ring.size()]) < 0 ? 1 : 0;
  }
  return count;
}

// Sides of the hole's convex hull that lie on its boundary: no convex cell lies along two of them.
int64_t hullSides(const Ring& hole) {
  int64_t count = 0;
  for (size_t i = 0; i < hole.size(); ++i) {
    const Point a = hole[i];
    const Point b = hole[(i + 1) % hole.size()];
    const bool straight = orient(a, b, hole[(i + 2) % hole.size()]) == 0;  // counted once, at its end
    count += !straight && std::all_of(hole.begin(), hole.end(), [&](Point p) { return orient(a, b, p) <= 0; }) ? 1 : 0;
  }
  return count;
}

// The linear program of the price bound grows with the pairs of notches.
constexpr int64_t kPricedNotches = 180;

struct Shape {
  int64_t notches = 0;
  int64_t holes = 0;
  int64_t bound = 0;   // no decomposition has fewer cells
  int64_t priced = 0;  // none with portals from wall to wall; as above for polygons with very many notches
  bool allPriced = true;
};

Shape shapeOf(const Environment& environment, bool price) {
  Shape shape;
  for (const Layer& layer : environment.layers) {
    for (const Polygon& polygon : layer.free) {
      int64_t reflex = notches(polygon.outer);
      for (const Ring& hole : polygon.holes) reflex += notches(hole);
      const auto holes = static_cast<int64_t>(polygon.holes.size());
      shape.notches += reflex;
      shape.holes += holes;
      int64_t bound = std::max<int64_t>(1, (reflex + 1) / 2 + 1 - holes);
      for (const Ring& hole : polygon.holes) bound = std::max(bound, hullSides(hole));
      shape.bound += bound;
      const bool few = price && reflex <= kPricedNotches;
      shape.priced += few ? std::max(bound, CellCountBound(polygon).cells()) : bound;
      shape.allPriced = shape.allPriced && few;
    }
  }
  return shape;
}

void table() {
  fmt::print(
      "world,vertices,notches,holes,bound,priced,all_priced,hertel_mehlhorn,neogen_plain,neogen,neogen_per_notch,"
      "slivers_hertel_mehlhorn,"
      "slivers_plain,slivers\n");
  for (const EnvironmentKind& kind : environmentKinds()) {
    const auto world = makeEnvironment({kind.name, {}, 1, {}});
    if (!world.ok()) continue;
    const Shape shape = shapeOf(*world, true);
    const NavMesh merged = bake(*world, "hertel-mehlhorn");
    const NavMesh plain = bake(*world, "neogen", "off");
    const NavMesh best = bake(*world, "neogen", "on");
    fmt::print("{},{},{},{},{},{},{},{},{},{},{:.3f},{},{},{}\n", kind.name, vertexCount(*world), shape.notches,
               shape.holes, shape.bound, shape.priced, shape.allPriced, merged.cellCount(), plain.cellCount(),
               best.cellCount(),
               static_cast<double>(best.cellCount()) / static_cast<double>(std::max<int64_t>(1, shape.notches)),
               countSlivers(merged), countSlivers(plain), countSlivers(best));
  }
}

struct PortalLengths {
  double total = 0;
  double longest = 0;
  uint32_t seams = 0;  // portals between layers
};

PortalLengths portalLengths(const NavMesh& mesh) {
  PortalLengths lengths;
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    if (mesh.isWall(s) || mesh.twin(s) < s) continue;
    const double length =
        distance(mesh.vertex(mesh.startVertex(s)), mesh.vertex(mesh.endVertex(s))) * mesh.lattice().unit;
    if (mesh.layerOf(mesh.cellOf(s)) != mesh.layerOf(mesh.neighbour(s))) {
      ++lengths.seams;
      continue;
    }
    lengths.total += length;
    lengths.longest = std::max(lengths.longest, length);
  }
  return lengths;
}

// An odd angle besides the usual ones.
constexpr double kAngles[]{0, 17, 45, 71.317};

void angles(const char* alpha) {
  fmt::print("world,degrees,cells,hertel_mehlhorn,slivers,portal_metres,longest,seams,convex,faults,ms\n");
  for (const EnvironmentKind& kind : environmentKinds()) {
    const auto world = makeEnvironment({kind.name, {}, 1, {}});
    if (!world.ok()) continue;
    for (const double degrees : kAngles) {
      const Environment environment = turned(*world, degrees);
      if (!validate(environment).empty()) {
        fmt::print("{},{},invalid\n", kind.name, degrees);
        continue;
      }
      GenerateSettings settings;
      settings.generator = "neogen";
      settings.options = {{"alpha", alpha}};
      const auto begin = std::clock();
      const auto mesh = generate(environment, settings);
      const double ms = 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
      if (!mesh.ok()) {
        fmt::print("{},{},{}\n", kind.name, degrees, mesh.error().message);
        continue;
      }
      const PortalLengths lengths = portalLengths(*mesh);
      fmt::print("{},{},{},{},{},{:.1f},{:.1f},{},{},{},{:.1f}\n", kind.name, degrees, mesh->cellCount(),
                 bake(environment, "hertel-mehlhorn").cellCount(), countSlivers(*mesh), lengths.total, lengths.longest,
                 lengths.seams, mesh->info().traits.convex, checkMesh(*mesh, &environment).size(), ms);
    }
  }
}

void run(benchmark::State& state, const Result<Environment>& world, const char* generator, const char* optimise) {
  if (!world.ok()) {
    state.SkipWithError(world.error().message.c_str());
    return;
  }
  NavMesh mesh;
  for (auto _ : state) mesh = bake(*world, generator, optimise);
  const auto count = static_cast<double>(shapeOf(*world, false).notches);
  state.counters["notches"] = count;
  state.counters["cells"] = mesh.cellCount();
  state.counters["us_per_notch"] =
      benchmark::Counter(count * 1e-6, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.SetLabel(fmt::format("{:016x}", hash(mesh)));
}

void growth(benchmark::State& state, const char* generator, const char* optimise) {
  run(state, makeEnvironment({"random", {{"vertices", 2 * static_cast<double>(state.range(0))}}, 1, {}}), generator,
      optimise);
}

void crazybox(benchmark::State& state, const char* generator, const char* optimise) {
  run(state, makeEnvironment({"crazybox2", {}, 1, {}}), generator, optimise);
}

// One round obstacle in a square hall: all its notches see each other's portals.
Result<Environment> roundObstacle(int64_t vertices) {
  EnvironmentDraft draft;
  LayerDraft& layer = draft.layers.emplace_back();
  constexpr double kRadius = 2000;  // metres: every vertex of 16,000 is a notch on the lattice
  constexpr double kHall = 2.5 * kRadius;
  layer.walkable = {{{{-kHall, -kHall}, {kHall, -kHall}, {kHall, kHall}, {-kHall, kHall}}}};
  std::vector<Vec2>& disk = layer.obstacles.emplace_back().emplace_back();
  for (int64_t i = 0; i < vertices; ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(vertices);
    disk.push_back({kRadius * std::cos(angle), kRadius * std::sin(angle)});
  }
  return buildEnvironment(draft);
}

void disk(benchmark::State& state, const char* generator, const char* optimise) {
  run(state, roundObstacle(state.range(0)), generator, optimise);
}

#define WEND_NOTCHES RangeMultiplier(10)->Range(100, 100000)->Unit(benchmark::kMillisecond)->UseRealTime()
BENCHMARK_CAPTURE(growth, hertel_mehlhorn, "hertel-mehlhorn", nullptr)->WEND_NOTCHES;
BENCHMARK_CAPTURE(growth, plain, "neogen", "off")->WEND_NOTCHES;
BENCHMARK_CAPTURE(growth, optimised, "neogen", "on")->WEND_NOTCHES;
#define WEND_ROUND RangeMultiplier(2)->Range(1000, 16000)->Unit(benchmark::kMillisecond)
BENCHMARK_CAPTURE(disk, hertel_mehlhorn, "hertel-mehlhorn", nullptr)->WEND_ROUND;
BENCHMARK_CAPTURE(disk, plain, "neogen", "off")->WEND_ROUND;
BENCHMARK_CAPTURE(disk, optimised, "neogen", "on")->WEND_ROUND;
BENCHMARK_CAPTURE(crazybox, hertel_mehlhorn, "hertel-mehlhorn", nullptr)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(crazybox, plain, "neogen", "off")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(crazybox, optimised, "neogen", "on")->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace wend

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "--table") == 0) {
    wend::table();
    return 0;
  }
  if (argc > 1 && std::strcmp(argv[1], "--angles") == 0) {
    wend::angles(argc > 2 ? argv[2] : "0");
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
