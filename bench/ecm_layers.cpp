#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <wend/corridor_map.h>
#include <wend/environment.h>
#include <wend/make.h>

#include <boost/polygon/voronoi_builder.hpp>
#include <boost/polygon/voronoi_diagram.hpp>
#include <fmt/format.h>

#include "clocks.h"
#include "environment/boundary.h"
#include "generators/ecm/diagram.h"
#include "generators/ecm/medial_axis.h"
#include "generators/ecm/open_connections.h"

// The multi-layered Explicit Corridor Map: one thread against two, and against the bare Voronoi diagrams of the layers.
//   bench_ecm_layers [ROUNDS [big-city]]   (CSV on standard output; big-city: its four tiles alone)
// The smallest time of each kind over the rounds counts. Times with one thread are CPU time: layers (a diagram of each,
// in parallel), opening (of the connections, one after the other), map. `speedup` is wall time and means something only
// while two cores are free; `parallel` is the share of the CPU time spent in loops that run in parallel, and `amdahl`
// the speed-up that it allows two cores. The hash must be the same for one thread and two, and on every machine.
namespace wend::ecm {
namespace {

struct Span {
  double wall = 0;
  double cpu = 0;
};

Span seconds(const auto& work) {
  const double wall = wallSeconds();
  const double cpu = cpuSeconds();
  work();
  return {wallSeconds() - wall, cpuSeconds() - cpu};
}

struct Times {
  double layers = 1e300;   // CPU
  double opening = 1e300;  // CPU
  double map = 1e300;      // CPU
  double cpu = 1e300;
  double wall = 1e300;
};

struct Outcome {
  CorridorMap map;
  OpeningStats stats;
};

Outcome build(const Environment& environment, const OpeningSettings& settings, int threads, Times& best) {
  Context context;
  context.threads = threads;
  Outcome outcome;
  const auto least = [](double& time, double found) { time = std::min(time, found); };
  const auto stop = [](const Error& error) {
    fmt::print(stderr, "{}\n", error.message);
    std::exit(1);
  };
  const Span whole = seconds([&] {
    Result<Diagram> diagram = Error{};
    least(best.layers, seconds([&] { diagram = buildDiagram(environment, context); }).cpu);
    if (!diagram.ok()) stop(diagram.error());
    least(best.opening, seconds([&] {
                          const Result<OpeningStats> stats = openConnections(*diagram, environment, settings, context);
                          if (!stats.ok()) stop(stats.error());
                          outcome.stats = *stats;
                        }).cpu);
    least(best.map, seconds([&] { outcome.map = makeCorridorMap(*diagram, environment.lattice, context); }).cpu);
  });
  least(best.cpu, whole.cpu);
  least(best.wall, whole.wall);
  return outcome;
}

// Boost.Polygon alone, without our checks. CPU time.
double bareVoronoi(const Environment& environment) {
  double sum = 0;
  for (const Layer& layer : environment.layers) {
    const Boundary boundary({&layer, 1}, {});
    sum += seconds([&] {
             boost::polygon::default_voronoi_builder builder;
             for (uint32_t e = 0; e < boundary.edgeCount(); ++e) {
               builder.insert_segment(boundary.start(e).x, boundary.start(e).y, boundary.end(e).x, boundary.end(e).y);
             }
             boost::polygon::voronoi_diagram<double> diagram;
             builder.construct(&diagram);
             if (diagram.num_edges() == 0) std::exit(1);
           }).cpu;
  }
  return sum;
}

// What runs in parallel: the diagrams of the layers, alone.
double parallelSeconds(const Environment& environment) {
  Context context;
  context.threads = 1;
  double sum = 0;
  for (const Layer& layer : environment.layers) {
    Environment alone;
    alone.layers.push_back(layer);
    sum += seconds([&] {
             if (!buildDiagram(alone, context).ok()) std::exit(1);
           }).cpu;
  }
  return sum;
}

void run(const std::string& kind, const std::vector<std::pair<std::string, double>>& parameters,
         const OpeningSettings& settings, const char* note, int rounds) {
  const Result<Environment> world = makeEnvironment({.kind = kind, .parameters = parameters, .seed = 1, .lattice = {}});
  if (!world.ok()) {
    fmt::print(stderr, "{}\n", world.error().message);
    std::exit(1);
  }
  Times one;
  Times two;
  double bare = 1e300;
  double parallel = 1e300;
  Outcome outcome;
  for (int round = 0; round < rounds; ++round) {
    outcome = build(*world, settings, 1, one);
    if (hash(build(*world, settings, 2, two).map) != hash(outcome.map)) {
      fmt::print(stderr, "{}: two threads give another map than one\n", kind);
      std::exit(1);
    }
    bare = std::min(bare, bareVoronoi(*world));
    parallel = std::min(parallel, parallelSeconds(*world));
  }
  const double share = std::min(1.0, parallel / one.cpu);
  fmt::print(
      "{},{},{},{},{},{},{},{},{},{},{},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{:.3f},{:.3f},{:016x}"
      "\n",
      kind, note, vertexCount(*world), world->layers.size(), world->connections.size(), outcome.map.vertices.size(),
      outcome.map.edges.size(), outcome.map.bendingPoints.size(), outcome.stats.simple, outcome.stats.swept,
      outcome.stats.neighbours, 1e3 * one.layers, 1e3 * one.opening, 1e3 * one.map, 1e3 * one.cpu, 1e3 * bare,
      one.cpu / bare, one.wall / two.wall, two.cpu / one.cpu, share, 1 / (1 - share / 2), hash(outcome.map));
  std::fflush(stdout);
}

}  // namespace
}  // namespace wend::ecm

int main(int argc, char** argv) {
  using namespace wend::ecm;
  const int given = argc > 1 ? std::atoi(argv[1]) : 0;
  const int rounds = given > 0 ? given : 3;
  fmt::print(
      "world,note,n,layers,connections,V,E,BP,simple,swept,neighbours,layers_ms,opening_ms,map_ms,cpu_ms,voronoi_ms,"
      "cpu_per_voronoi,speedup,cpu_two_per_one,parallel,amdahl,hash\n");
  const std::string only = argc > 2 ? argv[2] : "";
  if (only.empty()) {
    for (const char* kind : {"ramps", "library", "station", "tower", "stadium"}) run(kind, {}, {}, "safe", rounds);
    run("big-city", {{"tiles", 1}}, {}, "safe", rounds);
  }
  run("big-city", {{"tiles", 2}}, {}, "safe", rounds);
  if (only == "big-city") return 0;
  run("big-city", {{"tiles", 2}}, {.method = OpeningMethod::kSweep}, "sweep", rounds);
  for (const double slices : {10, 40, 160}) {
    run("sliced-ramp", {{"slices", slices}, {"obstacles", 400}}, {}, "easiest first", rounds);
    run("sliced-ramp", {{"slices", slices}, {"obstacles", 400}}, {.order = OpeningOrder::kGiven}, "bottom up", rounds);
  }
  return 0;
}
