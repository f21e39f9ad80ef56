#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <wend/generate.h>
#include <wend/make.h>
#include <wend/metrics.h>
#include <wend/navigation_graph.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/random.h"
#include "clocks.h"
#include "generators/pasfv/pasfv.h"
#include "generators/wavefront/wavefront.h"

// Growth of meshes: time beside the trapezoids of the same world, cells, and collision tests.
//   bench_growth            CSV: kind, vertices, generator, processor seconds, ratio to trapezoid, cells, hash
//   bench_growth --tests    CSV: steps and tests of events against whole steps, by step size
//   bench_growth --tables   CSV: the tables of Hale's sections on the five bodies and on paths, on made worlds
//   bench_growth --city     CSV: a city of 4 km2 with the dynamic rate down to 1 mm
namespace wend {
namespace {

constexpr int kRepeats = 3;  // the least time counts

Environment made(const std::string& kind, std::vector<std::pair<std::string, double>> parameters) {
  auto world = makeEnvironment({kind, std::move(parameters), 1, {}});
  if (!world.ok()) {
    fmt::print(stderr, "{}\n", world.error().message);
    std::exit(1);
  }
  return *world;
}

struct Timing {
  double seconds = HUGE_VAL;
  uint32_t cells = 0;
  uint64_t hash = 0;
};

Timing timed(const Environment& world, const std::string& generator, int repeats) {
  Timing timing;
  Context context;
  context.threads = 1;
  for (int i = 0; i < repeats; ++i) {
    timing.seconds = std::min(timing.seconds, cpuSecondsOf([&] {
                                const auto mesh = generate(world, {.generator = generator}, context);
                                if (!mesh.ok()) return;
                                timing.cells = mesh->cellCount();
                                timing.hash = hash(*mesh);
                              }));
  }
  return timing;
}

void printTimes() {
  fmt::print("kind,vertices,generator,cpu_seconds,per_trapezoid,cells,hash\n");
  const std::vector<std::pair<std::string, std::vector<std::pair<std::string, double>>>> worlds{
      {"random-boxes", {{"boxes", 750}}},          {"random", {{"vertices", 3000}}},
      {"bodies", {{"bodies", 800}, {"turn", 17}}}, {"city", {}},
      {"random-boxes", {{"boxes", 2500}}},         {"random", {{"vertices", 10000}}},
      {"random-boxes", {{"boxes", 25000}}},        {"random", {{"vertices", 100000}}}};
  for (const auto& [kind, parameters] : worlds) {
    const Environment world = made(kind, parameters);
    const int repeats = vertexCount(world) > 20000 ? 1 : kRepeats;
    const Timing base = timed(world, "trapezoid", repeats);
    for (const std::string generator : {"trapezoid", "pasfv", "wavefront"}) {
      const Timing timing = generator == "trapezoid" ? base : timed(world, generator, repeats);
      fmt::print("{},{},{},{:.4f},{:.2f},{},{:016x}\n", kind, vertexCount(world), generator, timing.seconds,
                 timing.seconds / base.seconds, timing.cells, timing.hash);
    }
  }
}

void printTests() {
  fmt::print("step_m,walk_steps,walk_tests,event_steps,event_tests,classified,ratio_steps,ratio_tests\n");
  const Environment world = made("bodies", {{"turn", 17}});
  wavefront::Report events;
  if (!wavefront::generate(world, {}, {}, &events).ok()) return;
  for (const double step : {10.0, 1.0, 0.1, 0.01}) {
    pasfv::Settings settings;
    settings.growth = pasfv::Growth::kSteps;
    settings.step = step;
    pasfv::Report walk;
    if (!pasfv::generate(world, settings, {}, &walk).ok()) return;
    fmt::print("{},{},{},{},{},{},{:.1f},{:.1f}\n", step, walk.steps, walk.tests, events.steps, events.tests,
               events.classified, static_cast<double>(walk.steps) / static_cast<double>(events.steps),
               static_cast<double>(walk.tests) / static_cast<double>(events.tests));
  }
}

// 2 km by 2 km.
Environment largeCity(int bodies) {
  Environment world = made("bodies", {{"bodies", bodies}, {"turn", 17}});
  for (Polygon& polygon : world.layers[0].free) {
    const auto twice = [](Ring& ring) {
      for (Point& p : ring) p = {2 * p.x, 2 * p.y};
    };
    twice(polygon.outer);
    for (Ring& ring : polygon.holes) twice(ring);
  }
  world.truth.reset();
  return world;
}

void printCity() {
  fmt::print("bodies,vertices,world_km2,free_km2,rate_m,resolution_m,cpu_seconds,cells,coverage\n");
  for (const int bodies : {400, 1600}) {
    const Environment world = largeCity(bodies);
    pasfv::Settings settings;
    settings.growth = pasfv::Growth::kSteps;
    settings.step = 8.192;
    settings.resolution = 0.001;
    uint32_t cells = 0;
    double covered = 0;
    const double seconds = cpuSecondsOf([&] {
      const auto mesh = pasfv::generate(world, settings);
      if (!mesh.ok()) return;
      cells = mesh->cellCount();
      covered = world.lattice.area(topology(*mesh).doubledArea);
    });
    const double area = world.lattice.area(topology(world).doubledArea);
    fmt::print("{},{},4.00,{:.2f},{},{},{:.3f},{},{:.6f}\n", bodies, vertexCount(world), area / 1e6, settings.step,
               settings.resolution, seconds, cells, covered / area);
  }
}

// Means of one metric table over several worlds.
void printBodies() {
  fmt::print(
      "aligned,generator,regions,coverage,area,degree,homogeneity,others_per_vertex,angle,inverse_efficiency,"
      "diameter,order,near_degenerate\n");
  constexpr int kWorlds = 10;
  for (const double aligned : {0.0, 3.0}) {
    for (const std::string name : {"delaunay", "hertel-mehlhorn", "trapezoid", "pasfv", "wavefront", "best of 8"}) {
      std::array<double, 11> sum{};
      for (uint64_t seed = 1; seed <= kWorlds; ++seed) {
        const auto world = makeEnvironment({"bodies", {{"aligned", aligned}}, seed, {}});
        GenerateSettings settings{.generator = name == "best of 8" ? "pasfv" : name, .seed = seed};
        if (name == "best of 8") settings.options = {{"tries", "8"}};
        const auto mesh = generate(*world, settings);
        if (!mesh.ok()) return;
        const auto m = measureMesh(*mesh, *world);
        if (!m.ok()) return;
        const std::array<double, 11> row{static_cast<double>(mesh->cellCount()),
                                         m->coverage.coveredShare(),
                                         m->shape.area.mean,
                                         m->shape.degree.mean,
                                         m->shape.homogeneity.mean,
                                         m->shape.commonVertices.mean - 1,
                                         m->shape.minimumAngle.mean,
                                         1 / m->shape.efficiency,
                                         static_cast<double>(m->graph.diameterAtLeast),
                                         m->shape.order.mean,
                                         static_cast<double>(m->shape.nearDegenerate)};
        for (size_t i = 0; i < row.size(); ++i) sum[i] += row[i] / kWorlds;
      }
      fmt::print("{},{},{:.4g}\n", aligned, name, fmt::join(sum, ","));
    }
  }
}

// Forty ways in five worlds, between places that every mesh has.
void printPaths() {
  fmt::print("generator,metres,sharp_turns,coverage,regions\n");
  const std::vector<std::string> names{"hertel-mehlhorn", "sfv", "pasfv", "wavefront"};
  std::array<std::array<double, 4>, 4> sum{};
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const auto world = makeEnvironment({"bodies", {{"bodies", 11}, {"aligned", 6}}, seed, {}});
    std::vector<NavigationGraph> graphs;
    for (const std::string& name : names) {
      GenerateSettings settings{.generator = name};
      if (name == "sfv") settings.options = {{"pitch", "50"}};
      const auto mesh = generate(*world, settings);
      if (!mesh.ok()) return;
      const size_t i = graphs.size();
      sum[i][2] +=
          world->lattice.area(topology(*mesh).doubledArea) / world->lattice.area(world->truth->doubledArea) / 5;
      sum[i][3] += mesh->cellCount() / 5.0;
      graphs.emplace_back(*mesh);
    }
    Random random(seed);
    for (int ways = 0, tries = 0; ways < 8 && tries < 10000; ++tries) {
      PathQuery query;
      query.from = {random.real(0, 1000), random.real(0, 1000)};
      query.to = {random.real(0, 1000), random.real(0, 1000)};
      const double straight = std::hypot(query.from.x - query.to.x, query.from.y - query.to.y);
      if (straight < 600 || straight > 800) continue;
      std::array<Route, 4> routes;
      bool all = true;
      for (size_t i = 0; i < graphs.size() && all; ++i) all = graphs[i].plan(query, routes[i]) == PathStatus::kFound;
      if (!all) continue;
      ++ways;
      for (size_t i = 0; i < graphs.size(); ++i) {
        sum[i][0] += routes[i].length / 40;
        sum[i][1] += sharpTurns(routes[i]) / 40.0;
      }
    }
  }
  for (size_t i = 0; i < names.size(); ++i) fmt::print("{},{:.4g}\n", names[i], fmt::join(sum[i], ","));
}

}  // namespace
}  // namespace wend

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "--tests") == 0) {
    wend::printTests();
  } else if (argc > 1 && std::strcmp(argv[1], "--city") == 0) {
    wend::printCity();
  } else if (argc > 1 && std::strcmp(argv[1], "--tables") == 0) {
    wend::printBodies();
    wend::printPaths();
  } else {
    wend::printTimes();
  }
  return 0;
}
