#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <wend/navigator.h>
#include <wend/world_input.h>

#include <fmt/format.h>

#include "arguments.h"
#include "base/hash.h"
#include "base/random.h"
#include "clocks.h"
#include "detour.h"
#include "environment/turned.h"

// Times of single path queries on real scenes, floor plans and maps, by generator and radius, beside Detour.
//   bench_queries [FILE...] [--generators a,b] [--queries N] [--radii 0,0.3] [--turn DEGREES]
// Prints CSV: mean, median, 99th percentile and worst of the processor time per query, microseconds. Each query is
// answered three times after the tables are filled, and its least time counts. The hash is that of all lengths, rounded
// to a micrometre. Detour's bar is that of the same queries; its mesh is approximate, and eroded by the radius.
namespace wend {
namespace {

constexpr int kRepeats = 3;

struct Options {
  std::vector<std::string> files;
  std::vector<std::string> generators{"delaunay", "lct", "hertel-mehlhorn", "neogen", "trapezoid", "ecm"};
  std::vector<double> radii{0, 0.3};
  size_t queries = 2000;
  double turn = 0;  // degrees, of every world
};

// Uniform over the area: a cell by its area, then a triangle of its fan, then a point in it.
class RandomPlaces {
 public:
  explicit RandomPlaces(const NavMesh& mesh) : mesh_(mesh), locator_(mesh) {
    double sum = 0;
    for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
      for (SideId s = mesh.firstSide(cell) + 1; s + 1 < mesh.endSide(cell); ++s) {
        const Vec2 a = corner(mesh.firstSide(cell));
        const Vec2 b = corner(s);
        const Vec2 c = corner(s + 1);
        sum += 0.5 * ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
        sums_.push_back(sum);
        fans_.push_back({cell, s});
      }
    }
  }
  Vec3 draw(Random& random) const {
    const auto at = std::upper_bound(sums_.begin(), sums_.end() - 1, random.real() * sums_.back()) - sums_.begin();
    const auto [cell, side] = fans_[static_cast<size_t>(at)];
    double u = random.real();
    double v = random.real();
    if (u + v > 1) u = 1 - u, v = 1 - v;
    const Vec2 a = corner(mesh_.firstSide(cell));
    const Vec2 b = corner(side);
    const Vec2 c = corner(side + 1);
    const Vec2 p{a.x + u * (b.x - a.x) + v * (c.x - a.x), a.y + u * (b.y - a.y) + v * (c.y - a.y)};
    const Vec2 metres = mesh_.lattice().toMetres(p);
    return {metres.x, metres.y, locator_.height(metres, mesh_.layerOf(cell))};
  }

 private:
  Vec2 corner(SideId side) const { return mesh_.vertex(mesh_.startVertex(side)); }
  const NavMesh& mesh_;
  Locator locator_;
  std::vector<double> sums_;
  std::vector<std::pair<CellId, SideId>> fans_;
};

struct Times {
  std::vector<double> microseconds;
  size_t found = 0;
  double length = 0;
  Hash hash;
  void print(const std::string& world, const std::string& method, size_t cells, double radius) {
    std::sort(microseconds.begin(), microseconds.end());
    const size_t n = microseconds.size();
    if (n == 0) return;
    double sum = 0;
    for (const double t : microseconds) sum += t;
    fmt::print("{},{},{},{},{},{},{:.2f},{:.2f},{:.2f},{:.2f},{:.4f},{:016x}\n", world, method, cells, radius, n, found,
               sum / static_cast<double>(n), microseconds[n / 2], microseconds[n - 1 - n / 100], microseconds.back(),
               length, hash.value());
    std::fflush(stdout);
  }
};

double timeOf(const auto& work) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kRepeats; ++i) {
    const double begin = threadSeconds();
    work();
    least = std::min(least, threadSeconds() - begin);
  }
  return least * 1e6;
}

