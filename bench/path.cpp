#include <map>
#include <memory>
#include <tuple>

#include <wend/environment_file.h>
#include <wend/generate.h>
#include <wend/make.h>
#include <wend/route.h>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "base/hash.h"
#include "base/random.h"
#include "planning/point/point_planner.h"

// Path queries per second by world, generator and planner.
//   bench_path --benchmark_format=csv
// One iteration answers every query of a fixed set between random points of the world. Counters: cells; queries per
// second; nodes expanded per query; `over_optimal`, the mean length over Polyanya's. The label is the hash of all
// lengths: it must not depend on the machine, and for Polyanya not on the generator either, unless two shortest paths
// tie (their sums differ in the last digit).
namespace wend {
namespace {

constexpr size_t kQueries = 1000;

struct World {
  std::string kind;
  std::vector<std::pair<std::string, double>> parameters;
  std::string name() const {
    std::string text = kind;
    for (const auto& [key, value] : parameters) text += fmt::format("_{}{}", key, value);
    return text;
  }
};

struct Case {
  std::unique_ptr<PointPlanner> planner;
  std::vector<PathQuery> queries;
  double optimal = 0;  // sum of shortest lengths
};

// Uniform over the area: a cell by its area, then a triangle of its fan, then a point in it.
Vec3 randomPoint(const NavMesh& mesh, const Locator& locator, const std::vector<double>& areas, Random& random) {
  const double at = random.real() * areas.back();
  const auto cell = static_cast<CellId>(std::upper_bound(areas.begin(), areas.end() - 1, at) - areas.begin());
  const SideId first = mesh.firstSide(cell);
  const SideId fan = first + 1 + static_cast<SideId>(random.below(mesh.sideCount(cell) - 2));
  double u = random.real();
  double v = random.real();
  if (u + v > 1) {
    u = 1 - u;
    v = 1 - v;
  }
  const Vec2 a = mesh.vertex(mesh.startVertex(first));
  const Vec2 b = mesh.vertex(mesh.startVertex(fan));
  const Vec2 c = mesh.vertex(mesh.startVertex(fan + 1));
  const Vec2 metres =
      mesh.lattice().toMetres(Vec2{a.x + u * (b.x - a.x) + v * (c.x - a.x), a.y + u * (b.y - a.y) + v * (c.y - a.y)});
  return {metres.x, metres.y, locator.height(metres, mesh.layerOf(cell))};
}

std::vector<PathQuery> randomQueries(const PointPlanner& planner) {
  const NavMesh& mesh = planner.mesh();
  std::vector<double> areas;
  double sum = 0;
  for (CellId c = 0; c < mesh.cellCount(); ++c) areas.push_back(sum += cellArea(mesh, c));
  Random random(1);
  std::vector<PathQuery> queries(kQueries);
  for (PathQuery& query : queries) {
    query.from = randomPoint(mesh, planner.locator(), areas, random);
    query.to = randomPoint(mesh, planner.locator(), areas, random);
  }
  return queries;
}

// Worlds, meshes and queries are made once; every generator of a world gets the queries of the first.
Result<const Case*> prepare(const World& world, const std::string& generator) {
  static std::map<std::string, Environment> environments;
  static std::map<std::string, std::vector<PathQuery>> queries;
  static std::map<std::pair<std::string, std::string>, Case> cases;
  Case& c = cases[{world.name(), generator}];
  if (c.planner) return &c;
  if (!environments.contains(world.name())) {
    MakeSettings settings;
    settings.kind = world.kind;
    settings.parameters = world.parameters;
    Result<Environment> environment = makeEnvironment(settings);
    if (!environment.ok()) return environment.error();
    environments.emplace(world.name(), std::move(*environment));
  }
  GenerateSettings settings;
  settings.generator = generator;
  Result<NavMesh> mesh = generate(environments.at(world.name()), settings);
  if (!mesh.ok()) return mesh.error();
  c.planner = std::make_unique<PointPlanner>(std::move(*mesh));
  if (!queries.contains(world.name())) queries.emplace(world.name(), randomQueries(*c.planner));
  c.queries = queries.at(world.name());
  PlanScratch scratch;
  Route route;
  for (const PathQuery& query : c.queries) {
    c.planner->plan(query, scratch, route);
    c.optimal += route.length;
  }
  return &c;
}

void path(benchmark::State& state, const World& world, const std::string& generator, PathMethod kind) {
  const Result<const Case*> prepared = prepare(world, generator);
  if (!prepared.ok()) {
    state.SkipWithError(prepared.error().message.c_str());
    return;
  }
  const Case& c = **prepared;
  PlanScratch scratch;
  Route route;
  uint64_t expanded = 0;
  double length = 0;
  Hash hash;
  for (auto _ : state) {
    expanded = 0;
    length = 0;
    hash = Hash();
    for (PathQuery query : c.queries) {
      query.method = kind;
      hash.add(c.planner->plan(query, scratch, route));
      hash.add(route.length);
      expanded += scratch.expanded;
      length += route.length;
    }
  }
  const auto count = static_cast<double>(c.queries.size());
  state.counters["cells"] = c.planner->mesh().cellCount();
  state.counters["queries_per_s"] = benchmark::Counter(count, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["us_per_query"] =
      benchmark::Counter(count * 1e-6, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["expanded"] = static_cast<double>(expanded) / count;
  state.counters["over_optimal"] = c.optimal > 0 ? length / c.optimal : 1;
  state.SetLabel(fmt::format("{:016x}", hash.value()));
}

void registerAll() {
  const std::vector<World> worlds{
      {"military", {}},
      {"university", {}},
      {"zelda", {{"tiles", 1}}},
      {"zelda", {{"tiles", 2}}},
      {"zelda", {{"tiles", 4}}},
      {"zelda", {{"tiles", 8}}},
      {"city", {}},
      {"maze", {{"size", 32}}},
      {"maze", {{"size", 128}}},
      {"station", {}},
      {"tower", {}},
      {"big-city", {}},
  };
  for (const World& world : worlds) {
    const auto known = [&](const EnvironmentKind& kind) { return kind.name == world.kind; };
    if (std::none_of(environmentKinds().begin(), environmentKinds().end(), known)) continue;
    for (const char* generator : {"delaunay", "hertel-mehlhorn"}) {
      for (const auto& [name, kind] : {std::pair{"polyanya", PathMethod::kPolyanya}, {"astar", PathMethod::kAStar}}) {
        benchmark::RegisterBenchmark(fmt::format("path/{}/{}/{}", world.name(), generator, name).c_str(),
                                     [world, generator = std::string(generator), kind = kind](benchmark::State& state) {
                                       path(state, world, generator, kind);
                                     })
            ->Unit(benchmark::kMillisecond);
      }
    }
  }
}

}  // namespace
}  // namespace wend

int main(int argc, char** argv) {
  wend::registerAll();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
