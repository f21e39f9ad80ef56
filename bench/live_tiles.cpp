#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include <wend/extract.h>
#include <wend/generate.h>
#include <wend/navigator.h>
#include <wend/scene.h>

#include <fmt/format.h>

#include "arguments.h"
#include "base/hash.h"
#include "base/random.h"
#include "clocks.h"
#include "tile_cache.h"

// A box of 2 x 2 x 2 m comes and goes at random places of scenes: ours beside Detour's tile cache, in turns in one run.
//   bench_live_tiles [edits per scene] [FILE...]   (CSV on standard output)
// CPU time of one thread in ms, as the scene lies and turned by 17 degrees. Ours is World::apply() and makeNavigator()
// after it, Detour's the update of its cache until its mesh is ready for queries: so both are ready to plan. Ours is
// for all radii; the first route of a disk of 0.6 m after an insertion has a column of its own, since on cells it
// measures clearances and analyses the mesh. `touched`: cells removed and added by an insertion, or tiles built anew;
// the mean. The hash is of all spaces after insertions; it must not depend on the machine. Without Detour's tile cache
// on the system its lines are left out.
namespace wend {
namespace {

constexpr double kSide = 2;      // metres
constexpr double kTurn = 17;     // degrees
constexpr int kWarmUp = 5;       // edits before the clock runs: the first ones of a world copy all of it
constexpr double kRadius = 0.6;  // metres; boxes stand where Detour's mesh is

struct Times {
  std::vector<double> add, remove, route;
  double touched = 0;
  int inPlace = 0;
  Hash hash;

  void print(const std::string& scene, const std::string& method, size_t cells) {
    fmt::print("{},{},{},{}", scene, method, cells, add.size());
    for (std::vector<double>* times : {&add, &remove}) {
      std::sort(times->begin(), times->end());
      const size_t n = times->size();
      if (n == 0) return;
      fmt::print(",{:.3f},{:.3f},{:.3f}", (*times)[n / 2], (*times)[n - 1 - n / 100], times->back());
    }
    const auto count = static_cast<double>(add.size());
    std::sort(route.begin(), route.end());
    fmt::print(",{:.3f},{:.1f},{:.2f},{:016x}\n", route.empty() ? 0 : route[route.size() / 2], touched / count,
               inPlace / count, hash.value());
    std::fflush(stdout);
  }
};

class Ours {
 public:
  Ours(std::string method, World world)
      : method_(std::move(method)), world_(std::move(world)), navigator_(makeNavigator(world_)) {}

  const Navigator& navigator() const { return navigator_; }
  void addAndRemove(Vec3 at, double degrees, const PathQuery& query, bool isCounted, const Context& context) {
    Obstacle obstacle;
    obstacle.shape = BoxShape{{kSide, kSide, kSide}};
    obstacle.place = Placement::turned(at, degrees);
    double time = 0;
    const std::optional<UpdateReport> added = apply(AddObstacle{obstacle}, time, context);
    if (!added || added->mesh == MeshChange::kNone) {
      if (added) (void)apply(RemoveObstacle{added->edits[0].id}, time, context);
      return;
    }
    Route route;
    const double planning = cpuSecondsOf([&] { (void)navigator_.plan(query, scratch_, route); });
    if (isCounted) {
      times_.add.push_back(time);
      times_.route.push_back(1e3 * planning);
      times_.touched += added->cellsRemoved + added->cellsAdded;
      times_.inPlace += added->mesh == MeshChange::kInPlace ? 1 : 0;
      times_.hash.add(world_.spaceHash().low);
    }
    (void)apply(RemoveObstacle{added->edits[0].id}, time, context);
    if (isCounted) times_.remove.push_back(time);
  }
  void print(const std::string& scene) { times_.print(scene, method_, world_.mesh().cellCount()); }

 private:
  std::optional<UpdateReport> apply(const Edit& edit, double& time, const Context& context) {
    const std::vector<Edit> edits{edit};
    const double start = cpuSeconds();
    Result<WorldUpdate> update = world_.apply(edits, context);
    if (!update.ok()) return std::nullopt;
    world_ = std::move(update->world);
    navigator_ = makeNavigator(navigator_, world_);
    time = 1e3 * (cpuSeconds() - start);
    return std::move(update->report);
  }

