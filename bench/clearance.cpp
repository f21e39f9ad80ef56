#include <algorithm>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include <wend/generate.h>
#include <wend/make.h>
#include <wend/mesh_navigator.h>
#include <wend/waypoint.h>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/random.h"
#include "planning/clearance_table.h"

// Clearance, as ratios measured side by side in one run. Prints CSV: case, value, unit, result hash. The best of
// several rounds counts, with the sides taking turns, so that other work on the machine disturbs both alike.
//   bench_clearance
namespace wend {
namespace {

// Of processor time: the machine may be shared.
double secondsOf(const std::function<void()>& work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

// Least time of each side over the rounds.
std::vector<double> race(int rounds, const std::vector<std::function<void()>>& sides) {
  std::vector<double> best(sides.size(), 1e300);
  for (int i = 0; i < rounds; ++i) {
    for (size_t k = 0; k < sides.size(); ++k) best[k] = std::min(best[k], secondsOf(sides[k]));
  }
  return best;
}

void print(const std::string& name, double value, const char* unit, uint64_t hash) {
  fmt::print("{},{:.4g},{},{:016x}\n", name, value, unit, hash);
}

NavMesh meshOf(const std::string& kind, const std::string& generator,
               std::vector<std::pair<std::string, double>> parameters = {}) {
  MakeSettings make;
  make.kind = kind;
  make.parameters = std::move(parameters);
  return generate(makeWorld(make).value(), {.generator = generator}).value();
}

// A portal and a radius: 0.5, 1 or 1.5 m as in the experiments of the paper.
struct ShrinkQuery {
  SideId portal;
  int radius;
};

void benchShrink(const NavMesh& mesh, size_t count) {
  std::vector<SideId> portals;
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    if (!mesh.isWall(s) && s < mesh.twin(s)) portals.push_back(s);
  }
  Random random(3);
  std::vector<ShrinkQuery> queries;
  for (size_t i = 0; i < count; ++i) {
    queries.push_back({portals[random.below(portals.size())], static_cast<int>(random.below(3))});
  }
  const double unit = mesh.lattice().unit;
  const ClearanceTable clearance(mesh, 2 / unit);
  constexpr double kRadii[3] = {0.5, 1.0, 1.5};
  double sum = 0;
  Hash hash;
  const auto exact = [&](const ClearanceTable* table) {
    return [&, table] {
      std::vector<RadiusTable> tables;
      for (const double r : kRadii) tables.emplace_back(mesh, r / unit, table);
      hash = Hash();
      for (const ShrinkQuery& q : queries) {
        uint32_t first = 0;
        for (const PortalDoor& d : tables[static_cast<size_t>(q.radius)].doors(q.portal, first)) sum += d.high - d.low;
      }
    };
  };
  // Lookups alone: the tables of the radii are there, as in a simulation after its first steps.
  std::vector<RadiusTable> kept;
  for (const double r : kRadii) kept.emplace_back(mesh, r / unit, &clearance);
  const auto warm = [&] {
    for (const ShrinkQuery& q : queries) {
      uint32_t first = 0;
      for (const PortalDoor& d : kept[static_cast<size_t>(q.radius)].doors(q.portal, first)) {
        sum += d.lowEnd.x + d.highEnd.y;
      }
    }
  };
  const auto simple = [&] {
    for (const ShrinkQuery& q : queries) {
      const PortalRoom room = simpleRoom(mesh, q.portal, kRadii[q.radius]);
      sum += room.left.x + room.right.y;
    }
  };
  const std::vector<double> t = race(15, {exact(&clearance), exact(nullptr), simple, warm});
  for (const ShrinkQuery& q : queries) {
    uint32_t first = 0;
    for (const PortalDoor& d : kept[static_cast<size_t>(q.radius)].doors(q.portal, first)) {
      hash.add(d.low);
      hash.add(d.high);
    }
  }
  const auto n = static_cast<double>(count);
  const std::string name = fmt::format("shrink/{}_queries/", count);
  print(name + "exact_with_table", 1e9 * t[0] / n, "ns", hash.value());
  print(name + "exact_without_critical_radius", 1e9 * t[1] / n, "ns", hash.value());
  print(name + "simple", 1e9 * t[2] / n, "ns", hash.value());
  print(name + "exact_table_filled", 1e9 * t[3] / n, "ns", hash.value());
  print(name + "exact_over_simple", t[0] / t[2], "ratio", hash.value());
  print(name + "filled_over_simple", t[3] / t[2], "ratio", hash.value());
  print(name + "gain_of_critical_radius", t[1] / t[0], "ratio", hash.value());
  if (sum == 42) fmt::print(stderr, " ");
}

void benchBuild(const std::string& name, const NavMesh& mesh) {
  size_t memory = 0;
  const std::vector<double> t = race(5, {[&] { memory = ClearanceTable(mesh, 2 / mesh.lattice().unit).memory(); }});
  const auto cells = static_cast<double>(mesh.cellCount());
  print(fmt::format("table/{}/build_per_cell", name), 1e6 * t[0] / cells, "us", 0);
  print(fmt::format("table/{}/bytes_per_cell", name), static_cast<double>(memory) / cells, "bytes", 0);
}

void benchPaths(const std::string& name, const NavMesh& mesh, double radius) {
  const MeshNavigator navigator(mesh);
  const Planner planner(mesh);
  PlanScratch scratch;
  Route route;
  double minX = 1e300, minY = 1e300, maxX = -1e300, maxY = -1e300;
  for (VertexId v = 0; v < mesh.vertexCount(); ++v) {
    const Vec3 p = mesh.position(v);
    minX = std::min(minX, p.x), maxX = std::max(maxX, p.x), minY = std::min(minY, p.y), maxY = std::max(maxY, p.y);
  }
  Random random(7);
  std::vector<PathQuery> queries;
  for (int tries = 0; queries.size() < 500 && tries < 100000; ++tries) {
    PathQuery q;
    q.from = {random.real(minX, maxX), random.real(minY, maxY), 0};
    q.to = {random.real(minX, maxX), random.real(minY, maxY), 0};
    q.radius = radius;
    if (navigator.reachable(q, scratch) == PathStatus::kFound) queries.push_back(q);
  }
  if (queries.empty()) return;
  Hash hash;
  double lengths[3] = {0, 0, 0};
  const auto run = [&](int side) {
    return [&, side] {
      hash = Hash();
      lengths[side] = 0;
      for (PathQuery q : queries) {
        if (side == 0) {
          navigator.plan(q, scratch, route);
        } else {
          q.radius = 0;
          q.planner = side == 1 ? PlannerKind::kPolyanya : PlannerKind::kAStar;
          planner.plan(q, scratch, route);
        }
        lengths[side] += route.length;
        hash.add(route.length);
      }
    };
  };
  const auto reach = [&] {
    for (const PathQuery& q : queries) navigator.reachable(q, scratch);
  };
  PlanScratch cold;
  const double first = secondsOf([&] {
    for (const PathQuery& q : queries) navigator.plan(q, cold, route);
  });
  const std::vector<double> t = race(7, {run(1), run(2), reach, run(0)});
  const auto n = static_cast<double>(queries.size());
  print(fmt::format("path/{}/radius", name), 1e6 * t[3] / n, "us", hash.value());
  print(fmt::format("path/{}/radius_first_time", name), 1e6 * first / n, "us", hash.value());
  print(fmt::format("path/{}/reachable", name), 1e6 * t[2] / n, "us", hash.value());
  print(fmt::format("path/{}/polyanya", name), 1e6 * t[0] / n, "us", hash.value());
  print(fmt::format("path/{}/astar", name), 1e6 * t[1] / n, "us", hash.value());
  print(fmt::format("path/{}/over_polyanya", name), t[3] / t[0], "ratio", hash.value());
  print(fmt::format("path/{}/over_astar", name), t[3] / t[1], "ratio", hash.value());
  print(fmt::format("path/{}/length_over_point", name), lengths[0] / lengths[1], "ratio", hash.value());
}

}  // namespace
}  // namespace wend

int main() {
  using namespace wend;
  fmt::print("name,value,unit,label\n");
  const NavMesh crossing = meshOf("cross", "hertel-mehlhorn");
  for (const size_t count : {1000, 2000, 6000}) benchShrink(crossing, count);
  for (const char* generator : {"delaunay", "hertel-mehlhorn", "neogen"}) {
    for (const char* kind : {"cross", "city", "university"}) {
      const NavMesh mesh = meshOf(kind, generator);
      const std::string name = fmt::format("{}_{}", kind, generator);
      benchBuild(name, mesh);
      benchPaths(name, mesh, kind == std::string("university") ? 0.3 : 0.5);
    }
  }
  return 0;
}
