#include <algorithm>
#include <cmath>
#include <cstring>

#include <wend/generate.h>
#include <wend/make.h>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "generators/neogen/cell_count_bound.h"
#include "geometry/predicates.h"

// How many cells NEOGEN makes, and how long it takes.
//   bench_neogen --table                      CSV: cells, bounds and slivers for every made world
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

void run(benchmark::State& state, const MakeSettings& settings, const char* generator, const char* optimise) {
  const auto world = makeEnvironment(settings);
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
  run(state, {"random", {{"vertices", 2 * static_cast<double>(state.range(0))}}, 1, {}}, generator, optimise);
}

void crazybox(benchmark::State& state, const char* generator, const char* optimise) {
  run(state, {"crazybox2", {}, 1, {}}, generator, optimise);
}

#define WEND_NOTCHES RangeMultiplier(10)->Range(100, 100000)->Unit(benchmark::kMillisecond)->UseRealTime()
BENCHMARK_CAPTURE(growth, hertel_mehlhorn, "hertel-mehlhorn", nullptr)->WEND_NOTCHES;
BENCHMARK_CAPTURE(growth, plain, "neogen", "off")->WEND_NOTCHES;
BENCHMARK_CAPTURE(growth, optimised, "neogen", "on")->WEND_NOTCHES;
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
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
