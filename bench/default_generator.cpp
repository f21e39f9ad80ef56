#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include <wend/extract.h>
#include <wend/make.h>
#include <wend/navigator.h>
#include <wend/world_input.h>

#include <fmt/format.h>

#include "arguments.h"
#include "base/hash.h"
#include "base/random.h"
#include "clocks.h"

// Which generator should be the default? The one whose mesh answers best for a radius: the same random pairs on the
// same worlds, made and real, the scenes turned by an odd angle. Processor time per query, one thread.
//   bench_default_generator > default_generator.csv
// `hash` covers the lengths of all routes; it must not depend on the machine.
namespace wend {
namespace {

constexpr double kRadius = 0.3;
constexpr int kPairs = 400;

// About the z axis, so that no wall stays parallel to an axis.
Scene turned(Scene scene, double degrees) {
  const double angle = degrees * 3.14159265358979323846 / 180;
  for (Vec3& v : scene.vertices) {
    v = {v.x * std::cos(angle) - v.y * std::sin(angle), v.x * std::sin(angle) + v.y * std::cos(angle), v.z};
  }
  return scene;
}

struct Case {
  std::string name;
  Environment environment;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* kind : {"city", "station", "university", "zelda", "maze"}) {
    MakeSettings make;
    make.kind = kind;
    Result<Environment> made = makeEnvironment(make);
    if (made.ok()) all.push_back({kind, *std::move(made)});
  }
  for (const char* file : {"dungeon.obj", "nav_test.obj", "house.obj"}) {
    Result<Scene> scene = readScene(dataFolder() + "/scenes/" + file);
    if (!scene.ok()) continue;
    Result<Extraction> found = extract(turned(*std::move(scene), 17), {});
    if (found.ok()) all.push_back({std::string(file) + " at 17 degrees", std::move(found->environment)});
  }
  for (const char* file : {"SiB2023_entrance_jupedsim.wkt", "aknz_evac.wkt"}) {
    Result<Environment> plan = readEnvironment(dataFolder() + "/floorplans/" + file);
    if (plan.ok()) all.push_back({file, *std::move(plan)});
  }
  return all;
}

// Pairs of places on cells of the mesh that is asked first; the same for all generators.
std::vector<PathQuery> pairsOf(const World& world, double radius) {
  const NavMesh& mesh = world.mesh();
  const Navigator navigator = makeNavigator(world);
  PlanScratch scratch;
  Random random(7);
  const auto place = [&]() -> Place {
    for (int tries = 0; tries < 1000; ++tries) {
      const auto cell = static_cast<CellId>(random.below(mesh.cellCount()));
      Vec3 sum;
      double weights = 0;
      for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
        const Vec3 p = mesh.position(mesh.startVertex(s));
        const double w = random.real();
        sum = {sum.x + w * p.x, sum.y + w * p.y, sum.z + w * p.z};
        weights += w;
      }
      const Place p{sum.x / weights, sum.y / weights, sum.z / weights};
      const auto wall = navigator.nearestObstacle(p, scratch);
      if (wall && wall->distance > radius) return p;
    }
    return {};
  };
  std::vector<PathQuery> pairs;
  for (int i = 0; i < kPairs; ++i) {
    PathQuery query;
    query.from = place();
    query.to = place();
    query.radius = radius;
    pairs.push_back(query);
  }
  return pairs;
}

struct Figures {
  size_t found = 0;
  double median = 0, mean = 0, p99 = 0, worst = 0;  // microseconds
  double length = 0;                                // metres in all
  uint64_t hash = 0;
};

Figures ask(const Navigator& navigator, const std::vector<PathQuery>& pairs) {
  Figures figures;
  PlanScratch scratch;
  Route route;
  std::vector<double> times;
  Hash hash;
  for (const PathQuery& query : pairs) navigator.plan(query, scratch, route);  // warms the scratch
  for (const PathQuery& query : pairs) {
    const double start = threadSeconds();
    const PathStatus status = navigator.plan(query, scratch, route);
    times.push_back(1e6 * (threadSeconds() - start));
    hash.add(status);
    if (status != PathStatus::kFound) continue;
    ++figures.found;
    figures.length += route.length;
    hash.add(route.length);
  }
  std::sort(times.begin(), times.end());
  for (const double t : times) figures.mean += t / static_cast<double>(times.size());
  figures.median = times[times.size() / 2];
  figures.p99 = times[times.size() * 99 / 100];
  figures.worst = times.back();
  figures.hash = hash.value();
  return figures;
}

void run() {
  fmt::print("world,generator,cells,bake_ms,radius,found,median_us,mean_us,p99_us,worst_us,length_m,hash\n");
  for (const Case& c : cases()) {
    std::vector<PathQuery> pairs;
    for (const char* generator : {"delaunay", "hertel-mehlhorn", "neogen", "lct", "trapezoid", "ecm"}) {
      const double start = threadSeconds();
      Context serial;
      serial.threads = 1;
      const Result<World> world = bake(c.environment, {.generator = generator}, serial);
      const double milliseconds = 1e3 * (threadSeconds() - start);
      if (!world.ok()) {
        fmt::print("{},{},failed: {}\n", c.name, generator, world.error().message);
        continue;
      }
      if (pairs.empty()) pairs = pairsOf(*world, kRadius);
      const Navigator navigator = makeNavigator(*world);
      for (const double radius : {0.0, kRadius}) {
        for (PathQuery& query : pairs) query.radius = radius;
        const Figures f = ask(navigator, pairs);
        fmt::print("{},{},{},{:.2f},{},{},{:.1f},{:.1f},{:.1f},{:.1f},{:.2f},{:016x}\n", c.name, generator,
                   world->mesh().cellCount(), milliseconds, radius, f.found, f.median, f.mean, f.p99, f.worst, f.length,
                   f.hash);
      }
    }
  }
}

}  // namespace
}  // namespace wend

int main() {
  wend::run();
}
