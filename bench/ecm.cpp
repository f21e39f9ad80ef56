#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <vector>

#include <wend/corridor_map.h>
#include <wend/make.h>

#include <boost/polygon/voronoi_builder.hpp>
#include <boost/polygon/voronoi_diagram.hpp>
#include <fmt/format.h>

#include "generators/ecm/diagram.h"
#include "generators/ecm/make_map.h"
#include "geometry/voronoi.h"

// The Explicit Corridor Map of 2D worlds against the bare Boost.Polygon construction on the same segments, one thread,
// in turns within one run: only the ratio means something on a shared machine.
//   bench_ecm [largest number of vertices]   (CSV on standard output)
// The last column is the hash of the map; it must not depend on the machine.
namespace wend {
namespace {

double millisecondsOf(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

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
  const auto world = makeWorld(settings);
  if (!world.ok()) {
    fmt::print(stderr, "{}: {}\n", name, world.error().message);
    return;
  }
  const std::vector<Segment> segments = segmentsOf(*world);
  Context context;
  context.threads = 1;
  std::vector<double> boost;
  std::vector<double> checked;
  std::vector<double> diagram;
  std::vector<double> whole;
  CorridorMap map;
  size_t used = 0;
  const int rounds = segments.size() > 200'000 ? 1 : segments.size() > 20'000 ? 5 : 15;
  for (int round = 0; round < rounds; ++round) {
    boost.push_back(millisecondsOf([&] { used += bareBoost(segments); }));
    whole.push_back(millisecondsOf([&] { map = *ecm::buildCorridorMap(*world, context); }));
    checked.push_back(millisecondsOf([&] { used += voronoi(segments, {}, context)->edges.size(); }));
    diagram.push_back(millisecondsOf([&] { used += ecm::buildDiagram(*world, context)->edges.size(); }));
  }
  if (used == 0) return;
  const double ratio = median(whole) / median(boost);
  fmt::print("{},{},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{},{},{},{:016x}\n", name, segments.size(), median(boost),
             median(checked), median(diagram), median(whole), ratio,
             1e3 * median(whole) / static_cast<double>(segments.size()), map.vertices.size(), map.edges.size(),
             map.bendingPoints.size(), hash(map));
  std::fflush(stdout);
}

int runAll(double largest) {
  fmt::print(
      "world,vertices,boost_ms,voronoi_ms,diagram_ms,ecm_ms,ecm_per_boost,us_per_vertex,V,E,bending_points,hash\n");
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
  return wend::runAll(count > 1 ? std::atof(arguments[1]) : 1e6);
}
