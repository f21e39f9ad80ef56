#include "generators/cdg/disks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "geometry/vec2.h"

namespace wend::cdg {
namespace {

// Lattice units; circles that only touch have no portal.
constexpr double kLeastHalfWidth = 1;

// Whether the clearance is largest in one of the four directions across: on the ridge that approximates the medial
// axis. The neighbours' gaps by way.
template <typename GapOf>
bool isRidge(int32_t here, const GapOf& gap) {
  // 1 if neither difference is negative, and not both are 0. Without branches, for several samples at once.
  const auto largest = [&](size_t way) { return static_cast<int>(((here - gap(way)) | (here - gap(way + 4))) > 0); };
  return (largest(0) | largest(1) | largest(2) | largest(3)) != 0;
}

// Samples on the ridge with at least some gap.
class Ridge {
 public:
  Ridge(const Voxels& voxels, int32_t leastGap) : links_(voxels.links), gaps_(voxels.gaps), leastGap_(leastGap) {}

  // Call it for one run after the other.
  std::span<const uint32_t> of(const Run& run) {
    found_.clear();
    uint32_t at = run.first;
    const uint32_t end = at + static_cast<uint32_t>(run.end - run.begin);
    for (; stretch_ < links_.stretches.size() && links_.stretches[stretch_].begin < end; ++stretch_) {
      const Stretch& stretch = links_.stretches[stretch_];
      for (; at < stretch.begin; ++at) look(at);
      look(stretch);
      at = stretch.end;
    }
    for (; at < end; ++at) look(at);
    return found_;
  }

 private:
  // What is not walkable counts as a sample at a wall.
  void look(uint32_t voxel) {
    const int32_t here = gaps_[voxel].gap;
    if (here < leastGap_) return;
    const auto gap = [&](size_t way) { return links_.has(voxel, way) ? gaps_[links_.across(voxel, way)].gap : 1; };
    if (isRidge(here, gap)) found_.push_back(voxel);
  }

  // All first, then what was found: the former takes few steps for each.
  void look(const Stretch& stretch) {
    const NearestGap* here = gaps_.data() + stretch.begin;
    const NearestGap* above = gaps_.data() + links_.sides[stretch.begin][1];
    const NearestGap* below = gaps_.data() + links_.sides[stretch.begin][3];
    const std::array around{here + 1, above + 1, above, above - 1, here - 1, below - 1, below, below + 1};
    const size_t count = stretch.end - stretch.begin;
    ridge_.resize(count);
    for (size_t k = 0; k < count; ++k) {
      ridge_[k] = isRidge(here[k].gap, [&](size_t way) { return around[way][k].gap; }) ? here[k].gap : 0;
    }
    for (uint32_t k = 0; k < count; ++k) {
      if (ridge_[k] >= leastGap_) found_.push_back(stretch.begin + k);
    }
  }

  const SurfaceLinks& links_;
  std::span<const NearestGap> gaps_;
  const int32_t leastGap_;
  size_t stretch_ = 0;
  std::vector<int32_t> ridge_;  // of a stretch, gaps of samples on the ridge, 0 for others
  std::vector<uint32_t> found_;
};

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
  explicit Covered(const Voxels& voxels)
      : sides_(voxels.links.sides), last_(voxels.count(), 0), stretchEnd_(voxels.count(), 0) {
    for (const auto& [begin, end] : voxels.links.stretches) {
      std::fill(stretchEnd_.begin() + begin, stretchEnd_.begin() + end, end);
    }
  }

  bool has(uint32_t voxel) const { return last_[voxel] != 0; }

  // All samples of the disk that one comes to inside it, row by row; the radius in sides of a square. Steps over sides
  // are enough: of the two ways around a corner in the disk, one stays in the disk.
  void add(uint32_t centre, double radius) {
    ++disks_;
    const auto limit = static_cast<int32_t>(std::ceil(radius * radius));
    found_.assign(1, {centre, 0, 0});
    while (!found_.empty()) {
      const Place place = found_.back();
      found_.pop_back();
      if (last_[place.voxel] != disks_) addRow(place, limit);
    }
  }

 private:
  struct Place {
    uint32_t voxel;
    int32_t columns;  // from the centre
    int32_t rows;
  };

  // A row of the disk.
  struct Row {
    Row(int32_t row, int32_t limit)
        : rows(row), most(row * row < limit ? static_cast<int32_t>(std::sqrt(limit - row * row - 1)) : -1) {}
    int32_t rows;
    int32_t most;               // columns to both sides
    uint32_t expected = kNone;  // right of the sample that one came to last from beside: in one piece with it
  };

