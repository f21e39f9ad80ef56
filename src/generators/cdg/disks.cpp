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
// axis. What is not walkable counts as a sample at a wall.
bool isRidge(const Voxels& voxels, uint32_t voxel) {
  const int32_t here = voxels.gaps[voxel].gap;
  const auto largest = [&](uint32_t one, uint32_t two) {
    const int32_t a = one == kNone ? 1 : voxels.gaps[one].gap;
    const int32_t b = two == kNone ? 1 : voxels.gaps[two].gap;
    return here >= std::max(a, b) && here > std::min(a, b);
  };
  const std::array<uint32_t, 4>& sides = voxels.links.sides[voxel];
  if (largest(sides[0], sides[2]) || largest(sides[1], sides[3])) return true;
  const auto corner = [&](size_t k) { return voxels.links.acrossCorner(voxel, k); };
  return largest(corner(0), corner(2)) || largest(corner(1), corner(3));
}

// The least gap with this clearance.
int32_t gapOf(const Voxels& voxels, double clearance) {
  int32_t low = 0;
  int32_t high = NearestGap::kUnreached;
  while (low < high) {
    const int32_t middle = low + (high - low) / 2;
    if (voxels.clearance(middle) < clearance) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// Which samples lie in a disk kept already.
class Covered {
 public:
  explicit Covered(const Voxels& voxels) : links_(voxels.links), last_(voxels.count(), 0) {}

  bool has(uint32_t voxel) const { return last_[voxel] != 0; }

  // All samples of the disk that one comes to inside it; the radius in sides of a square. Steps over sides are enough:
  // of the two ways around a corner in the disk, one stays in the disk.
  void add(uint32_t centre, double radius) {
    ++disks_;
    const double limit = radius * radius;
    reached_.assign(1, {centre, 0, 0});
    last_[centre] = disks_;
    for (size_t i = 0; i < reached_.size(); ++i) {
      const Place from = reached_[i];
      const auto step = [&](size_t side, int32_t columns, int32_t rows) {
        const uint32_t next = links_.sides[from.voxel][side];
        if (next == kNone || last_[next] == disks_ || columns * columns + rows * rows >= limit) return;
        last_[next] = disks_;
        reached_.push_back({next, columns, rows});
      };
      step(0, from.columns + 1, from.rows);
      step(1, from.columns, from.rows + 1);
      step(2, from.columns - 1, from.rows);
      step(3, from.columns, from.rows - 1);
    }
  }

 private:
  struct Place {
    uint32_t voxel;
    int32_t columns;  // from the centre
    int32_t rows;
  };
  const SurfaceLinks& links_;
  std::vector<uint32_t> last_;  // disk that holds the sample, counted from 1
  std::vector<Place> reached_;
  uint32_t disks_ = 0;
};

struct Candidate {
  double radius;
  uint32_t voxel;
  uint32_t run;
};

std::vector<Candidate> candidatesOf(const Voxels& voxels, const Crossings& crossings, double least) {
  std::vector<Candidate> candidates;
  const int32_t leastGap = gapOf(voxels, least);
  LayerId layer = 0;
  for (uint32_t r = 0; r < voxels.runs.size(); ++r) {
    while (voxels.layerBegin[layer + 1] <= r) ++layer;
    const Run& run = voxels.runs[r];
    for (int32_t column = run.begin; column < run.end; ++column) {
      const uint32_t i = run.first + static_cast<uint32_t>(column - run.begin);
      const int32_t gap = voxels.gaps[i].gap;
      if (gap < leastGap || gap == NearestGap::kUnreached || !isRidge(voxels, i)) continue;
      const double radius = crossings.straightRadius(voxels.centre(column, run.row), layer, voxels.clearance(gap));
      if (radius >= least) candidates.push_back({radius, i, r});
    }
  }
  return candidates;
}

}  // namespace

Crossings::Crossings(const Environment& environment)
    : segments_(environment.layers.size()), around_(environment.layers.size()) {
  uint32_t id = 0;
  for (const Connection& connection : environment.connections) {
    for (size_t i = 0; i + 1 < connection.line.size(); ++i, ++id) {
      const Vec2 a = toVec2(connection.line[i]);
      const Vec2 b = toVec2(connection.line[i + 1]);
      segments_[connection.layerA].push_back({a, b, connection.layerB, id});
      segments_[connection.layerB].push_back({b, a, connection.layerA, id});
      for (const LayerId layer : {connection.layerA, connection.layerB}) {
        around_[layer].add(a);
        around_[layer].add(b);
      }
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
  const Around& all = around_[layer];
  const double x = std::max({all.low.x - centre.x, centre.x - all.high.x, 0.0});
  const double y = std::max({all.low.y - centre.y, centre.y - all.high.y, 0.0});
  if (x > radius || y > radius) return radius;
  const auto isFar = [&](const Segment& s) { return distanceToSegment(centre, s.a, s.b) >= radius; };
  if (std::all_of(segments_[layer].begin(), segments_[layer].end(), isFar)) return radius;
  std::vector<LayerId> reached{layer};
  for (size_t i = 0; i < reached.size(); ++i) {
    for (const Segment& s : segments_[reached[i]]) {
      if (isFar(s)) continue;
      radius = std::min({radius, distance(centre, s.a), distance(centre, s.b)});
      if (std::find(reached.begin(), reached.end(), s.other) == reached.end()) reached.push_back(s.other);
    }
  }
  return radius;
}

std::vector<Disk> chooseDisks(const Voxels& voxels, const Crossings& crossings, double least, const Context& context) {
  std::vector<Candidate> candidates = candidatesOf(voxels, crossings, least);
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.radius != b.radius ? a.radius > b.radius : a.voxel < b.voxel;
  });
  std::vector<Disk> disks;
  Covered covered(voxels);
  for (const Candidate& candidate : candidates) {
    if (context.cancelled()) break;
    if (covered.has(candidate.voxel)) continue;
    const Run& run = voxels.runs[candidate.run];
    const Vec2 centre = voxels.centre(run.begin + static_cast<int32_t>(candidate.voxel - run.first), run.row);
    disks.push_back({centre, candidate.radius, voxels.layerOf(candidate.run)});
    covered.add(candidate.voxel, candidate.radius / static_cast<double>(voxels.raster.side));
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
      if (std::abs(a.centre.y - b.centre.y) >= a.radius + b.radius) continue;
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
