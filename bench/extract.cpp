#include <ctime>
#include <filesystem>
#include <functional>

#include <wend/extract.h>
#include <wend/make_scene.h>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

// How long exact extraction takes, CPU time of one thread, and what two threads gain (wall time).
//   bench_extract --benchmark_format=csv
// The label is the hash of the environment; it must not depend on the machine or on threads.
namespace wend {
namespace {

void extractScene(benchmark::State& state, const Scene& scene, int threads) {
  Context context;
  context.threads = threads;
  ExtractSettings settings;
  settings.regions = false;
  uint64_t result = 0;
  for ([[maybe_unused]] auto unused : state) {
    const auto extraction = extract(scene, settings, context);
    if (!extraction.ok()) {
      state.SkipWithError(extraction.error().message.c_str());
      return;
    }
    state.PauseTiming();
    const Environment& environment = extraction->environment;
    result = hash(environment);
    state.counters["area"] = environment.lattice.area(topology(environment).doubledArea);
    state.counters["layers"] = static_cast<double>(environment.layers.size());
    state.counters["cut_facets"] = extraction->report.cutFacets;
    state.ResumeTiming();
  }
  state.counters["triangles"] = static_cast<double>(scene.triangles.size());
  state.SetLabel(fmt::format("{:016x}", result));
}

void add(const std::string& name, Scene scene) {
  const auto shared = std::make_shared<Scene>(std::move(scene));
  benchmark::RegisterBenchmark((name + "/1_thread").c_str(), [shared](benchmark::State& state) {
    extractScene(state, *shared, 1);
  })->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark((name + "/2_threads").c_str(),
                               [shared](benchmark::State& state) { extractScene(state, *shared, 2); })
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

// Hills of n x n squares, each two triangles.
Scene hills(int n) {
  Scene scene;
  scene.labels = {""};
  for (int y = 0; y <= n; ++y) {
    for (int x = 0; x <= n; ++x) {
      scene.vertices.push_back({1.0 * x, 1.0 * y, 3 * std::sin(0.11 * x) * std::cos(0.07 * y)});
    }
  }
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      const auto a = static_cast<uint32_t>(y * (n + 1) + x);
      const auto up = static_cast<uint32_t>(n + 1);
      scene.triangles.push_back({{a, a + 1, a + up + 1}, 0});
      scene.triangles.push_back({{a, a + up + 1, a + up}, 0});
    }
  }
  return scene;
}

}  // namespace
}  // namespace wend

int main(int argc, char** argv) {
  using namespace wend;
  const char* given = std::getenv("WEND_DATA");
  const std::filesystem::path data = given != nullptr ? given : WEND_DEFAULT_DATA;
  for (const char* name : {"nav_test", "dungeon"}) {
    if (auto scene = readScene((data / "scenes" / (std::string(name) + ".obj")).string()); scene.ok()) {
      add(name, std::move(scene).value());
    }
  }
  for (const int n : {30, 100, 300}) add(fmt::format("hills_{}", 2 * n * n), hills(n));
  for (const SceneKind& kind : sceneKinds()) {
    if (kind.name.size() == 3 && kind.name[0] == 's') continue;  // the small test scenes
    if (auto made = makeScene({kind.name, {}, 1}); made.ok()) add(kind.name, std::move(made->scene));
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