  // All that one comes to in the row of a place, noting one place of each piece to which it leads below and above.
  void addRow(Place place, int32_t limit) {
    const Row row(place.rows, limit);
    const auto step = [&](size_t side, int32_t columns) {
      const uint32_t next = sides_[place.voxel][side];
      if (next == kNone || std::abs(columns) > row.most) return false;
      place.voxel = next;
      place.columns = columns;
      return true;
    };
    while (step(2, place.columns - 1)) {
    }
    Row above(place.rows + 1, limit);
    Row below(place.rows - 1, limit);
    do {
      // At once as much as lies in a stretch.
      const int32_t more =
          std::clamp(static_cast<int32_t>(stretchEnd_[place.voxel] - place.voxel) - 1, 0, row.most - place.columns);
      const auto first = last_.begin() + place.voxel;
      std::fill(first, first + more + 1, disks_);
      note<1>(place, more, above);
      note<3>(place, more, below);
      place.voxel += static_cast<uint32_t>(more);
      place.columns += more;
    } while (step(0, place.columns + 1));
  }

  // For a place and some more right of it.
  template <size_t side>
  void note(const Place& place, int32_t more, Row& row) {
    const uint32_t next = sides_[place.voxel][side];
    if (next == kNone) return;
    if (next != row.expected) {
      const int32_t columns = std::max(place.columns, -row.most);
      if (columns > std::min(place.columns + more, row.most)) return;
      const uint32_t found = next + static_cast<uint32_t>(columns - place.columns);
      if (last_[found] != disks_) found_.push_back({found, columns, row.rows});
    }
    row.expected = sides_[next + static_cast<uint32_t>(more)][0];
  }

  const Sides& sides_;
  std::vector<uint32_t> last_;        // disk that holds the sample, counted from 1
  std::vector<uint32_t> stretchEnd_;  // of the samples in stretches
  std::vector<Place> found_;
  uint32_t disks_ = 0;
};

struct Candidate {
  double radius;
  uint32_t voxel;
  uint32_t run;
};

bool comesFirst(const Candidate& a, const Candidate& b) {
  return a.radius != b.radius ? a.radius > b.radius : a.voxel < b.voxel;
}

// By falling gap, which is a small whole number; equal ones stay in their order.
std::vector<Candidate> sortByGap(std::span<const Candidate> candidates, std::span<const NearestGap> gaps) {
  const auto gap = [&](const Candidate& candidate) { return static_cast<size_t>(gaps[candidate.voxel].gap); };
  std::vector<uint32_t> places;
  for (const Candidate& candidate : candidates) {
    if (gap(candidate) >= places.size()) places.resize(2 * gap(candidate));
    ++places[gap(candidate)];
  }
  std::exclusive_scan(places.rbegin(), places.rend(), places.rbegin(), 0U);
  std::vector<Candidate> sorted(candidates.size());
  for (const Candidate& candidate : candidates) sorted[places[gap(candidate)]++] = candidate;
  return sorted;
}

std::vector<Candidate> candidatesOf(const Voxels& voxels, const Crossings& crossings, double least) {
  std::vector<Candidate> whole;
  std::vector<Candidate> smaller;  // because of a connection
  Ridge ridge(voxels, gapOf(voxels, least));
  LayerId layer = 0;
  for (uint32_t r = 0; r < voxels.runs.size(); ++r) {
    while (voxels.layerBegin[layer + 1] <= r) ++layer;
    const Run& run = voxels.runs[r];
    for (const uint32_t voxel : ridge.of(run)) {
      const int32_t gap = voxels.gaps[voxel].gap;
      if (gap == NearestGap::kUnreached) continue;
      const double clearance = voxels.clearance(gap);
      const Vec2 centre = voxels.centre(run.begin + static_cast<int32_t>(voxel - run.first), run.row);
      const double radius = crossings.straightRadius(centre, layer, clearance);
      if (radius >= least) (radius == clearance ? whole : smaller).push_back({radius, voxel, r});
    }
  }
  std::sort(smaller.begin(), smaller.end(), comesFirst);
  whole = sortByGap(whole, voxels.gaps);
  std::vector<Candidate> all(whole.size() + smaller.size());
  std::merge(whole.begin(), whole.end(), smaller.begin(), smaller.end(), all.begin(), comesFirst);
  return all;
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
      if (s.id == entered || cross(s.b - s.a, from - s.a) < 0 || cross(s.b - s.a, to - s.a) >= 0) continue;
      if (cross(to - from, s.a - from) * cross(to - from, s.b - from) > 0) continue;
      const double before = cross(s.b - s.a, from - s.a);
      const double share = before / (before - cross(s.b - s.a, to - s.a));
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

double Crossings::straightRadiusNear(Vec2 centre, LayerId layer, double radius) const {
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
  const std::vector<Candidate> candidates = candidatesOf(voxels, crossings, least);
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

std::vector<Portal> findPortals(std::span<const Disk> disks, const Crossings& crossings) {
  std::vector<uint32_t> order(disks.size());
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto leftEnd = [&](uint32_t i) { return disks[i].centre.x - disks[i].radius; };
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return std::pair(leftEnd(a), a) < std::pair(leftEnd(b), b); });
  std::vector<Portal> portals;
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
      portals.push_back({order[p],
                         order[q],
                         {middle.x + half * u.y, middle.y - half * u.x},
                         {middle.x - half * u.y, middle.y + half * u.x}});
    }
  }
  return portals;
}

}  // namespace wend::cdg
