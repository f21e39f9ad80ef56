#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <wend/generate.h>
#include <wend/make.h>
#include <wend/navigator.h>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/random.h"
#include "clocks.h"
#include "geometry/area.h"
#include "planning/corridor/corridor_navigator.h"

// Queries on the Explicit Corridor Map, in the setting of the papers: random pairs of free points, preferred clearance
// 0.5 m.
//   bench_corridor [QUERIES, 2000 unless given]
// Prints CSV: world, operation, median (wall) and mean (CPU) microseconds, answers found, hash of all answers. The hash
// must not depend on the machine. Operations: path (A* on the axis and its corridor), route (path and the route in it),
// view (visibility polygon), again (that of the first place, 2,000 times: what is left without the memory's share),
// reach (largest radius), nearest (nearest obstacle).
namespace wend {
namespace {

struct World {
  std::string kind;
  std::vector<std::pair<std::string, double>> parameters;
};

class Timer {
 public:
  void start() { begin_ = wallSeconds(); }
  void stop() { times_.push_back(1e6 * (wallSeconds() - begin_)); }
  double median() {
    const auto middle = times_.begin() + static_cast<std::ptrdiff_t>(times_.size() / 2);
    std::nth_element(times_.begin(), middle, times_.end());
    return *middle;
  }

 private:
  double begin_ = 0;
  std::vector<double> times_;
};

// In the bounding box of a layer chosen by its area, repeated until it is on the mesh.
Vec3 randomPlace(const Environment& environment, const NavMesh& mesh, const Locator& locator, Random& random) {
  std::vector<double> areas;
  double sum = 0;
  for (const Layer& layer : environment.layers) areas.push_back(sum += static_cast<double>(doubledArea(layer.free)));
  while (true) {
    const double at = random.real() * sum;
    const auto layer = static_cast<LayerId>(std::upper_bound(areas.begin(), areas.end() - 1, at) - areas.begin());
    const Box box = boundingBox(environment.layers[layer].free);
    if (box.empty()) continue;
    const Vec2 units{random.real(box.min.x, box.max.x), random.real(box.min.y, box.max.y)};
    const Vec2 p = mesh.lattice().toMetres(units);
    if (locator.locate(p, layer) != kNone) return {p.x, p.y, locator.height(p, layer)};
  }
}

template <typename Ask>
void measure(const std::string& world, const char* operation, const std::vector<PathQuery>& queries, Ask&& ask) {
  for (const PathQuery& query : queries) {
    Hash warm;
    ask(query, warm);
  }
  Timer timer;
  Hash hash;
  size_t found = 0;
  // Of the whole run: asking before and after each query would cost as much as the cheap ones.
  const double start = cpuSeconds();
  for (const PathQuery& query : queries) {
    timer.start();
    const bool answered = ask(query, hash);
    timer.stop();
    found += answered ? 1 : 0;
  }
  const double mean = 1e6 * (cpuSeconds() - start) / static_cast<double>(queries.size());
  fmt::print("{},{},{:.2f},{:.2f},{},{:016x}\n", world, operation, timer.median(), mean, found, hash.value());
  std::fflush(stdout);
}

int run(size_t count) {
  std::vector<World> worlds;
  for (const char* kind : {"military", "city"}) worlds.push_back({kind, {{"edition", 2}}});
  for (const double size : {1, 2, 4, 8}) worlds.push_back({"zelda", {{"edition", 2}, {"tiles", size}}});
  for (const char* kind : {"station", "tower"}) worlds.push_back({kind, {}});
  fmt::print("world,operation,median_us,mean_cpu_us,found,hash\n");
  for (const World& world : worlds) {
    MakeSettings make;
    make.kind = world.kind;
    make.parameters = world.parameters;
    const Result<Environment> environment = makeEnvironment(make);
    if (!environment.ok()) {
      fmt::print(stderr, "{}: {}\n", world.kind, environment.error().message);
      continue;
    }
    GenerateSettings settings;
    settings.generator = "ecm";
    const Result<NavMesh> mesh = generate(*environment, settings);
    if (!mesh.ok()) {
      fmt::print(stderr, "{}: {}\n", world.kind, mesh.error().message);
      continue;
    }
    const auto navigator = CorridorNavigator::make(*mesh);
    if (!navigator.ok()) {
      fmt::print(stderr, "{}: {}\n", world.kind, navigator.error().message);
      continue;
    }
    const Locator locator(*mesh);
    Random random(1);
    std::vector<PathQuery> queries(count);
    for (PathQuery& query : queries) {
      query.from = randomPlace(*environment, *mesh, locator, random);
      query.to = randomPlace(*environment, *mesh, locator, random);
      query.clearance = 0.5;
    }
    std::string name = world.kind;
    for (const auto& [key, value] : world.parameters) {
      if (key == "tiles") name += fmt::format("{0:g}x{0:g}", value);
    }
    PlanScratch scratch;
    Route route;
    Corridor corridor;
    VisibilityPolygon polygon;
    const CorridorNavigator& ecm = **navigator;
    measure(name, "path", queries, [&](const PathQuery& query, Hash& hash) {
      const PathStatus status = ecm.corridor(query, scratch, corridor);
      hash.add(corridor.length);
      return status == PathStatus::kFound;
    });
    measure(name, "route", queries, [&](const PathQuery& query, Hash& hash) {
      const PathStatus status = ecm.plan(query, scratch, route);
      hash.add(route.length);
      return status == PathStatus::kFound;
    });
    const auto view = [&](const PathQuery& query, Hash& hash) {
      const bool seen = ecm.visibility(query.from, 0, scratch, polygon);
      hash.add(polygon.points.size());
      return seen;
    };
    measure(name, "view", queries, view);
    measure(name, "again", std::vector<PathQuery>(queries.size(), queries.front()), view);
    measure(name, "reach", queries, [&](const PathQuery& query, Hash& hash) {
      const double radius = ecm.largestRadius(query, scratch);
      hash.add(radius);
      return radius >= 0;
    });
    measure(name, "nearest", queries, [&](const PathQuery& query, Hash& hash) {
      const auto nearest = ecm.nearestObstacle(query.from, scratch);
      hash.add(nearest ? nearest->distance : -1.0);
      return nearest.has_value();
    });
  }
  return 0;
}

}  // namespace
}  // namespace wend

int main(int argc, char** argv) {
  const long count = argc > 1 ? std::atol(argv[1]) : 0;
  return wend::run(count > 0 ? static_cast<size_t>(count) : 2000);
}