  std::string method_;
  World world_;
  Navigator navigator_;
  PlanScratch scratch_;
  Times times_;
};

#ifdef WEND_BENCH_TILE_CACHE
class Detours {
 public:
  explicit Detours(std::unique_ptr<TileCache> cache) : cache_(std::move(cache)) {}
  void addAndRemove(Vec3 at, double degrees, bool isCounted) {
    if (cache_ == nullptr) return;
    const double start = cpuSeconds();
    const dtObstacleRef box = cache_->add(at, kSide, degrees * std::numbers::pi / 180);
    const double added = cpuSeconds();
    const int tiles = cache_->tilesOf(box);
    const double between = cpuSeconds();
    cache_->remove(box);
    const double removed = cpuSeconds();
    if (!isCounted || tiles == 0) return;
    times_.add.push_back(1e3 * (added - start));
    times_.remove.push_back(1e3 * (removed - between));
    times_.touched += tiles;
  }
  void print(const std::string& scene) {
    if (cache_ != nullptr) times_.print(scene, "detour", cache_->polygons());
  }

 private:
  std::unique_ptr<TileCache> cache_;
  Times times_;
};
#endif

void turn(Scene& scene, double degrees) {
  const double c = std::cos(degrees * std::numbers::pi / 180);
  const double s = std::sin(degrees * std::numbers::pi / 180);
  for (Vec3& p : scene.vertices) p = {c * p.x - s * p.y, s * p.x + c * p.y, p.z};
}

void run(const std::string& file, double degrees, int edits) {
  Result<Scene> scene = readScene(file);
  if (!scene.ok()) {
    fmt::print(stderr, "{}\n", scene.error().message);
    return;
  }
  std::string name = std::filesystem::path(file).stem().string();
  if (degrees != 0) name += fmt::format("+{}", degrees);
  turn(*scene, degrees);
  const ExtractSettings person;
  Context context;
  context.threads = 1;
  const Result<Extraction> extraction = extract(*scene, person, context);
  if (!extraction.ok()) {
    fmt::print(stderr, "{}: {}\n", name, extraction.error().message);
    return;
  }
  std::vector<Ours> ours;
  for (const char* method : {"ecm", "hertel-mehlhorn", "delaunay"}) {
    const Result<World> world = bake(extraction->environment, {.generator = method}, context);
    if (world.ok()) ours.emplace_back(method, *world);
  }
  if (ours.empty()) return;
#ifdef WEND_BENCH_TILE_CACHE
  Detours detours(TileCache::make(*scene, person));
#endif
  const Navigator start = ours.front().navigator();
  PlanScratch scratch;
  Random random(7);
  for (int i = -kWarmUp; i < edits; ++i) {
    const auto seed = static_cast<uint64_t>(i + kWarmUp);
    const auto place = start.randomPlace({.radius = kRadius}, seed, scratch);
    const auto from = start.randomPlace({.radius = kRadius}, seed + 10'000, scratch);
    const auto to = start.randomPlace({.radius = kRadius}, seed + 20'000, scratch);
    if (!place || !from || !to) continue;
    PathQuery query;
    query.from = Place(from->place);
    query.to = Place(to->place);
    query.radius = kRadius;
    const Vec3 at = place->place;
    const double angle = random.real(0, 360);
#ifdef WEND_BENCH_TILE_CACHE
    detours.addAndRemove(at, angle, i >= 0);
#endif
    for (Ours& one : ours) one.addAndRemove(at, angle, query, i >= 0, context);
  }
#ifdef WEND_BENCH_TILE_CACHE
  detours.print(name);
#endif
  for (Ours& one : ours) one.print(name);
}

}  // namespace
}  // namespace wend

int main(int argc, char** argv) {
  // The switch that scripts/bench.sh gives to all benchmarks.
  if (argc > 1 && argv[1][0] == '-') argc = 1;
  const int edits = argc > 1 ? std::atoi(argv[1]) : 300;
  std::vector<std::string> files;
  for (int i = 2; i < argc; ++i) files.emplace_back(argv[i]);
  if (files.empty()) {
    for (const char* name : {"nav_test", "dungeon", "house"}) {
      files.push_back(fmt::format("{}/scenes/{}.obj", wend::dataFolder(), name));
    }
  }
  fmt::print(
      "scene,method,cells,edits,add_median_ms,add_p99_ms,add_worst_ms,remove_median_ms,remove_p99_ms,remove_worst_ms,"
      "first_route_ms,touched,in_place,hash\n");
  for (const std::string& file : files) {
    for (const double degrees : {0.0, wend::kTurn}) wend::run(file, degrees, edits);
  }
}
