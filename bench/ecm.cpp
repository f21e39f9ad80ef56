#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <vector>

#include <wend/corridor_map.h>
#include <wend/make.h>

#include <boost/polygon/voronoi_builder.hpp>
#include <boost/polygon/voronoi_diagram.hpp>
#include <fmt/format.h>

#include "clocks.h"
#include "generators/ecm/corridor_cells.h"
#include "generators/ecm/medial_axis.h"
#include "geometry/voronoi/voronoi.h"

// The Explicit Corridor Map of 2D worlds against the bare Boost.Polygon construction on the same segments, one thread,
// in turns within one run: only the ratio means something on a shared machine.
//   bench_ecm [largest number of vertices]   (CSV on standard output)
// CPU time, the smallest over the rounds. Columns:
//   boost    builder and diagram of Boost.Polygon, nothing else
//   voronoi  the same with disjointness of the input and the diagram validated, in our arrays
//   inside   the same for the part in free space only, as the map takes it
//   ecm      the whole map: inside, medial axis, edges, bending points, annotations, arcs
//   mesh     the cells of the map as a NavMesh, which comes on top
// The last column is the hash of the map; it must not depend on the machine.
namespace wend {
namespace {

std::vector<Segment> segmentsOf(const Environment& environment) {
  std::vector<Segment> segments;
  const auto add = [&](const Ring& ring) {
    for (size_t i = 0; i < ring.size(); ++i) segments.push_back({ring[i], ring[(i + 1) % ring.size()]});
  };
  for (const Polygon& polygon : environment.layers.front().free) {
    add(polygon.outer);
    for (const Ring& hole : polygon.holes) add(hole);
  }
  return segments;
}

size_t bareBoost(const std::vector<Segment>& segments) {
  boost::polygon::default_voronoi_builder builder;
  for (const Segment& s : segments) builder.insert_segment(s.a.x, s.a.y, s.b.x, s.b.y);
  boost::polygon::voronoi_diagram<double> diagram;
  builder.construct(&diagram);
  return diagram.num_edges();
}

void run(const std::string& name, const MakeSettings& settings) {
  const auto world = makeEnvironment(settings);
  if (!world.ok()) {
    fmt::print(stderr, "{}: {}\n", name, world.error().message);
    return;
  }
  const std::vector<Segment> segments = segmentsOf(*world);
  Context context;
  context.threads = 1;
  double boost = 1e300;
  double checked = 1e300;
  double inside = 1e300;
  double whole = 1e300;
  double mesh = 1e300;
  CorridorMap map;
  size_t used = 0;
  const auto best = [](double& time, const std::function<void()>& work) {
    time = std::min(time, 1e3 * cpuSecondsOf(work));
  };
  const int rounds = segments.size() > 200'000 ? 3 : segments.size() > 20'000 ? 7 : 25;
  for (int round = 0; round < rounds; ++round) {
    best(boost, [&] { used += bareBoost(segments); });
    best(whole, [&] { map = *ecm::buildCorridorMap(*world, context); });
    best(checked, [&] { used += voronoi(segments, {}, context)->edges.size(); });
    best(inside, [&] { used += voronoiInside(segments, context)->edges.size(); });
    best(mesh, [&] { used += ecm::corridorMesh(*world, map, "ecm", 0, context)->cellCount(); });
  }
  if (used == 0) return;
  const auto count = static_cast<double>(segments.size());
  fmt::print("{},{},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{},{},{},{:016x}\n", name, segments.size(),
             boost, checked, inside, whole, mesh, whole / boost, 1e3 * whole / count,
             1e6 * whole / (count * std::log2(count)), map.vertices.size(), map.edges.size(), map.bendingPoints.size(),
             hash(map));
  std::fflush(stdout);
}

int runAll(double largest) {
  fmt::print(
      "world,vertices,boost_ms,voronoi_ms,inside_ms,ecm_ms,mesh_ms,ecm_per_boost,us_per_vertex,ns_per_n_log_n,V,E,"
      "bending_points,hash\n");
  run("military", {"military", {{"edition", 2}}, 1, {}});
  run("city", {"city", {{"edition", 2}}, 1, {}});
  for (const double tiles : {1, 2, 4, 8}) {
    run(fmt::format("zelda{0}x{0}", tiles), {"zelda", {{"edition", 2}, {"tiles", tiles}}, 1, {}});
  }
  for (double vertices = 1000; vertices <= largest; vertices *= 10) {
    run(fmt::format("random{:g}", vertices), {"random", {{"vertices", vertices}}, 1, {}});
  }
  return 0;
}

}  // namespace
}  // namespace wend

int main(int count, char** arguments) {
  const double largest = count > 1 ? std::atof(arguments[1]) : 0;
  return wend::runAll(largest > 0 ? largest : 1e6);
}
