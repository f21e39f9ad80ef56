#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
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
//   bench_queries [FILE...] [--generators a,b] [--queries N] [--radii 0,0.3] [--turn DEGREES] [--kinds all]
// Prints CSV: mean, median, 99th percentile and worst of the processor time per query, microseconds. Each query is
// answered three times after the tables are filled, and its least time counts. The hash is that of all lengths, rounded
// to a micrometre. Detour's bar is that of the same queries; its mesh is approximate, and eroded by the radius.
// With --kinds: every other kind of query instead, the place of every second one moved by up to 2 m so that many are
// off the mesh; the hash is that of what was found.
namespace wend {
namespace {

constexpr int kRepeats = 3;

struct Options {
  std::vector<std::string> files;
  std::vector<std::string> generators{"delaunay", "lct", "hertel-mehlhorn", "neogen", "trapezoid", "ecm"};
  std::vector<double> radii{0, 0.3};
  size_t queries = 2000;
  double turn = 0;  // degrees, of every world
  bool kinds = false;
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

void measureKinds(const std::string& name, const Navigator& navigator, const std::string& generator, double radius,
                  const std::vector<PathQuery>& queries) {
  PlanScratch scratch;
  Route route;
  std::vector<ReachedCell> cells;
  std::array<double, 16> costs{};
  std::array<Place, 16> goals;
  for (size_t i = 0; i < goals.size(); ++i) goals[i] = queries[i % queries.size()].to;
  const auto metres = [](double value) { return std::isfinite(value) ? std::llround(value * 1e6) : -1; };
  using Ask = std::function<int64_t(const PathQuery&, uint64_t)>;
  const std::vector<std::pair<const char*, Ask>> kinds{
      {"locate", [&](const PathQuery& q, uint64_t) -> int64_t { return navigator.locate(q.from); }},
      {"nearest",
       [&](const PathQuery& q, uint64_t) -> int64_t {
         const auto place = navigator.nearest(q.from, radius, 10, scratch);
         return place ? metres(place->moved) : -1;
       }},
      {"nearest-reachable",
       [&](const PathQuery& q, uint64_t) -> int64_t {
         const auto place = navigator.nearestReachable(q.from, q.to, radius, 10, scratch, 10);
         return place ? metres(place->moved) : -1;
       }},
      {"snap-partial",
       [&](const PathQuery& q, uint64_t) -> int64_t {
         const PathQuery query{.from = q.from, .to = q.to, .radius = radius, .snap = 10, .partial = true};
         return navigator.plan(query, scratch, route) == PathStatus::kFound ? metres(route.length) : -1;
       }},
      {"ray",
       [&](const PathQuery& q, uint64_t) -> int64_t {
         const auto ray = navigator.castRay(q.from, q.to.top(), radius, scratch, 10);
         return ray ? metres(ray->distance) : -1;
       }},
      {"slide",
       [&](const PathQuery& q, uint64_t) -> int64_t {
         const auto end = navigator.slide(q.from, q.to.top(), radius, scratch, 10);
         return end ? metres(end->length) : -1;
       }},
      {"wall",
       [&](const PathQuery& q, uint64_t) -> int64_t {
         const auto wall = navigator.nearestWall(q.from, 10, scratch, 10);
         return wall ? metres(wall->distance) : -1;
       }},
      {"random",
       [&](const PathQuery&, uint64_t seed) -> int64_t {
         const auto place = navigator.randomPlace({.radius = radius}, seed, scratch);
         return place ? metres(place->place.x) : -1;
       }},
      {"random-in-circle",
       [&](const PathQuery& q, uint64_t seed) -> int64_t {
         const auto place = navigator.randomPlace({.centre = q.to, .range = 5, .radius = radius}, seed, scratch);
         return place ? metres(place->place.x) : -1;
       }},
      {"random-reachable",
       [&](const PathQuery& q, uint64_t seed) -> int64_t {
         const auto place = navigator.randomPlace({.from = q.from, .radius = radius, .snap = 10}, seed, scratch);
         return place ? metres(place->place.x) : -1;
       }},
      {"within-20m",
       [&](const PathQuery& q, uint64_t) -> int64_t {
         if (radius > 0 || !navigator.within(q.from, 20, scratch, cells, 10)) return -1;
         return static_cast<int64_t>(cells.size());
       }},
      {"cost",
       [&](const PathQuery& q, uint64_t) -> int64_t {
         return metres(navigator.cost({.from = q.from, .to = q.to, .radius = radius, .snap = 10}, scratch));
       }},
      {"costs-to-16",
       [&](const PathQuery& q, uint64_t) -> int64_t {
         navigator.costs(q.from, goals, radius, scratch, costs, 10);
         return metres(costs[0]);
       }},
      {"reachable",
       [&](const PathQuery& q, uint64_t) -> int64_t {
         return static_cast<int64_t>(
             navigator.reachable({.from = q.from, .to = q.to, .radius = radius, .snap = 10}, scratch));
       }},
      {"explain", [&](const PathQuery& q, uint64_t) -> int64_t {
         return static_cast<int64_t>(navigator.explain({.from = q.from, .to = q.to, .radius = radius}, scratch).reason);
       }}};
  for (const auto& [kind, ask] : kinds) {
    if (radius > 0 && std::string(kind) == "within-20m") continue;
    Times times;
    for (uint64_t i = 0; i < queries.size(); ++i) ask(queries[i], i);  // fills the tables
    for (uint64_t i = 0; i < queries.size(); ++i) {
      int64_t answer = 0;
      times.microseconds.push_back(timeOf([&] { answer = ask(queries[i], i); }));
      times.found += answer >= 0 ? 1 : 0;
      times.hash.add(answer);
    }
    times.print(name, generator + " " + kind, navigator.mesh().cellCount(), radius);
  }
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
    std::vector<PathQuery> beside;  // the starts of every second one are moved
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
        beside = queries;
        for (size_t i = 0; i < beside.size(); i += 2) {
          beside[i].from.x += random.real(-2, 2);
          beside[i].from.y += random.real(-2, 2);
        }
      }
      const Result<World> world = World::of(environment, *mesh);
      if (!world.ok()) continue;
      const Navigator navigator = makeNavigator(*world);
      for (const double radius : options.radii) {
        if (options.kinds) {
          measureKinds(name, navigator, generator, radius, beside);
        } else {
          measure(name, navigator, generator, radius, queries);
        }
      }
    }
    if (options.kinds) continue;
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
    if (name == "--kinds") options.kinds = true;
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
