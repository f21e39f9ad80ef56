#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include <wend/game/terrain.h>
#include <wend/generate.h>
#include <wend/make.h>
#include <wend/navigation_graph.h>

#include <fmt/format.h>

#include "base/random.h"
#include "clocks.h"
#include "generators/pasfv/pasfv.h"
#include "geometry/overlay.h"

// Studies of growth beside its time: what repair saves, what steps depend on, what terrain costs.
//   bench_growth_studies --repair    CSV: one obstacle put in and taken away again, against a new mesh, by world size
//   bench_growth_studies --edges     CSV: steps by edges of obstacles, at equal free space
//   bench_growth_studies --terrain   CSV: cost of paths on meshes with and without terrain classes
namespace wend {
namespace {

constexpr int32_t kMetre = 10000;

Environment made(const std::string& kind, std::vector<std::pair<std::string, double>> parameters, uint64_t seed = 1) {
  auto world = makeEnvironment({kind, std::move(parameters), seed, {}});
  if (!world.ok()) {
    fmt::print(stderr, "{}\n", world.error().message);
    std::exit(1);
  }
  return *world;
}

Polygon box(double x0, double y0, double x1, double y1) {
  const auto at = [](double x, double y) {
    return Point{static_cast<int32_t>(std::lround(x * kMetre)), static_cast<int32_t>(std::lround(y * kMetre))};
  };
  return {{at(x0, y0), at(x1, y0), at(x1, y1), at(x0, y1)}, {}};
}

// --- Repair ----------------------------------------------------------------------------------------------------------

struct Repair {
  double seconds = 0;
  double cells = 0;  // that were made anew
  int inPlace = 0;
};

Repair timedRepair(const NavMesh& mesh, const Environment& before, const Environment& after, const Box& box,
                   const GenerateSettings& settings, NavMesh& result) {
  Context context;
  context.threads = 1;
  Repair repair;
  repair.seconds = cpuSecondsOf([&] {
    const auto update = updateMesh(mesh, before, after, {{{0, box}}}, settings, context);
    if (!update.ok()) return;
    repair.inPlace = update->inPlace ? 1 : 0;
    repair.cells = update->cellsAdded;
    result = update->mesh;
  });
  return repair;
}

void printRepair() {
  fmt::print("generator,bodies,cells,rebuild_ms,add_ms,remove_ms,add_share,remove_share,cells_made,in_place\n");
  constexpr int kEdits = 12;
  for (const std::string generator : {"pasfv", "wavefront"}) {
    const GenerateSettings settings{.generator = generator};
    for (const int bodies : {1, 2, 5, 20, 80, 320, 1280, 5120}) {
      const Environment world = made("bodies", {{"bodies", bodies}, {"turn", 17}});
      Context context;
      context.threads = 1;
      NavMesh mesh;
      double rebuild = HUGE_VAL;
      for (int i = 0; i < 3; ++i) {
        rebuild = std::min(rebuild, cpuSecondsOf([&] { mesh = *generate(world, settings, context); }));
      }
      Random random(bodies);
      double add = 0;
      double remove = 0;
      double cells = 0;
      int inPlace = 0;
      int edits = 0;
      for (int tries = 0; edits < kEdits && tries < 1000; ++tries) {
        const double size = 300.0 / std::sqrt(static_cast<double>(bodies));
        const double x = random.real(-250, 950);
        const double y = random.real(50, 1200);
        const Polygon body = box(x, y, x + 0.2 * size, y + 0.2 * size);
        const auto free = subtract(world.layers[0].free, std::vector<Polygon>{body});
        if (!free.ok()) continue;
        Environment after = world;
        after.truth.reset();
        after.layers[0].free = *free;
        if (topology(after).doubledArea == topology(world).doubledArea) continue;  // inside a body or outside
        NavMesh changed;
        NavMesh back;
        const Box area = boundingBox(std::span<const Point>(body.outer));
        const Repair in = timedRepair(mesh, world, after, area, settings, changed);
        const Repair out = timedRepair(changed, after, world, area, settings, back);
        add += in.seconds / kEdits;
        remove += out.seconds / kEdits;
        cells += in.cells / kEdits;
        inPlace += in.inPlace + out.inPlace;
        ++edits;
      }
      fmt::print("{},{},{},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{:.1f},{}/{}\n", generator, bodies, mesh.cellCount(),
                 1000 * rebuild, 1000 * add, 1000 * remove, add / rebuild, remove / rebuild, cells, inPlace, 2 * edits);
    }
  }
}

// --- Edges -----------------------------------------------------------------------------------------------------------

// Nine equal round bodies of the same area, with more and more edges, in a box of 300 m.
Environment roundBodies(int edges) {
  Environment world;
  Layer& layer = world.layers.emplace_back();
  Polygon floor = box(0, 0, 300, 300);
  const double area = 1600;
  const double radius = std::sqrt(2 * area / (edges * std::sin(2 * std::numbers::pi / edges)));
  for (int i = 0; i < 9; ++i) {
    Ring ring;
    for (int k = edges - 1; k >= 0; --k) {
      const double angle = 0.1 + 2 * std::numbers::pi * k / edges;
      ring.push_back({static_cast<int32_t>(std::lround((50 + 100 * (i % 3) + radius * std::cos(angle)) * kMetre)),
                      static_cast<int32_t>(std::lround((50 + 100 * (i / 3) + radius * std::sin(angle)) * kMetre))});
    }
    floor.holes.push_back(std::move(ring));
  }
  layer.free = {std::move(floor)};
  return world;
}

void printEdges() {
  fmt::print("edges,free_m2,rounds,steps,tests,coverage,exact_cells\n");
  for (const int edges : {4, 8, 16, 32, 64, 128}) {
    const Environment world = roundBodies(edges);
    pasfv::Settings settings;
    settings.growth = pasfv::Growth::kSteps;
    settings.turns = pasfv::Turns::kAll;
    settings.seeding = pasfv::Seeding::kPoints;  // between the bodies, and beside them
    for (int i = 0; i <= 6; ++i) {
      for (int k = 0; k <= 6; ++k) {
        if (i % 2 == 0 || k % 2 == 0) settings.points.push_back({4 + 48.6 * i, 4 + 48.6 * k});
      }
    }
    settings.reseed = false;
    settings.step = 0.25;
    pasfv::Report report;
    const auto mesh = pasfv::generate(world, settings, {}, &report);
    const auto exact = generate(world, {.generator = "pasfv"});
    if (!mesh.ok() || !exact.ok()) return;
    const double free = world.lattice.area(topology(world).doubledArea);
    fmt::print("{},{:.1f},{},{},{},{:.4f},{}\n", edges, free, report.rounds, report.steps, report.tests,
               world.lattice.area(topology(*mesh).doubledArea) / free, exact->cellCount());
  }
}

// --- Terrain ---------------------------------------------------------------------------------------------------------

// Bodies on grass, with a net of roads between them.
Environment country(uint64_t seed) {
  Environment world = made("bodies", {{"bodies", 24}, {"aligned", 12}}, seed);
  Region road{"road", {}};
  std::vector<Polygon> strips;
  for (int i = 0; i <= 5; ++i) {
    strips.push_back(box(200 * i - 10, 0, 200 * i + 10, 1000));
    strips.push_back(box(0, 200 * i - 10, 1000, 200 * i + 10));
  }
  auto net = unite(strips, {});
  if (net.ok()) road.area = *net;
  world.layers[0].regions = {road};
  return world;
}

double costAlong(const Route& route, const Environment& world, double grass) {
  double cost = 0;
  for (size_t i = 1; i < route.points.size(); ++i) {
    const Vec3 a = route.points[i - 1];
    const Vec3 b = route.points[i];
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    const int pieces = std::max(1, static_cast<int>(length / 0.5));
    for (int k = 0; k < pieces; ++k) {
      const double t = (k + 0.5) / pieces;
      const Point p{static_cast<int32_t>(std::lround((a.x + t * (b.x - a.x)) * kMetre)),
                    static_cast<int32_t>(std::lround((a.y + t * (b.y - a.y)) * kMetre))};
      const bool isRoad = locate(world.layers[0].regions[0].area, p) != Side::kOutside;
      cost += length / pieces * (isRoad ? 1 : grass);
    }
  }
  return cost;
}

void printTerrain() {
  fmt::print("grass_cost,mesh,cells,mean_cost,mean_length,against_ignoring\n");
  constexpr int kWorlds = 4;
  constexpr int kQueries = 40;
  for (const double grass : {1.0, 2.0, 5.0, 10.0}) {
    double ignoring = 0;
    for (const std::string mode : {"by class, costs ignored", "by class", "mixed"}) {
      double cost = 0;
      double length = 0;
      double cells = 0;
      for (uint64_t seed = 1; seed <= kWorlds; ++seed) {
        const Environment world = country(seed);
        const auto mesh =
            generate(world, {.generator = "pasfv", .options = {{"terrain", mode == "mixed" ? "off" : "on"}}});
        if (!mesh.ok()) return;
        const auto terrain = TerrainMap::of(*mesh, world, {{"road", {"road"}}, {"grass", {""}}});
        if (!terrain.ok()) return;
        const auto costs = terrain->costsOf({{{"road", 1}, {"grass", grass}}, {{"verge", "road", "grass", 0}}});
        if (!costs.ok()) return;
        const NavigationGraph graph(*mesh);
        cells += static_cast<double>(mesh->cellCount()) / kWorlds;
        Random random(seed);
        for (int i = 0; i < kQueries;) {
          PathQuery query;
          query.from = {random.real(0, 1000), random.real(0, 1000)};
          query.to = {random.real(0, 1000), random.real(0, 1000)};
          Route route;
          if (std::hypot(query.from.x - query.to.x, query.from.y - query.to.y) < 400) continue;
          const bool isBlind = mode == "by class, costs ignored";
          if (graph.plan(query, route, isBlind ? GraphCosts{} : *costs) != PathStatus::kFound) continue;
          ++i;
          cost += costAlong(route, world, grass) / (kWorlds * kQueries);
          length += route.length / (kWorlds * kQueries);
        }
      }
      if (ignoring == 0) ignoring = cost;
      fmt::print("{},{},{:.1f},{:.1f},{:.1f},{:.3f}\n", grass, mode, cells, cost, length, cost / ignoring);
    }
  }
}

}  // namespace
}  // namespace wend

int main(int argc, char** argv) {
  const char* study = argc > 1 ? argv[1] : "";
  if (std::strcmp(study, "--edges") == 0) {
    wend::printEdges();
  } else if (std::strcmp(study, "--terrain") == 0) {
    wend::printTerrain();
  } else {
    wend::printRepair();
  }
  return 0;
}
