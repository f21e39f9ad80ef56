#include <array>
#include <cmath>

#include <wend/environment.h>
#include <wend/generate.h>
#include <wend/make.h>
#include <wend/mesh_builder.h>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "base/random.h"
#include "generators/layer_triangles.h"

// Bake time against the size of the world, which should grow as n log n, and the size of the mesh.
//   bench_bake --benchmark_format=csv
// The label is the hash of the mesh; it must not depend on the machine.
namespace wend {
namespace {

// A made world of about that many vertices: one polygon with many notches and holes, or boxes on a jittered lattice.
Environment world(const char* kind, double vertices) {
  MakeSettings settings;
  settings.kind = kind;
  const bool boxes = settings.kind == "random-boxes";
  settings.parameters = {{boxes ? "boxes" : "vertices", boxes ? vertices / 4 : vertices}};
  return *makeEnvironment(settings);
}

// Every case has the same columns: the CSV writer insists on it.
void report(benchmark::State& state, const Environment& environment, const NavMesh& mesh) {
  const auto vertices = static_cast<double>(vertexCount(environment));
  state.counters["vertices"] = vertices;
  state.counters["cells"] = mesh.cellCount();
  state.counters["us_per_vertex"] =
      benchmark::Counter(vertices * 1e-6, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["bytes_per_cell"] = static_cast<double>(mesh.memory()) / std::max(1U, mesh.cellCount());
  state.SetLabel(fmt::format("{:016x}", hash(mesh)));
}

void bake(benchmark::State& state, const char* generator, const char* kind) {
  const Environment environment = world(kind, static_cast<double>(state.range(0)));
  GenerateSettings settings;
  settings.generator = generator;
  NavMesh mesh;
  for (auto _ : state) {
    auto result = generate(environment, settings);
    if (!result.ok()) {
      state.SkipWithError(result.error().message.c_str());
      return;
    }
    mesh = *result;
  }
  report(state, environment, mesh);
}

// From the drawing's polygons to a valid environment: snap rounding, overlay, connections.
void clean(benchmark::State& state, const char* kind) {
  const Environment environment = world(kind, static_cast<double>(state.range(0)));
  const EnvironmentDraft draft = draftOf(environment);
  for (auto _ : state) {
    const auto result = buildEnvironment(draft);
    if (!result.ok()) {
      state.SkipWithError(result.error().message.c_str());
      return;
    }
    benchmark::DoNotOptimize(result->layers.data());
  }
  report(state, environment, NavMesh());
  state.SetLabel(fmt::format("{:016x}", hash(environment)));
}

// The builder alone: loose triangles become a mesh.
void build(benchmark::State& state) {
  const Environment environment = world("random", static_cast<double>(state.range(0)));
  const auto layers = triangulateLayers(environment, {});
  if (!layers.ok()) {
    state.SkipWithError(layers.error().message.c_str());
    return;
  }
  const FreeTriangulation& layer = layers->front();
  NavMesh mesh;
  for (auto _ : state) {
    MeshBuilder builder(environment);
    for (const auto& t : layer.triangles) {
      const std::array<Point, 3> loop{layer.points[t.v[0]], layer.points[t.v[1]], layer.points[t.v[2]]};
      builder.addCell(0, std::span<const Point>(loop));
    }
    mesh = *builder.build("bench", 0, {}, {});
  }
  report(state, environment, mesh);
}

#define WEND_SIZES RangeMultiplier(10)->Range(1000, 1000000)->Unit(benchmark::kMillisecond)->UseRealTime()
BENCHMARK_CAPTURE(clean, random, "random")->WEND_SIZES;
BENCHMARK_CAPTURE(bake, delaunay_random, "delaunay", "random")->WEND_SIZES;
BENCHMARK_CAPTURE(bake, delaunay_boxes, "delaunay", "random-boxes")->WEND_SIZES;
BENCHMARK_CAPTURE(bake, hertel_mehlhorn_random, "hertel-mehlhorn", "random")->WEND_SIZES;
BENCHMARK_CAPTURE(bake, hertel_mehlhorn_boxes, "hertel-mehlhorn", "random-boxes")->WEND_SIZES;
BENCHMARK(build)->WEND_SIZES;

}  // namespace
}  // namespace wend

BENCHMARK_MAIN();