void measure(const std::string& name, const Navigator& navigator, const std::string& generator, double radius,
             const std::vector<PathQuery>& queries) {
  PlanScratch scratch;
  Route route;
  Times times;
  for (PathQuery query : queries) {  // fills the tables
    query.radius = radius;
    navigator.plan(query, scratch, route);
  }
  for (PathQuery query : queries) {
    query.radius = radius;
    const PathStatus status = navigator.plan(query, scratch, route);
    times.hash.add(static_cast<uint64_t>(status));
    // Places off an approximate mesh or too near to a wall are not path queries.
    if (status != PathStatus::kFound && status != PathStatus::kUnreachable) continue;
    times.microseconds.push_back(timeOf([&] { navigator.plan(query, scratch, route); }));
    times.found += status == PathStatus::kFound ? 1 : 0;
    times.length += route.length;
    times.hash.add(static_cast<int64_t>(std::llround(route.length * 1e6)));
  }
  times.print(name, generator, navigator.mesh().cellCount(), radius);
}

#ifdef WEND_BENCH_DETOUR
void measureDetour(const std::string& name, const Environment& environment, double radius,
                   const std::vector<PathQuery>& queries) {
  const std::unique_ptr<DetourMesh> mesh = DetourMesh::make(environment, radius);
  if (mesh == nullptr) return;
  Times times;
  for (const PathQuery& query : queries) {
    double length = -1;
    const double time = timeOf([&] { length = mesh->plan(query.from, query.to); });
    times.microseconds.push_back(time);
    if (length < 0) continue;
    ++times.found;
    times.length += length;
  }
  times.print(name, "detour", mesh->polygons(), radius);
}
#endif

int run(const Options& options) {
  fmt::print("world,method,cells,radius,queries,found,mean_us,median_us,p99_us,worst_us,length_m,hash\n");
  for (const std::string& file : options.files) {
    std::string name = std::filesystem::path(file).stem().string();
    const Result<EnvironmentReading> reading = readAnyEnvironment(file);
    if (!reading.ok()) {
      fmt::print(stderr, "{}\n", reading.error().message);
      continue;
    }
    const Environment environment =
        options.turn == 0 ? reading->environment : turned(reading->environment, options.turn);
    if (options.turn != 0) name += fmt::format("+{}", options.turn);
    std::vector<PathQuery> queries;
    for (const std::string& generator : options.generators) {
      const Result<NavMesh> mesh = generate(environment, {.generator = generator});
      if (!mesh.ok()) {
        fmt::print(stderr, "{}, {}: {}\n", name, generator, mesh.error().message);
        continue;
      }
      if (queries.empty()) {
        const RandomPlaces places(*mesh);
        Random random(1);
        while (queries.size() < options.queries) {
          PathQuery query;
          query.from = Place(places.draw(random));
          query.to = Place(places.draw(random));
          queries.push_back(query);
        }
      }
      const Result<World> world = World::of(environment, *mesh);
      if (!world.ok()) continue;
      const Navigator navigator = makeNavigator(*world);
      for (const double radius : options.radii) measure(name, navigator, generator, radius, queries);
    }
#ifdef WEND_BENCH_DETOUR
    for (const double radius : options.radii) measureDetour(name, environment, radius, queries);
#endif
  }
  return 0;
}

}  // namespace
}  // namespace wend

int main(int argc, char** argv) {
  wend::Options options;
  options.files = wend::readArguments({argv, static_cast<size_t>(argc)}, [&](const auto& name, const auto& value) {
    if (name == "--generators") options.generators = wend::splitAt(value, ',');
    if (name == "--queries") options.queries = static_cast<size_t>(std::atol(value.c_str()));
    if (name == "--turn") options.turn = std::atof(value.c_str());
    if (name == "--radii") {
      options.radii.clear();
      for (const std::string& r : wend::splitAt(value, ',')) options.radii.push_back(std::atof(r.c_str()));
    }
  });
  if (options.files.empty()) {
    const std::string data = wend::dataFolder();
    for (const char* file :
         {"scenes/dungeon.obj", "scenes/house.obj", "scenes/nav_test.obj", "floorplans/aknz_evac.wkt",
          "floorplans/SiB2023_entrance_jupedsim.wkt", "maps/arena.map", "maps/den401d.map"}) {
      if (std::filesystem::exists(data + "/" + file)) options.files.push_back(data + "/" + file);
    }
  }
  return wend::run(options);
}
