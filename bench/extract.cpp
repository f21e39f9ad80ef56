#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include <wend/extract.h>
#include <wend/generate.h>
#include <wend/make_scene.h>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <malloc.h>

#include "arguments.h"
#include "clocks.h"
#include "generators/recast/recast_library.h"

// How long extraction takes: both methods beside each other, with generators after the exact one, and beside Recast's
// whole build if that library was found.
//   bench_extract --benchmark_format=csv
//   WEND_SCENES=office.glb:other.obj bench_extract   scenes of your own besides
// CPU time of one thread; `threads` cases compare the least wall times of one and two threads, measured in turn, also
// with a mesh after it. The label is the hash of the environment; it must not depend on the machine or on threads.
namespace wend {
namespace {

// Of Recast's build, and what its own demo drops: regions of fewer than 8 x 8 voxels.
constexpr double kRecastVoxel = 0.3;
constexpr double kRecastVoxelHeight = 0.2;
constexpr int kRecastLeastRegion = 8 * 8;
// Of each number of threads, of which the least time counts.
constexpr int kTimes = 8;

ExtractSettings settingsOf(ExtractMethod method) {
  ExtractSettings settings;
  settings.method = method;
  settings.regions = false;
  return settings;
}

// The CSV wants the same counters of every case.
void clearCounters(benchmark::State& state, const Scene& scene) {
  for (const char* name : {"area", "layers", "vertices", "one_ms", "two_ms", "gain"}) state.counters[name] = 0;
  state.counters["triangles"] = static_cast<double>(scene.triangles.size());
}

void extractScene(benchmark::State& state, const Scene& scene, const ExtractSettings& settings) {
  clearCounters(state, scene);
  Context context;
  context.threads = 1;
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
    state.counters["vertices"] = static_cast<double>(vertexCount(environment));
    state.ResumeTiming();
  }
  state.SetLabel(fmt::format("{:016x}", result));
}

// From triangles to a mesh: what Recast's build is to be compared with.
Result<NavMesh> bake(const Scene& scene, const ExtractSettings& settings, const std::string& generator,
                     const Context& context) {
  const auto extraction = extract(scene, settings, context);
  if (!extraction.ok()) return extraction.error();
  return generate(extraction->environment, {generator, {}, 1}, context);
}

void bakeScene(benchmark::State& state, const Scene& scene, const ExtractSettings& settings,
               const std::string& generator) {
  clearCounters(state, scene);
  Context context;
  context.threads = 1;
  for ([[maybe_unused]] auto unused : state) {
    const auto mesh = bake(scene, settings, generator, context);
    if (!mesh.ok()) {
      state.SkipWithError(mesh.error().message.c_str());
      return;
    }
    state.SetLabel(fmt::format("{} cells", mesh->cellCount()));
  }
}

// Wall times of one and two threads, taken in turn; run() does the work.
template <typename Run>
void compareThreads(benchmark::State& state, const Scene& scene, const Run& run) {
  clearCounters(state, scene);
  std::array<double, 2> least{INFINITY, INFINITY};
  for ([[maybe_unused]] auto unused : state) {
    for (size_t i = 0; i < 2; ++i) {
      Context context;
      context.threads = static_cast<int>(i) + 1;
      const double start = wallSeconds();
      const bool done = run(context);
      least[i] = std::min(least[i], wallSeconds() - start);
      if (!done) {
        state.SkipWithError("failed");
        return;
      }
    }
  }
  state.counters["one_ms"] = 1e3 * least[0];
  state.counters["two_ms"] = 1e3 * least[1];
  state.counters["gain"] = least[0] / least[1];
}

// Recast's whole build, with voxels of 0.3 m, 0.2 m high, and the same person as the default settings have: to
// polygons, and to triangles that follow the heights, which our environments have from the scene. Regions, edges and
// samples are those of Recast's own demo; larger regions take twice as long in `dungeon`. Regions of fewer voxels than
// the least are dropped.
void buildRecast(benchmark::State& state, const Scene& scene, int leastRegion) {
  clearCounters(state, scene);
  recast::Soup soup;
  recast::Build build;
  build.min = {1e9F, 1e9F, 1e9F};
  build.max = {-1e9F, -1e9F, -1e9F};
  for (const Vec3& v : scene.vertices) {
    const std::array<float, 3> p{static_cast<float>(v.x), static_cast<float>(v.z), static_cast<float>(-v.y)};
    for (size_t i = 0; i < 3; ++i) {
      build.min[i] = std::min(build.min[i], p[i]);
      build.max[i] = std::max(build.max[i], p[i]);
      soup.vertices.push_back(p[i]);
    }
  }
  for (const Scene::Triangle& t : scene.triangles) {
    for (const uint32_t v : t.vertices) soup.triangles.push_back(static_cast<int>(v));
  }
  const ExtractSettings person;
  build.voxel = static_cast<float>(kRecastVoxel);
  build.voxelHeight = static_cast<float>(kRecastVoxelHeight);
  build.ledges = false;
  build.leastRegion = leastRegion;
  build.mergedRegion = 20 * 20;
  build.edgeLength = static_cast<int>(12 / kRecastVoxel);
  build.climb = static_cast<int>(person.step / kRecastVoxelHeight);
  build.headRoom = static_cast<int>(std::ceil(person.height / kRecastVoxelHeight));
  build.slope = static_cast<float>(person.slope);
  build.detail = true;
  for ([[maybe_unused]] auto unused : state) {
    const auto polygons = recast::build(soup, build, {});
    if (!polygons.ok()) {
      state.SkipWithError(polygons.error().message.c_str());
      return;
    }
    state.SetLabel(fmt::format("{} polygons, {} triangles", polygons->loops.size(), polygons->detailTriangles));
  }
}

template <typename Run>
benchmark::internal::Benchmark* enter(const std::string& name, const Run& run) {
  return benchmark::RegisterBenchmark(name.c_str(), run)->Unit(benchmark::kMillisecond);
}

// Compares threads at run(context), which says whether it was done.
template <typename Run>
void enterThreads(const std::string& name, const std::shared_ptr<Scene>& scene, int times, const Run& run) {
  enter(name + "_threads", [scene, run](benchmark::State& state) {
    compareThreads(state, *scene, run);
  })->Iterations(times);
}

// With seed points, cases named `reached` extract only what can be reached from them, and those named `large` only what
// is as large as the regions that Recast's demo keeps: `recast_large` drops the smaller ones too.
void add(const std::string& name, Scene scene, const std::vector<Vec3>& seedPoints = {}) {
  const auto shared = std::make_shared<Scene>(std::move(scene));
  const auto enterExact = [&](const std::string& what, const ExtractSettings& settings) {
    enter(name + "/" + what, [shared, settings](benchmark::State& state) { extractScene(state, *shared, settings); });
    for (const GeneratorInfo& generator : generators()) {
      // What approximate ones cost grows with the area, whatever the scene: two scenes tell.
      if (generator.name == "recast" || (!generator.traits.exact && seedPoints.empty())) continue;
      const std::string with = name + "/" + what + "_" + generator.name;
      enter(with, [shared, settings, generator = generator.name](benchmark::State& state) {
        bakeScene(state, *shared, settings, generator);
      });
      if (seedPoints.empty() && generator.name != "delaunay") continue;
      enterThreads(with, shared, kTimes, [shared, settings, generator = generator.name](const Context& context) {
        return bake(*shared, settings, generator, context).ok();
      });
    }
  };
  const auto enterExtractThreads = [&](const std::string& what, const ExtractSettings& settings, int times) {
    enterThreads(name + "/" + what, shared, times,
                 [shared, settings](const Context& context) { return extract(*shared, settings, context).ok(); });
  };
  const ExtractSettings exact = settingsOf(ExtractMethod::kExact);
  const ExtractSettings voxel = settingsOf(ExtractMethod::kVoxel);
  enterExact("exact", exact);
  if (!seedPoints.empty()) {
    ExtractSettings reached = exact;
    reached.seedPoints = seedPoints;
    enterExact("reached", reached);
    ExtractSettings large = exact;
    large.minArea = kRecastLeastRegion * kRecastVoxel * kRecastVoxel;
    enterExact("large", large);
  }
  if (recast::isLibraryPresent()) {
    enter(name + "/recast", [shared](benchmark::State& state) { buildRecast(state, *shared, 0); });
    if (!seedPoints.empty()) {
      enter(name + "/recast_large",
            [shared](benchmark::State& state) { buildRecast(state, *shared, kRecastLeastRegion); });
    }
  }
  enter(name + "/voxel", [shared, voxel](benchmark::State& state) { extractScene(state, *shared, voxel); });
  enterExtractThreads("exact", exact, kTimes);
  enterExtractThreads("voxel", voxel, kTimes / 2);
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
  // Memory that was used once stays with the program: otherwise it depends on luck which run pays for fresh pages.
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_MMAP_THRESHOLD, 1 << 25);
  const std::filesystem::path data = dataFolder();
  // A place on the largest floor of each.
  const std::pair<const char*, Vec3> scenes[] = {{"nav_test", {-24.11, 4.07, -2.37}}, {"dungeon", {16.9, 1.07, 10}}};
  for (const auto& [name, seed] : scenes) {
    if (auto scene = readScene((data / "scenes" / (std::string(name) + ".obj")).string()); scene.ok()) {
      add(name, std::move(scene).value(), {seed});
    }
  }
  if (auto scene = readScene((data / "scenes" / "house.obj").string()); scene.ok()) {
    add("house_obj", std::move(scene).value());
  }
  for (std::string rest = std::getenv("WEND_SCENES") != nullptr ? std::getenv("WEND_SCENES") : ""; !rest.empty();) {
    const size_t end = std::min(rest.find(':'), rest.size());
    const std::filesystem::path file = rest.substr(0, end);
    rest.erase(0, end + 1);
    auto scene = readScene(file.string());
    if (scene.ok()) {
      add(file.stem().string() + "_file", std::move(scene).value());
    } else {
      fmt::print(stderr, "{}\n", scene.error().message);
    }
  }
  for (const int n : {30, 100, 300}) add(fmt::format("hills_{}", 2 * n * n), hills(n));
  for (const SceneKind& kind : sceneKinds()) {
    if (kind.name.size() == 3 && kind.name[0] == 's') continue;  // the small test scenes
    if (auto made = makeScene({kind.name, {}, 1}); made.ok()) add(kind.name, std::move(made->scene));
  }
  // As made, a terrain is too small to keep two threads busy.
  if (auto made = makeScene({"terrain", {{"cells", 250}}, 1}); made.ok()) {
    const auto scene = std::make_shared<Scene>(std::move(made->scene));
    enterThreads("terrain_200000/exact", scene, kTimes, [scene](const Context& context) {
      return extract(*scene, settingsOf(ExtractMethod::kExact), context).ok();
    });
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
