#include <array>
#include <cmath>

#include <wend/generate.h>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "base/random.h"
#include "generators/layer_triangles.h"
#include "mesh/mesh_builder.h"

// Bake time against the size of the world, which should grow as n log n, and the size of the mesh.
//   bench_bake --benchmark_format=csv
// The label is the hash of the mesh; it must not depend on the machine.
namespace wend {
namespace {

// A square field with one body in the middle of each square of a grid: a pentagon at random, or an axis-parallel box,
// so that vertices are collinear and cocircular everywhere.
Environment field(size_t vertices, bool aligned) {
  const uint32_t corners = aligned ? 4 : 5;
  const auto side = static_cast<int32_t>(std::lround(std::sqrt(static_cast<double>(vertices - 4) / corners)));
  const int32_t pitch = 40000;  // 4 m
  Random random(7);
  Polygon ground;
  ground.outer = {{0, 0}, {side * pitch, 0}, {side * pitch, side * pitch}, {0, side * pitch}};
  for (int32_t y = 0; y < side; ++y) {
    for (int32_t x = 0; x < side; ++x) {
      const double turn = aligned ? M_PI / 4 : random.real(0, 2 * M_PI);
      Ring body;
      for (uint32_t i = 0; i < corners; ++i) {
        const double angle = turn - 2 * M_PI * i / corners;
        const double radius = aligned ? 14142 : random.real(8000, 19000);
        body.push_back({x * pitch + pitch / 2 + static_cast<int32_t>(std::lround(radius * std::cos(angle))),
                        y * pitch + pitch / 2 + static_cast<int32_t>(std::lround(radius * std::sin(angle)))});
      }
      ground.holes.push_back(std::move(body));
    }
  }
  Environment environment;
  environment.layers.resize(1);
  environment.layers[0].free.push_back(std::move(ground));
  return environment;
}

void bake(benchmark::State& state, const char* generator, bool aligned) {
  const Environment environment = field(static_cast<size_t>(state.range(0)), aligned);
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
  const auto vertices = static_cast<double>(vertexCount(environment));
  state.counters["vertices"] = vertices;
  state.counters["cells"] = mesh.cellCount();
  state.counters["us_per_vertex"] =
      benchmark::Counter(vertices * 1e-6, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["bytes_per_cell"] = static_cast<double>(mesh.memory()) / std::max(1U, mesh.cellCount());
  state.SetLabel(fmt::format("{:016x}", hash(mesh)));
}

// The builder alone: loose triangles become a mesh.
void build(benchmark::State& state) {
  const Environment environment = field(static_cast<size_t>(state.range(0)), false);
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
  state.counters["cells"] = mesh.cellCount();
  state.counters["us_per_cell"] =
      benchmark::Counter(static_cast<double>(mesh.cellCount()) * 1e-6,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.SetLabel(fmt::format("{:016x}", hash(mesh)));
}

#define WEND_SIZES RangeMultiplier(10)->Range(1000, 1000000)->Unit(benchmark::kMillisecond)->UseRealTime()
BENCHMARK_CAPTURE(bake, delaunay_pentagons, "delaunay", false)->WEND_SIZES;
BENCHMARK_CAPTURE(bake, delaunay_boxes, "delaunay", true)->WEND_SIZES;
BENCHMARK_CAPTURE(bake, hertel_mehlhorn_pentagons, "hertel-mehlhorn", false)->WEND_SIZES;
BENCHMARK_CAPTURE(bake, hertel_mehlhorn_boxes, "hertel-mehlhorn", true)->WEND_SIZES;
BENCHMARK(build)->WEND_SIZES;

}  // namespace
}  // namespace wend

BENCHMARK_MAIN();
