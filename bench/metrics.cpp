#include <cmath>

#include <wend/generate.h>
#include <wend/make.h>
#include <wend/metrics.h>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "base/hash.h"
#include "base/peak_memory.h"

// How long measuring takes, and how much memory the process has used at most.
//   bench_metrics --benchmark_filter=measure/delaunay/200000
// The label is the hash of the values; it must not depend on the machine.
namespace wend {
namespace {

std::string hashOf(const std::vector<MetricValue>& values) {
  Hash h;
  for (const MetricValue& value : values) {
    h.add(value.name);
    h.add(value.value);
  }
  return fmt::format("{:016x}", h.value());
}

void measure(benchmark::State& state, const char* generator, double verticesPerCell) {
  const auto vertices = static_cast<double>(state.range(0)) * verticesPerCell;
  const auto world = makeEnvironment({"random", {{"vertices", std::floor(vertices)}}, 1, {}});
  GenerateSettings settings;
  settings.generator = generator;
  const auto mesh = world.ok() ? generate(*world, settings) : Result<NavMesh>(world.error());
  if (!mesh.ok()) {
    state.SkipWithError(mesh.error().message.c_str());
    return;
  }
  const double before = peakMegabytes();
  std::vector<MetricValue> values;
  for (auto _ : state) {
    const auto metrics = measureMesh(*mesh, *world);
    if (!metrics.ok()) {
      state.SkipWithError(metrics.error().message.c_str());
      return;
    }
    values = metricValues(*metrics);
  }
  state.counters["cells"] = mesh->cellCount();
  state.counters["baking_mb"] = before;
  state.counters["peak_mb"] = peakMegabytes();
  state.SetLabel(hashOf(values));
}

#define WEND_CELLS Arg(2000)->Arg(20000)->Arg(200000)->Unit(benchmark::kMillisecond)
BENCHMARK_CAPTURE(measure, delaunay, "delaunay", 0.97)->WEND_CELLS;
BENCHMARK_CAPTURE(measure, hertel_mehlhorn, "hertel-mehlhorn", 3.65)->WEND_CELLS;
BENCHMARK_CAPTURE(measure, ecm, "ecm", 0.5)->WEND_CELLS;

}  // namespace
}  // namespace wend

BENCHMARK_MAIN();
