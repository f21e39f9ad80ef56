#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include <wend/corridor_map.h>
#include <wend/environment.h>
#include <wend/make.h>

#include <boost/polygon/voronoi_builder.hpp>
#include <boost/polygon/voronoi_diagram.hpp>
#include <fmt/format.h>

#include "environment/boundary.h"
#include "generators/ecm/diagram.h"
#include "generators/ecm/make_map.h"
#include "generators/ecm/open_connections.h"

// The multi-layered Explicit Corridor Map: one thread against two, and against the bare Voronoi diagrams of the layers.
// Ratios are measured side by side; the smallest time of each over the rounds counts.
namespace wend::ecm {
namespace {

double seconds(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Times {
  double layers = 1e300;
  double opening = 1e300;
  double map = 1e300;
  double whole = 1e300;
};

struct Outcome {
  CorridorMap map;
  OpeningStats stats;
};

Outcome build(const Environment& environment, const OpeningSettings& settings, int threads, Times& best) {
  Context context;
  context.threads = threads;
  Outcome outcome;
  Times now;
  now.whole = seconds([&] {
    Result<Diagram> diagram = Error{};
    now.layers = seconds([&] { diagram = buildDiagram(environment, context); });
    if (!diagram.ok()) {
      fmt::print(stderr, "{}\n", diagram.error().message);
      std::exit(1);
    }
    now.opening = seconds([&] {
      const Result<OpeningStats> stats = openConnections(*diagram, environment, settings, context);
      if (!stats.ok()) {
        fmt::print(stderr, "{}\n", stats.error().message);
        std::exit(1);
      }
      outcome.stats = *stats;
    });
    now.map = seconds([&] { outcome.map = makeCorridorMap(*diagram, environment.lattice); });
  });
  best.layers = std::min(best.layers, now.layers);
  best.opening = std::min(best.opening, now.opening);
  best.map = std::min(best.map, now.map);
  best.whole = std::min(best.whole, now.whole);
  return outcome;
}

// Boost.Polygon alone, without our checks.
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
    });
  }
  return sum;
}

void run(const std::string& kind, const std::vector<std::pair<std::string, double>>& parameters,
         const OpeningSettings& settings, const char* note, int rounds) {
  const Result<Environment> world = makeWorld({.kind = kind, .parameters = parameters, .seed = 1, .lattice = {}});
  if (!world.ok()) {
    fmt::print(stderr, "{}\n", world.error().message);
    std::exit(1);
  }
  Times one;
  Times two;
  double bare = 1e300;
  Outcome outcome;
  for (int round = 0; round < rounds; ++round) {
    outcome = build(*world, settings, 1, one);
    build(*world, settings, 2, two);
    bare = std::min(bare, bareVoronoi(*world));
  }
  fmt::print("{},{},{},{},{},{},{},{},{},{},{},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{:.3f},{:.3f},{:016x}\n", kind,
             note, vertexCount(*world), world->layers.size(), world->connections.size(), outcome.map.vertices.size(),
             outcome.map.edges.size(), outcome.map.bendingPoints.size(), outcome.stats.simple, outcome.stats.swept,
             outcome.stats.neighbours, one.layers, one.opening, one.map, one.whole, two.whole, bare,
             one.whole / two.whole, one.whole / bare, hash(outcome.map));
}

}  // namespace
}  // namespace wend::ecm

int main(int argc, char** argv) {
  using namespace wend::ecm;
  const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 3;
  fmt::print(
      "world,note,n,layers,connections,V,E,BP,simple,swept,neighbours,layers_s,opening_s,map_s,one_thread_s,"
      "two_threads_s,voronoi_s,speedup,over_voronoi,hash\n");
  for (const char* kind : {"ramps", "library", "station", "tower", "stadium"}) run(kind, {}, {}, "safe", rounds);
  run("big-city", {{"tiles", 1}}, {}, "safe", rounds);
  run("big-city", {{"tiles", 2}}, {}, "safe", rounds);
  run("big-city", {{"tiles", 2}}, {.method = OpeningMethod::kSweep}, "sweep", rounds);
  for (const double slices : {10, 40, 160}) {
    run("sliced-ramp", {{"slices", slices}, {"obstacles", 400}}, {}, "easiest first", rounds);
    run("sliced-ramp", {{"slices", slices}, {"obstacles", 400}}, {.order = OpeningOrder::kGiven}, "bottom up", rounds);
  }
  return 0;
}
