#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <queue>

#include <wend/volume/volume_mesh.h>

#include "volume/volume_placement.h"

namespace wend {
namespace {

struct Spread {
  double mean = 0;
  double deviation = 0;
};

Spread spreadOf(const std::vector<double>& values) {
  Spread spread;
  if (values.empty()) return spread;
  const auto n = static_cast<double>(values.size());
  for (const double v : values) spread.mean += v / n;
  for (const double v : values) spread.deviation += (v - spread.mean) * (v - spread.mean) / n;
  spread.deviation = std::sqrt(spread.deviation);
  return spread;
}

Vec3 normalOf(const HalfSpace& plane) {
  const auto a = static_cast<double>(plane.a);
  const auto b = static_cast<double>(plane.b);
  const auto c = static_cast<double>(plane.c);
  const double length = std::sqrt(a * a + b * b + c * c);
  return {a / length, b / length, c / length};
}

// The smallest angle between two faces that share an edge, degrees, at most 90.
double smallestAngle(const VolumeMesh& mesh, VolumeId cell) {
  double smallest = 90;
  for (FaceId f = mesh.firstFace(cell); f < mesh.endFace(cell); ++f) {
    for (FaceId g = f + 1; g < mesh.endFace(cell); ++g) {
      size_t shared = 0;
      for (const Vec3 p : mesh.corners(f)) {
        const auto corners = mesh.corners(g);
        if (std::find(corners.begin(), corners.end(), p) != corners.end()) ++shared;
      }
      if (shared < 2) continue;
      const Vec3 u = normalOf(mesh.plane(f));
      const Vec3 v = normalOf(mesh.plane(g));
      const double cosine = std::clamp(u.x * v.x + u.y * v.y + u.z * v.z, -1.0, 1.0);
      // Outward normals that point away from each other enclose a sharp edge.
      smallest = std::min(smallest, 180 - std::acos(cosine) * 180 / std::numbers::pi);
    }
  }
  return smallest;
}

// The smallest gateway between two volumes: on the path with the fewest gateways, and at best.
struct Narrowest {
  double onShortest = 0;
  double atBest = 0;
};

Narrowest narrowestBetween(const VolumeMesh& mesh, VolumeId from, VolumeId to) {
  Narrowest result;
  if (from == to) return result;
  std::vector<GatewayId> entry(mesh.cellCount(), kNone);
  std::vector<VolumeId> queue{from};
  for (size_t i = 0; i < queue.size() && entry[to] == kNone; ++i) {
    for (const GatewayId g : mesh.gatewaysOf(queue[i])) {
      const VolumeId next = mesh.gateway(g).across(queue[i]);
      if (next == from || entry[next] != kNone) continue;
      entry[next] = g;
      queue.push_back(next);
    }
  }
  if (entry[to] == kNone) return result;
  result.onShortest = std::numeric_limits<double>::infinity();
  for (VolumeId cell = to; cell != from; cell = mesh.gateway(entry[cell]).across(cell)) {
    result.onShortest = std::min(result.onShortest, mesh.gateway(entry[cell]).area);
  }
  std::vector<double> best(mesh.cellCount(), 0);
  std::priority_queue<std::pair<double, VolumeId>> open;
  open.push({std::numeric_limits<double>::infinity(), from});
  while (!open.empty()) {
    const auto [width, cell] = open.top();
    open.pop();
    if (cell == to) {
      result.atBest = width;
      break;
    }
    for (const GatewayId g : mesh.gatewaysOf(cell)) {
      const VolumeId next = mesh.gateway(g).across(cell);
      const double here = std::min(width, mesh.gateway(g).area);
      if (here <= best[next]) continue;
      best[next] = here;
      open.push({here, next});
    }
  }
  return result;
}

void addTo(std::vector<uint32_t>& groups, size_t value) {
  if (groups.size() <= value) groups.resize(value + 1, 0);
  ++groups[value];
}

// Corners of volumes by place.
void countCorners(const VolumeMesh& mesh, VolumeMetrics& metrics) {
  std::vector<std::array<double, 3>> places;
  for (VolumeId c = 0; c < mesh.cellCount(); ++c) {
    const size_t first = places.size();
    for (FaceId f = mesh.firstFace(c); f < mesh.endFace(c); ++f) {
      for (const Vec3 p : mesh.corners(f)) places.push_back({p.x, p.y, p.z});
    }
    const auto begin = places.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, places.end());
    places.erase(std::unique(begin, places.end()), places.end());
  }
  std::sort(places.begin(), places.end());
  uint32_t distinct = 0;
  uint32_t here = 0;
  for (size_t i = 0; i < places.size(); ++i) {
    here = i > 0 && places[i] == places[i - 1] ? here + 1 : 1;
    distinct += here == 1 ? 1 : 0;
    metrics.mostCommon = std::max(metrics.mostCommon, here);
  }
  metrics.commonVertices = distinct == 0 ? 0 : static_cast<double>(places.size()) / distinct;
}

// Gateways from one volume to all others; kNone where no way leads.
std::vector<uint32_t> stepsFrom(const VolumeMesh& mesh, VolumeId start) {
  std::vector<uint32_t> steps(mesh.cellCount(), kNone);
  std::vector<VolumeId> queue{start};
  steps[start] = 0;
  for (size_t i = 0; i < queue.size(); ++i) {
    for (const GatewayId g : mesh.gatewaysOf(queue[i])) {
      const VolumeId next = mesh.gateway(g).across(queue[i]);
      if (steps[next] != kNone) continue;
      steps[next] = steps[queue[i]] + 1;
      queue.push_back(next);
    }
  }
  return steps;
}

}  // namespace

