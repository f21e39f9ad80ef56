#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <wend/generate.h>
#include <wend/navmesh.h>
#include <wend/world.h>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/random.h"

// Point location by mesh size, which should stay near constant but for the memory caches; and the time to open a .wend
// file against reading all of it, and to check it.
//   bench_locate --benchmark_format=csv
// The label is a hash of the results; it must not depend on the machine.
namespace wend {
namespace {

// A square field with a triangle standing at random in each square of a grid.
Environment field(int32_t side) {
  const int32_t pitch = 40000;  // 4 m
  Random random(11);
  Polygon ground;
  ground.outer = {{0, 0}, {side * pitch, 0}, {side * pitch, side * pitch}, {0, side * pitch}};
  for (int32_t y = 0; y < side; ++y) {
    for (int32_t x = 0; x < side; ++x) {
      const auto corner = [&](int32_t dx, int32_t dy) {
        return Point{x * pitch + dx + static_cast<int32_t>(random.between(0, 9000)),
                     y * pitch + dy + static_cast<int32_t>(random.between(0, 9000))};
      };
      ground.holes.push_back({corner(5000, 5000), corner(12000, 25000), corner(25000, 8000)});
    }
  }
  Environment environment;
  environment.layers.resize(1);
  environment.layers[0].free.push_back(std::move(ground));
  return environment;
}

const NavMesh* fieldMesh(const std::string& generator, int32_t side) {
  static std::map<std::pair<std::string, int32_t>, NavMesh> known;
  const auto [it, fresh] = known.try_emplace({generator, side});
  if (fresh) {
    GenerateSettings settings;
    settings.generator = generator;
    auto mesh = generate(field(side), settings);
    if (mesh.ok()) it->second = *mesh;
  }
  return it->second.empty() ? nullptr : &it->second;
}

void describe(benchmark::State& state, const NavMesh& mesh, size_t bytes, uint64_t result) {
  state.counters["cells"] = mesh.cellCount();
  state.counters["bytes_per_cell"] = static_cast<double>(bytes) / mesh.cellCount();
  state.SetLabel(fmt::format("{:016x}", result));
}

void locate(benchmark::State& state, const char* generator) {
  const auto side = static_cast<int32_t>(state.range(0));
  const NavMesh* mesh = fieldMesh(generator, side);
  if (mesh == nullptr) return state.SkipWithError("the field was not baked");
  const Locator locator(*mesh);
  Random random(1);
  std::vector<Vec2> places(1 << 16);
  for (Vec2& p : places) p = {random.real(0, 4.0 * side), random.real(0, 4.0 * side)};
  Hash result;
  for (const Vec2 p : places) result.add(locator.locate(p, 0));
  size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(locator.locate(places[i++ & 0xffff], 0));
  state.SetItemsProcessed(state.iterations());
  describe(state, *mesh, locator.memory(), result.value());
}

void buildLocator(benchmark::State& state) {
  const NavMesh* mesh = fieldMesh("delaunay", static_cast<int32_t>(state.range(0)));
  if (mesh == nullptr) return state.SkipWithError("the field was not baked");
  for (auto _ : state) benchmark::DoNotOptimize(Locator(*mesh).memory());
  state.SetItemsProcessed(state.iterations() * mesh->cellCount());
  describe(state, *mesh, Locator(*mesh).memory(), hash(*mesh));
}

class TemporaryFile {
 public:
  TemporaryFile()
      : path_((std::filesystem::temp_directory_path() / fmt::format("wend_bench_{}.wend", ::getpid())).string()) {}
  ~TemporaryFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

void load(benchmark::State& state) {
  const NavMesh* mesh = fieldMesh("delaunay", static_cast<int32_t>(state.range(0)));
  const TemporaryFile file;
  if (mesh == nullptr) return state.SkipWithError("the field has no mesh");
  const Result<World> world = World::of(field(static_cast<int32_t>(state.range(0))), *mesh);
  if (!world.ok() || !saveWorld(*world, file.path()).ok()) return state.SkipWithError("the field was not saved");
  uint64_t result = 0;
  for (auto _ : state) {
    const Result<World> loaded = loadWorld(file.path());
    benchmark::DoNotOptimize(loaded.ok());
    result = loaded.ok() ? 1 : 0;
  }
  const auto bytes = static_cast<int64_t>(std::filesystem::file_size(file.path()));
  state.SetBytesProcessed(state.iterations() * bytes);
  describe(state, *mesh, static_cast<size_t>(bytes), result == 1 ? hash(*mesh) : 0);
}

void check(benchmark::State& state) {
  const auto side = static_cast<int32_t>(state.range(0));
  const NavMesh* mesh = fieldMesh("delaunay", side);
  if (mesh == nullptr) return state.SkipWithError("the field was not baked");
  const Environment environment = field(side);
  size_t faults = 0;
  for (auto _ : state) faults = checkMesh(*mesh, &environment).size();
  state.SetItemsProcessed(state.iterations() * mesh->cellCount());
  if (faults != 0) return state.SkipWithError("the mesh is wrong");
  describe(state, *mesh, mesh->memory(), hash(*mesh));
}

// About 5 triangles per square of the field.
BENCHMARK_CAPTURE(locate, delaunay, "delaunay")->Arg(4)->Arg(14)->Arg(45)->Arg(142);
BENCHMARK_CAPTURE(locate, hertel_mehlhorn, "hertel-mehlhorn")->Arg(4)->Arg(14)->Arg(45)->Arg(142);
BENCHMARK(buildLocator)->Arg(14)->Arg(45)->Arg(142)->Unit(benchmark::kMillisecond);
BENCHMARK(load)->Arg(4)->Arg(14)->Arg(45)->Arg(142)->Unit(benchmark::kMillisecond);
BENCHMARK(check)->Arg(14)->Arg(45)->Arg(142)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace wend

BENCHMARK_MAIN();
