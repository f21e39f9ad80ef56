#include <algorithm>
#include <deque>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <wend/generate.h>
#include <wend/make.h>
#include <wend/navigator.h>
#include <wend/waypoint.h>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/random.h"
#include "clocks.h"
#include "planning/clearance/portal_shrinking.h"
#include "planning/disk/disk_navigator.h"
#include "planning/point/point_planner.h"

// Clearance, as ratios measured side by side in one run. Prints CSV: case, value, unit, result hash. The best of
// several rounds counts, with the sides taking turns, so that other work on the machine disturbs both alike.
//   bench_clearance [shrink | WORLD | WORLD_GENERATOR]
namespace wend {
namespace {

// Least time of each side over the rounds.
std::vector<double> race(int rounds, const std::vector<std::function<void()>>& sides) {
  std::vector<double> best(sides.size(), 1e300);
  for (int i = 0; i < rounds; ++i) {
    for (size_t k = 0; k < sides.size(); ++k) best[k] = std::min(best[k], cpuSecondsOf(sides[k]));
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
  return generate(makeEnvironment(make).value(), {.generator = generator}).value();
}

// A way through a cell, by which of its portals it is entered and left, and a radius: 0.5, 1 or 1.5 m, as in the
// experiments of the paper. What is shrunk is the portal by which it is left.
struct ShrinkQuery {
  CellId cell;
  uint32_t entry;
  uint32_t exit;
  uint32_t radius;
};

// The cells that have two portals or more, and the portals of each cell in order: all that a query is looked up in, for
// every side of the comparison.
struct CellPortals {
  std::vector<CellId> cells;
  std::vector<uint32_t> first;
  std::vector<SideId> sides;
  explicit CellPortals(const NavMesh& mesh) {
    for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
      first.push_back(static_cast<uint32_t>(sides.size()));
      for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
        if (!mesh.isWall(s)) sides.push_back(s);
      }
      if (sides.size() >= first.back() + 2) cells.push_back(cell);
    }
    first.push_back(static_cast<uint32_t>(sides.size()));
  }
  uint32_t count(CellId cell) const { return first[cell + 1] - first[cell]; }
  SideId exitOf(const ShrinkQuery& q) const { return sides[first[q.cell] + q.exit]; }
};

void benchShrink(const NavMesh& mesh, size_t count) {
  const CellPortals portals(mesh);
  Random random(3);
  std::vector<ShrinkQuery> queries;
  for (size_t i = 0; i < count; ++i) {
    const CellId cell = portals.cells[random.below(portals.cells.size())];
    const auto entry = static_cast<uint32_t>(random.below(portals.count(cell)));
    const auto other = static_cast<uint32_t>(random.below(portals.count(cell) - 1));
    queries.push_back({cell, entry, other + (other >= entry ? 1 : 0), static_cast<uint32_t>(random.below(3))});
  }
  const double unit = mesh.lattice().unit;
  const ClearanceTable clearance(mesh, 2 / unit);
  constexpr double kRadii[3] = {0.5, 1.0, 1.5};
  double sum = 0;
  Hash hash;
  // The shrunk portal: the clearance table decides as a rule, else the table of the radius.
  const auto shrink = [&](ShrunkPortals& table, SideId portal) {
    const ClearanceTable::Shrunk known = clearance.shrink(portal, table.radius());
    if (known.kind == ClearanceTable::Shrunk::kOpen) {
      const ClearanceTable::PortalLimits& limits = clearance.limits(portal);
      const Vec2 low = limits.start + known.low * limits.along;
      const Vec2 high = limits.start + known.high * limits.along;
      sum += low.x + high.y;
    }
    if (known.kind != ClearanceTable::Shrunk::kUnknown) return;
    uint32_t first = 0;
    for (const ShrunkPortalUnits& d : table.shrunkPortals(portal, first)) sum += d.ends[0].place.x + d.ends[1].place.y;
  };
  const auto exact = [&] {
    std::deque<ShrunkPortals> tables;  // they stay where they are
    for (const double r : kRadii) tables.emplace_back(mesh, r / unit, &clearance);
    for (const ShrinkQuery& q : queries) shrink(tables[q.radius], portals.exitOf(q));
  };
  const auto unaided = [&] {
    std::deque<ShrunkPortals> tables;
    for (const double r : kRadii) tables.emplace_back(mesh, r / unit);
    for (const ShrinkQuery& q : queries) {
      uint32_t first = 0;
      for (const ShrunkPortalUnits& d : tables[q.radius].shrunkPortals(portals.exitOf(q), first)) sum += d.high - d.low;
    }
  };
  // Lookups alone: the tables of the radii are there, as in a simulation after its first steps.
  std::deque<ShrunkPortals> kept;
  for (const double r : kRadii) kept.emplace_back(mesh, r / unit, &clearance);
  const auto warm = [&] {
    for (const ShrinkQuery& q : queries) shrink(kept[q.radius], portals.exitOf(q));
  };
  // Every portal and radius once: no query finds the table filled.
  const auto empty = [&] {
    std::deque<ShrunkPortals> tables;
    for (const double r : kRadii) tables.emplace_back(mesh, r / unit, &clearance);
    for (const SideId portal : portals.sides) {
      if (portal > mesh.twin(portal)) continue;
      for (ShrunkPortals& table : tables) shrink(table, portal);
    }
  };
  const auto simple = [&] {
    for (const ShrinkQuery& q : queries) {
      const ShrunkPortal r = simpleShrunkPortal(mesh, portals.exitOf(q), kRadii[q.radius]);
      sum += r.left.x + r.right.y;
    }
  };
  // Microseconds each, which is what the clock of the processor tells apart: so each is done many times.
  constexpr int kTimes = 50;
  const auto often = [&](const std::function<void()>& side) {
    return [side] {
      for (int i = 0; i < kTimes; ++i) side();
    };
  };
  std::vector<double> t = race(15, {often(exact), unaided, often(simple), often(warm), often(empty)});
  for (const size_t side : {0U, 2U, 3U, 4U}) t[side] /= kTimes;
  size_t decided = 0;
  size_t critical = 0;
  for (const ShrinkQuery& q : queries) {
    uint32_t first = 0;
    const double r = kept[q.radius].radius();
    decided += clearance.shrink(portals.exitOf(q), r).kind != ClearanceTable::Shrunk::kUnknown ? 1 : 0;
    critical += r <= clearance.limits(portals.exitOf(q)).criticalRadius ? 1 : 0;
    for (const ShrunkPortalUnits& d : kept[q.radius].shrunkPortals(portals.exitOf(q), first)) {
      hash.add(d.low);
      hash.add(d.high);
    }
  }
  const auto n = static_cast<double>(count);
  const std::string name = fmt::format("shrink/{}_queries/", count);
  const double keys = 1.5 * static_cast<double>(portals.sides.size());
  const double each = 1e9 * t[4] / keys;
  print(name + "keys", keys, "portals times radii", hash.value());
  print(name + "decided_by_critical_radius", static_cast<double>(critical) / n, "share", hash.value());
  print(name + "decided_without_table_of_radius", static_cast<double>(decided) / n, "share", hash.value());
  print(name + "simple", 1e9 * t[2] / n, "ns", hash.value());
  print(name + "exact_table_empty", each, "ns", hash.value());
  print(name + "exact_table_filled_by_the_way", 1e9 * t[0] / n, "ns", hash.value());
  print(name + "exact_table_filled", 1e9 * t[3] / n, "ns", hash.value());
  print(name + "exact_without_critical_radius", 1e9 * t[1] / n, "ns", hash.value());
  print(name + "empty_over_simple", each / (1e9 * t[2] / n), "ratio", hash.value());
  print(name + "filled_by_the_way_over_simple", t[0] / t[2], "ratio", hash.value());
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

// Seconds per query: the least of the rounds, so that a disturbed round does not count.
using Times = std::vector<double>;

double medianOf(Times values) {
  std::nth_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

std::vector<PathQuery> reachableQueries(const DiskNavigator& navigator, double radius, size_t count) {
  const NavMesh& mesh = navigator.mesh();
  double minX = 1e300, minY = 1e300, maxX = -1e300, maxY = -1e300;
  for (VertexId v = 0; v < mesh.vertexCount(); ++v) {
    const Vec3 p = mesh.position(v);
    minX = std::min(minX, p.x), maxX = std::max(maxX, p.x), minY = std::min(minY, p.y), maxY = std::max(maxY, p.y);
  }
  PlanScratch scratch;
  Random random(7);
  std::vector<PathQuery> queries;
  for (int tries = 0; queries.size() < count && tries < 100000; ++tries) {
    PathQuery q;
    q.from = {random.real(minX, maxX), random.real(minY, maxY), 0};
    q.to = {random.real(minX, maxX), random.real(minY, maxY), 0};
    q.radius = radius;
    if (navigator.reachable(q, scratch) == PathStatus::kFound) queries.push_back(q);
  }
  return queries;
}

// The same search with and without a radius: A* over crossings and the funnel of circles against A* over portals and
// the funnel of points, both with the heuristic and the cost of one point per portal. Polyanya, which is optimal for a
// point, stands beside them.
void benchPaths(const std::string& name, const NavMesh& mesh, double radius) {
  const DiskNavigator navigator(mesh);
  const PointPlanner planner(mesh);
  const std::vector<PathQuery> queries = reachableQueries(navigator, radius, 1000);
  if (queries.empty()) return;
  enum Side { kRadius, kPoint, kPolyanya, kReachable, kSides };
  PlanScratch scratch;
  Route route;
  const auto ask = [&](PathQuery q, int side) {
    if (side == kRadius) {
      navigator.plan(q, scratch, route);
    } else if (side == kReachable) {
      navigator.reachable(q, scratch);
    } else {
      q.radius = 0;
      q.method = side == kPoint ? PathMethod::kAStar : PathMethod::kPolyanya;
      planner.plan(q, scratch, route);
    }
  };
  const double first = cpuSecondsOf([&] {
    PlanScratch cold;
    for (const PathQuery& q : queries) navigator.plan(q, cold, route);
  });
  std::vector<Times> best(kSides, Times(queries.size(), 1e300));
  Hash hash;
  double lengths[kSides] = {};
  double expanded[kSides] = {};
  for (int round = 0; round < 9; ++round) {
    for (int side = 0; side < kSides; ++side) {
      for (size_t i = 0; i < queries.size(); ++i) {
        const double begin = wallSeconds();
        ask(queries[i], side);
        const double took = wallSeconds() - begin;
        best[static_cast<size_t>(side)][i] = std::min(best[static_cast<size_t>(side)][i], took);
        if (round > 0 || side == kReachable) continue;
        lengths[side] += route.length;
        expanded[side] += static_cast<double>(scratch.expanded);
        if (side == kRadius) hash.add(route.length);
      }
    }
  }
  Times ratios(queries.size());
  for (size_t i = 0; i < queries.size(); ++i) ratios[i] = best[kRadius][i] / best[kPoint][i];
  const auto say = [&](const char* what, double value, const char* unit) {
    print(fmt::format("path/{}/{}", name, what), value, unit, hash.value());
  };
  const auto mean = [&](int side) {
    return std::accumulate(best[static_cast<size_t>(side)].begin(), best[static_cast<size_t>(side)].end(), 0.0);
  };
  say("radius_expanded", expanded[kRadius] / static_cast<double>(queries.size()), "nodes");
  say("point_expanded", expanded[kPoint] / static_cast<double>(queries.size()), "nodes");
  say("radius", 1e6 * medianOf(best[kRadius]), "us");
  say("point", 1e6 * medianOf(best[kPoint]), "us");
  say("polyanya", 1e6 * medianOf(best[kPolyanya]), "us");
  say("reachable", 1e6 * medianOf(best[kReachable]), "us");
  say("radius_over_point", medianOf(ratios), "ratio");
  say("radius_over_point_of_sums", mean(kRadius) / mean(kPoint), "ratio");
  say("radius_over_polyanya_of_sums", mean(kRadius) / mean(kPolyanya), "ratio");
  say("cold_over_point_of_sums", first / mean(kPoint), "ratio");
  say("length_over_polyanya", lengths[kRadius] / lengths[kPolyanya], "ratio");
  say("point_length_over_polyanya", lengths[kPoint] / lengths[kPolyanya], "ratio");
}

}  // namespace
}  // namespace wend

int main(int argc, char** argv) {
  using namespace wend;
  const std::string only = argc > 1 ? argv[1] : "";
  fmt::print("name,value,unit,label\n");
  if (only.empty() || only == "shrink") {
    const NavMesh crossing = meshOf("cross", "neogen");
    for (const size_t count : {1000, 2000, 6000}) benchShrink(crossing, count);
  }
  struct World {
    const char* kind;
    std::vector<std::pair<std::string, double>> parameters;
    double radius;
  };
  const std::vector<World> worlds{{"city", {}, 0.5},
                                  {"zelda", {}, 0.5},
                                  {"maze", {{"size", 32}}, 0.3},
                                  {"cross", {}, 0.5},
                                  {"university", {}, 0.3}};
  for (const char* generator : {"delaunay", "hertel-mehlhorn", "neogen"}) {
    for (const World& world : worlds) {
      const std::string name = fmt::format("{}_{}", world.kind, generator);
      if (!only.empty() && only != world.kind && only != name) continue;
      const NavMesh mesh = meshOf(world.kind, generator, world.parameters);
      benchBuild(name, mesh);
      benchPaths(name, mesh, world.radius);
    }
  }
  return 0;
}
