#include <algorithm>
#include <cmath>

#include <wend/metrics.h>

// The metrics by name: one table that the CSV, the pages and the selection share.
namespace wend {
namespace {

double off(uint32_t found, uint32_t known) {
  return std::abs(static_cast<double>(found) - static_cast<double>(known));
}

double groupSum(const std::vector<uint64_t>& groups, size_t begin, size_t end) {
  double sum = 0;
  for (size_t i = begin; i < std::min(end, groups.size()); ++i) sum += static_cast<double>(groups[i]);
  return sum;
}

}  // namespace

const std::vector<MetricInfo>& metricInfos() {
  constexpr Better kLow = Better::kLower;
  constexpr Better kHigh = Better::kHigher;
  constexpr Better kNo = Better::kNeither;
  static const std::vector<MetricInfo> infos{
      {"free_area", "m2", "free space of the environment", kNo},
      {"covered", "m2", "free space that some region covers", kHigh},
      {"coverage", "", "covered share of the free space", kHigh},
      {"incorrect", "m2", "area of regions that lies on no free space", kLow},
      {"incorrect_of_mapped", "", "incorrect area over the correct area of all regions (as in the study's tables)",
       kLow},
      {"incorrect_of_regions", "", "incorrect area over the area of all regions (as in the study's formula)", kLow},
      {"overlap", "m2", "area covered more than once, times how much more", kLow},
      {"overlap_share", "", "overlap over the correct area of all regions", kLow},
      {"area_bound", "m2", "no area above is further from the truth than this", kNo},
      {"components", "", "walkable components of the mesh", kNo},
      {"component_error", "", "how far their number is from the environment's", kLow},
      {"boundaries", "", "closed boundary curves of the mesh", kNo},
      {"boundary_error", "", "how far their number is from the environment's", kLow},
      {"graph_vertices", "", "vertices of the graph that is searched", kLow},
      {"graph_edges", "", "edges of that graph", kLow},
      {"regions", "", "regions of the mesh", kLow},
      {"floats_mean", "", "numbers that describe a region, 3 per vertex: mean", kLow},
      {"floats_deviation", "", "the same: standard deviation", kNo},
      {"floats_total", "", "the same: of all regions", kLow},
      {"area_mean", "m2", "area of a cell: mean", kHigh},
      {"area_deviation", "m2", "area of a cell: standard deviation", kLow},
      {"small_cells", "", "cells smaller than one object", kLow},
      {"degree_mean", "", "neighbours of a cell: mean", kHigh},
      {"degree_deviation", "", "neighbours of a cell: standard deviation", kNo},
      {"lone_cells", "", "cells without neighbours", kLow},
      {"dead_ends", "", "cells with one neighbour", kLow},
      {"homogeneity", "", "width over height - 1 of a cell's box, or 1 - height over width: mean", kNo},
      {"inhomogeneity", "", "absolute value of the same: mean", kLow},
      {"common_vertices", "", "corners of cells that share a place: mean", kLow},
      {"common_vertices_most", "", "the same: most", kLow},
      {"minimum_angle", "degrees", "least angle of a cell: mean", kHigh},
      {"minimum_angle_deviation", "degrees", "least angle of a cell: standard deviation", kLow},
      {"sharp_cells", "", "cells with an angle of at most 10 degrees", kLow},
      {"placement", "", "objects that fit into a cell, on a grid: mean", kHigh},
      {"placement_total", "", "objects that fit into the cells", kHigh},
      {"full_cells", "", "cells into which no object fits", kLow},
      {"order", "", "corners of a cell: mean", kHigh},
      {"near_degenerate", "", "cells that are sharp, smaller than one object or without place for it", kLow},
      {"efficiency", "", "obstacle edges over cell edges", kHigh},
      {"diameter", "", "portals on the longest shortest way; infinite if not connected", kLow},
      {"diameter_slack", "", "by how much the diameter may be longer, where the search was cut short", kNo},
      {"bottleneck", "m", "narrowest portal on the way between two far cells", kHigh},
      {"widest_bottleneck", "m", "the same on the best way", kHigh},
      {"greedy_flow", "m", "sum of bottlenecks, way after way, between the same cells", kHigh},
      {"maximum_flow", "m", "largest flow between the same cells", kHigh},
      {"path_missed", "", "share of possible ways of a point that the mesh misses", kLow},
      {"path_wrong", "", "share of impossible ways of a point that the mesh claims", kLow},
      {"path_shortest", "", "shortest way on the mesh over the true one: mean", kLow},
      {"path_searched", "", "way by the mesh's own search over the true shortest one: mean", kLow},
      {"path_turns", "", "turns of these ways: mean", kLow},
      {"path_sharp_turns", "", "turns sharper than 90 degrees: mean", kLow},
      {"radius_missed", "", "share of possible ways of a disk that the mesh misses, over all radii", kLow},
      {"radius_wrong", "", "share of impossible ways of a disk that the mesh claims, over all radii", kLow},
      {"radius_length", "", "way of a disk over the shortest one of a point: mean", kLow},
      {"radius_clearance", "m", "least distance from obstacles on these ways: mean", kHigh},
      {"map_error", "pixels2", "mean squared error of the distance map of the graph, over the image", kLow},
      {"map_navigable_error", "pixels2", "the same over navigable pixels", kLow},
      {"map_offset_error", "pixels2", "the same over the image, with the ways to the centroids added", kLow},
      {"map_missed", "", "pixels with a way in truth but none on the graph", kLow},
      {"build_ms", "ms", "time to make the mesh: mean over the runs", kLow},
      {"build_ms_deviation", "ms", "time to make the mesh: standard deviation", kNo},
      {"peak_mb", "MB", "memory of the process that read the world and made the mesh: mean over the runs", kLow},
      {"peak_mb_deviation", "MB", "memory of that process: standard deviation", kNo},
  };
  return infos;
}

const MetricInfo* findMetric(std::string_view name) {
  const auto& infos = metricInfos();
  const auto found = std::find_if(infos.begin(), infos.end(), [&](const MetricInfo& i) { return i.name == name; });
  return found == infos.end() ? nullptr : &*found;
}

std::vector<MetricValue> metricValues(const MeshMetrics& m) {
  const CoverageMetrics& a = m.coverage;
  const ConnectivityMetrics& c = m.connectivity;
  const ComplexityMetrics& x = m.complexity;
  const ShapeMetrics& s = m.shape;
  const GraphMetrics& g = m.graph;
  return {{"free_area", a.freeArea},
          {"covered", a.covered},
          {"coverage", a.coveredShare()},
          {"incorrect", a.incorrect},
          {"incorrect_of_mapped", a.incorrectOfMapped()},
          {"incorrect_of_regions", a.incorrectOfRegions()},
          {"overlap", a.overlap},
          {"overlap_share", a.overlapShare()},
          {"area_bound", a.bound},
          {"components", static_cast<double>(c.components)},
          {"component_error", off(c.components, c.trueComponents)},
          {"boundaries", static_cast<double>(c.boundaries)},
          {"boundary_error", off(c.boundaries, c.trueBoundaries)},
          {"graph_vertices", static_cast<double>(x.graphVertices)},
          {"graph_edges", static_cast<double>(x.graphEdges)},
          {"regions", static_cast<double>(x.regions)},
          {"floats_mean", x.floats.mean},
          {"floats_deviation", x.floats.deviation},
          {"floats_total", x.floats.total},
          {"area_mean", s.area.mean},
          {"area_deviation", s.area.deviation},
          {"small_cells", groupSum(s.areaGroups, 0, 1)},
          {"degree_mean", s.degree.mean},
          {"degree_deviation", s.degree.deviation},
          {"lone_cells", groupSum(s.degreeGroups, 0, 1)},
          {"dead_ends", groupSum(s.degreeGroups, 1, 2)},
          {"homogeneity", s.homogeneity.mean},
          {"inhomogeneity", s.inhomogeneity.mean},
          {"common_vertices", s.commonVertices.mean},
          {"common_vertices_most", s.commonVertices.max},
          {"minimum_angle", s.minimumAngle.mean},
          {"minimum_angle_deviation", s.minimumAngle.deviation},
          {"sharp_cells", groupSum(s.angleGroups, 0, 1)},
          {"placement", s.placement.mean},
          {"placement_total", s.placement.total},
          {"full_cells", static_cast<double>(s.cellsWithoutPlacement)},
          {"order", s.order.mean},
          {"near_degenerate", static_cast<double>(s.nearDegenerate)},
          {"efficiency", s.efficiency},
          {"diameter", g.connected ? g.diameterAtLeast : HUGE_VAL},
          {"diameter_slack", static_cast<double>(g.diameterAtMost) - g.diameterAtLeast},
          {"bottleneck", g.bottleneck},
          {"widest_bottleneck", g.widestBottleneck},
          {"greedy_flow", g.greedyFlow},
          {"maximum_flow", g.maximumFlow}};
}

std::vector<MetricValue> metricValues(const PathMetrics& m) {
  std::vector<MetricValue> values;
  if (!m.supported || m.asked == 0) return values;
  const auto share = [](double part, double whole) { return whole > 0 ? part / whole : 0; };
  values.push_back({"path_missed", share(m.missed, m.possible)});
  values.push_back({"path_wrong", share(m.wrong, m.asked - m.possible)});
  if (m.shortest.count > 0) values.push_back({"path_shortest", m.shortest.mean});
  if (m.searched.count > 0) {
    values.push_back({"path_searched", m.searched.mean});
    values.push_back({"path_turns", m.turns.mean});
    values.push_back({"path_sharp_turns", m.sharpTurns.mean});
  }
  double asked = 0, possible = 0, missed = 0, wrong = 0, ratios = 0, clearances = 0, found = 0;
  for (const RadiusMetrics& r : m.radii) {
    asked += r.asked;
    possible += r.possible;
    missed += r.missed;
    wrong += r.wrong;
    const double count = r.possible - r.missed;
    found += count;
    ratios += r.lengthRatio * count;
    clearances += r.clearance * count;
  }
  if (asked > 0) {
    values.push_back({"radius_missed", share(missed, possible)});
    values.push_back({"radius_wrong", share(wrong, asked - possible)});
  }
  if (found > 0) {
    values.push_back({"radius_length", ratios / found});
    values.push_back({"radius_clearance", clearances / found});
  }
  return values;
}

std::vector<MetricValue> metricValues(const DistanceMapMetrics& m) {
  return {{"map_error", m.error},
          {"map_navigable_error", m.navigableError},
          {"map_offset_error", m.offsetError},
          {"map_missed", static_cast<double>(m.missed)}};
}

}  // namespace wend
