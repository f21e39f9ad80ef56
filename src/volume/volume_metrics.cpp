#include <algorithm>
#include <cmath>
#include <numbers>

#include <wend/volume/volume_mesh.h>

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
  std::vector<bool> seen(mesh.cellCount(), false);
  const uint32_t stride = mesh.cellCount() <= maxExact ? 1 : std::max(1U, mesh.cellCount() / 64);
  for (VolumeId c = 0; c < mesh.cellCount(); ++c) {
    if (seen[c] && c % stride != 0) continue;
    const std::vector<uint32_t> steps = stepsFrom(mesh, c);
    if (!seen[c]) ++metrics.components;
    for (VolumeId other = 0; other < mesh.cellCount(); ++other) {
      if (steps[other] == kNone) continue;
      seen[other] = true;
      metrics.diameter = std::max(metrics.diameter, steps[other]);
    }
  }
  return metrics;
}

}  // namespace wend
