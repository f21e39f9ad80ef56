#include "generators/cdg/disks.h"

#include <algorithm>
#include <cmath>

#include "geometry/vec2.h"

namespace wend::cdg {
namespace {

// Lattice units; circles that only touch have no gate.
constexpr double kLeastHalfWidth = 1;

double turn(Vec2 a, Vec2 b, Vec2 p) {
  return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

// Whether the clearance is largest in one of the four directions across: on the ridge that approximates the medial
// axis.
bool isRidge(const Voxels& voxels, const Voxel& voxel) {
  for (size_t way = 0; way < 4; ++way) {
    const auto clearance = [&](uint32_t next) { return next == kNone ? 0 : voxels.all[next].clearance; };
    const double one = clearance(voxel.link[way]);
    const double two = clearance(voxel.link[way + 4]);
    if (voxel.clearance >= std::max(one, two) && voxel.clearance > std::min(one, two)) return true;
  }
  return false;
}

}  // namespace

Crossings::Crossings(const Environment& environment) : segments_(environment.layers.size()) {
  uint32_t id = 0;
  for (const Connection& connection : environment.connections) {
    for (size_t i = 0; i + 1 < connection.line.size(); ++i, ++id) {
      const Vec2 a = toVec2(connection.line[i]);
      const Vec2 b = toVec2(connection.line[i + 1]);
      segments_[connection.layerA].push_back({a, b, connection.layerB, id});
      segments_[connection.layerB].push_back({b, a, connection.layerA, id});
    }
  }
}

LayerId Crossings::walk(Vec2 from, LayerId layer, Vec2 to) const {
  uint32_t entered = kNone;
  // Each crossing is farther along than the last one, so there are no more than segments.
  double at = 0;
  for (;;) {
    const Segment* next = nullptr;
    double nearest = HUGE_VAL;
    for (const Segment& s : segments_[layer]) {
      if (s.id == entered || turn(s.a, s.b, from) < 0 || turn(s.a, s.b, to) >= 0) continue;
      if (turn(from, to, s.a) * turn(from, to, s.b) > 0) continue;
      const double before = turn(s.a, s.b, from);
      const double share = before / (before - turn(s.a, s.b, to));
      if (share < at || share >= nearest) continue;
      nearest = share;
      next = &s;
    }
    if (next == nullptr) return layer;
    at = nearest;
    entered = next->id;
    layer = next->other;
  }
}

double Crossings::straightRadius(Vec2 centre, LayerId layer, double radius) const {
  std::vector<LayerId> reached{layer};
  for (size_t i = 0; i < reached.size(); ++i) {
    for (const Segment& s : segments_[reached[i]]) {
      if (distanceToSegment(centre, s.a, s.b) >= radius) continue;
      radius = std::min({radius, distance(centre, s.a), distance(centre, s.b)});
      if (std::find(reached.begin(), reached.end(), s.other) == reached.end()) reached.push_back(s.other);
    }
  }
  return radius;
}

std::vector<Disk> chooseDisks(const Voxels& voxels, const Crossings& crossings, double least, const Context& context) {
  struct Candidate {
    double radius;
    uint32_t voxel;
  };
  std::vector<Candidate> candidates;
  for (uint32_t i = 0; i < voxels.all.size(); ++i) {
    const Voxel& voxel = voxels.all[i];
    if (voxel.clearance < least || !std::isfinite(voxel.clearance) || !isRidge(voxels, voxel)) continue;
    const double radius = crossings.straightRadius(voxels.centre(voxel), voxel.layer, voxel.clearance);
    if (radius >= least) candidates.push_back({radius, i});
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.radius > b.radius; });

  std::vector<Disk> disks;
  std::vector<uint8_t> inside(voxels.all.size(), 0);
  std::vector<uint32_t> seen(voxels.all.size(), 0);  // 1 + the last disk that visited it
  std::vector<uint32_t> stack;
  for (const Candidate& candidate : candidates) {
    if (context.cancelled()) break;
    if (inside[candidate.voxel] != 0) continue;
    const Vec2 centre = voxels.centre(voxels.all[candidate.voxel]);
    disks.push_back({centre, candidate.radius, voxels.all[candidate.voxel].layer});
    const auto stamp = static_cast<uint32_t>(disks.size());
    stack.assign(1, candidate.voxel);
    seen[candidate.voxel] = stamp;
    while (!stack.empty()) {
      const Voxel& voxel = voxels.all[stack.back()];
      inside[stack.back()] = 1;
      stack.pop_back();
      for (const uint32_t next : voxel.link) {
        if (next == kNone || seen[next] == stamp) continue;
        seen[next] = stamp;
        if (distance(voxels.centre(voxels.all[next]), centre) < candidate.radius) stack.push_back(next);
      }
    }
  }
  return disks;
}

std::vector<Gate> findGates(std::span<const Disk> disks, const Crossings& crossings) {
  std::vector<uint32_t> order(disks.size());
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto leftEnd = [&](uint32_t i) { return disks[i].centre.x - disks[i].radius; };
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return std::pair(leftEnd(a), a) < std::pair(leftEnd(b), b); });
  std::vector<Gate> gates;
  for (size_t p = 0; p < order.size(); ++p) {
    const Disk& a = disks[order[p]];
    for (size_t q = p + 1; q < order.size() && leftEnd(order[q]) < a.centre.x + a.radius; ++q) {
      const Disk& b = disks[order[q]];
      const double apart = distance(a.centre, b.centre);
      if (apart >= a.radius + b.radius || apart <= 0) continue;
      const double x = (apart * apart + a.radius * a.radius - b.radius * b.radius) / (2 * apart);
      const double half = std::sqrt(std::max(0.0, a.radius * a.radius - x * x));
      if (half < kLeastHalfWidth) continue;
      const Vec2 u{(b.centre.x - a.centre.x) / apart, (b.centre.y - a.centre.y) / apart};
      const Vec2 middle{a.centre.x + x * u.x, a.centre.y + x * u.y};
      // Both must come to the same layer where they overlap. Two places: one may lie on a connection.
      const auto meet = [&](double share) {
        const double along = apart - b.radius + share * (a.radius + b.radius - apart);
        const Vec2 place{a.centre.x + along * u.x, a.centre.y + along * u.y};
        return crossings.walk(a.centre, a.layer, place) == crossings.walk(b.centre, b.layer, place);
      };
      if (!meet(0.3) && !meet(0.7)) continue;
      gates.push_back({order[p],
                       order[q],
                       {middle.x + half * u.y, middle.y - half * u.x},
                       {middle.x - half * u.y, middle.y + half * u.x}});
    }
  }
  return gates;
}

}  // namespace wend::cdg