VolumeMetrics measureVolumes(const VolumeMesh& mesh, double leastVolume, uint32_t maxExact) {
  VolumeMetrics metrics;
  metrics.volumes = mesh.cellCount();
  if (mesh.empty()) return metrics;
  std::vector<double> volumes;
  std::vector<double> degrees;
  double total = 0;
  for (VolumeId c = 0; c < mesh.cellCount(); ++c) {
    const double volume = mesh.volume(c);
    total += volume;
    volumes.push_back(volume);
    degrees.push_back(static_cast<double>(mesh.gatewaysOf(c).size()));
    metrics.isolated += mesh.gatewaysOf(c).empty() ? 1 : 0;
    const double angle = smallestAngle(mesh, c);
    metrics.minAngle += angle / mesh.cellCount();
    const Vec3 low = mesh.low(c);
    const Vec3 high = mesh.high(c);
    const double thinnest = std::min({high.x - low.x, high.y - low.y, high.z - low.z});
    const double longest = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
    metrics.elongation += (longest / thinnest - 1) / mesh.cellCount();
    const uint64_t cubes = cubesIn(mesh, c, std::cbrt(leastVolume));
    metrics.placement += static_cast<double>(cubes) / mesh.cellCount();
    metrics.withoutPlacement += cubes == 0 ? 1 : 0;
    addTo(metrics.degreeGroups, mesh.gatewaysOf(c).size());
    addTo(metrics.orderGroups, mesh.endFace(c) - mesh.firstFace(c));
    if (angle < 10 || volume < leastVolume || thinnest < std::cbrt(volume) / 10) ++metrics.degenerate;
  }
  const Spread size = spreadOf(volumes);
  const Spread degree = spreadOf(degrees);
  metrics.meanVolume = size.mean;
  metrics.volumeDeviation = size.deviation;
  metrics.meanDegree = degree.mean;
  metrics.degreeDeviation = degree.deviation;
  metrics.meanOrder = static_cast<double>(mesh.faceCount()) / mesh.cellCount();
  if (mesh.info().freeVolume && mesh.info().freeVolume->cubicMetres > 0) {
    metrics.coverage = total / mesh.info().freeVolume->cubicMetres;
  }
  for (GatewayId g = 0; g < mesh.gatewayCount(); ++g) metrics.slanted += mesh.gateway(g).slanted ? 1 : 0;
  countCorners(mesh, metrics);
  VolumeId start = 0;
  VolumeId goal = 0;
  std::vector<bool> seen(mesh.cellCount(), false);
  const uint32_t stride = mesh.cellCount() <= maxExact ? 1 : std::max(1U, mesh.cellCount() / 64);
  for (VolumeId c = 0; c < mesh.cellCount(); ++c) {
    if (seen[c] && c % stride != 0) continue;
    const std::vector<uint32_t> steps = stepsFrom(mesh, c);
    if (!seen[c]) ++metrics.components;
    for (VolumeId other = 0; other < mesh.cellCount(); ++other) {
      if (steps[other] == kNone) continue;
      seen[other] = true;
      if (steps[other] <= metrics.diameter) continue;
      metrics.diameter = steps[other];
      start = c;
      goal = other;
    }
  }
  const Narrowest narrowest = narrowestBetween(mesh, start, goal);
  metrics.bottleneck = narrowest.onShortest;
  metrics.widestBottleneck = narrowest.atBest;
  return metrics;
}

std::vector<VolumeMetric> metricTable(const VolumeMetrics& m) {
  return {
      {"volumes", static_cast<double>(m.volumes), "", "convex volumes"},
      {"coverage", m.coverage, "", "share of the free volume that they fill"},
      {"volume_mean", m.meanVolume, "m3", "of a volume"},
      {"volume_deviation", m.volumeDeviation, "m3", "of a volume"},
      {"degree_mean", m.meanDegree, "", "neighbours of a volume"},
      {"degree_deviation", m.degreeDeviation, "", "of the neighbours of a volume"},
      {"isolated", static_cast<double>(m.isolated), "", "volumes without a neighbour"},
      {"order_mean", m.meanOrder, "", "faces of a volume"},
      {"elongation_mean", m.elongation, "", "longest over shortest extent, less one; 0 is a cube"},
      {"common_vertices", m.commonVertices, "", "corners of volumes that share a place"},
      {"common_vertices_most", static_cast<double>(m.mostCommon), "", "corners of volumes at one place at most"},
      {"angle_mean", m.minAngle, "degrees", "smallest angle between two faces of a volume, at most 90"},
      {"placement_mean", m.placement, "", "objects that fit into a volume"},
      {"without_placement", static_cast<double>(m.withoutPlacement), "", "volumes into which no object fits"},
      {"near_degenerate", static_cast<double>(m.degenerate), "", "sharp, smaller than an object, or flat volumes"},
      {"components", static_cast<double>(m.components), "", "of the graph of volumes"},
      {"diameter", static_cast<double>(m.diameter), "", "gateways on the longest shortest path"},
      {"bottleneck", m.bottleneck, "m2", "smallest gateway on that path"},
      {"bottleneck_widest", m.widestBottleneck, "m2", "smallest gateway of the widest way between its ends"},
      {"slanted_gateways", static_cast<double>(m.slanted), "", "gateways that are not axis-aligned"},
  };
}

}  // namespace wend
