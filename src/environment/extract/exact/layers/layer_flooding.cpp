#include "environment/extract/exact/layers/layer_flooding.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <tuple>

#include "base/disjoint_sets.h"
#include "environment/extract/exact/layers/footprint.h"
#include "environment/extract/exact/layers/lists.h"

namespace wend::exact {
namespace {

// A metre of steps counts as this much of level ground: layers are rather cut apart on stairs.
constexpr double kStepped = 1e-3;
// Lower than this is level ground. Contacts: floors that cross each other end one contact apart.
constexpr double kLevel = 2;

using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;

// Of heights.
struct Heights {
  double low = 1e300;
  double high = -1e300;
};
Heights heightsOfBoth(const Heights& p, const Heights& q) {
  return {std::min(p.low, q.low), std::max(p.high, q.high)};
}

// Linked patches that will be in one layer. On bent ground the triangles decide where one patch ends and the next
// begins, and links are of equal length but for rounding, so that an order of single patches would mean nothing; the
// borders of what overlaps and of what does not are the same for any triangles. Sets that overlap themselves (a spiral)
// fall back into smaller ones, at last into their patches.
struct Regions {
  struct Border {
    uint32_t beyond = 0;  // region
    double length = 0;
  };
  struct Measure {
    Heights range;
    double area = 0;
  };

  std::vector<uint32_t> of;  // region of each patch, kNone if it is not wanted
  std::vector<Measure> measures;
  std::vector<std::pair<uint32_t, Border>> borders;  // from both sides
  Pairs conflicts;                                   // from both sides, as far as they are listed
  Pairs contested;  // regions and their patches that overlap something, unless all conflicts are listed
  uint32_t count() const { return static_cast<uint32_t>(measures.size()); }
};

class RegionFinder {
 public:
  RegionFinder(const Facets& facets, const Patches& patches, const Edges& edges, const Links& links,
               const Selection& selection, const Conflicts& conflicts, const Tolerances& tolerances, Footprint& covered)
      : facets_(facets),
        patches_(patches),
        edges_(edges),
        links_(links),
        selection_(selection),
        conflicts_(conflicts),
        tol_(tolerances),
        covered_(covered),
        contested_(patches.count(), 0),
        sets_(kSets, DisjointSets(patches.count())) {}

  Regions run() {
    for (const auto& [p, q] : conflicts_.pairs) contested_[p] = contested_[q] = 1;
    const Lists<uint32_t> enemies(patches_.count(), bothWays(conflicts_.pairs));
    struct Joint {
      uint32_t p, q;
      double length;
    };
    std::vector<Joint> joints;
    forLinks([&](uint32_t p, uint32_t q, const auto& length) {
      join(p, q, enemies.of(p), enemies.of(q));
      if (contested_[p] != 0 || contested_[q] != 0) joints.push_back({p, q, length()});
    });
    number();
    for (const auto& [p, q, length] : joints) {
      if (result_.of[p] == result_.of[q]) continue;
      result_.borders.push_back({result_.of[p], {result_.of[q], length}});
      result_.borders.push_back({result_.of[q], {result_.of[p], length}});
    }
    Pairs conflicts = conflicts_.pairs;
    for (auto& [p, q] : conflicts) {
      p = result_.of[p];
      q = result_.of[q];
    }
    result_.conflicts = bothWays(conflicts);
    for (uint32_t p = 0; p < patches_.count() && !conflicts_.all; ++p) {
      if (contested_[p] != 0) result_.contested.emplace_back(result_.of[p], p);
    }
    return std::move(result_);
  }

 private:
  // Calls body(patch, patch, what gives the length) for everything that joins two wanted patches.
  template <typename Body>
  void forLinks(Body&& body) const {
    const auto visit = [&](uint32_t e, uint32_t g, const auto& length) {
      const uint32_t p = edges_.patch[e];
      const uint32_t q = edges_.patch[g];
      if (p != q && selection_.component[p] != kNone && selection_.component[q] != kNone) body(p, q, length);
    };
    for (uint32_t e = 0; e < links_.match.size(); ++e) {
      const uint32_t g = links_.match[e];
      if (g != kNone && e < g) visit(e, g, [&] { return lengthOf(e); });
    }
    for (const Link& link : links_.list) {
      visit(link.e, link.g, [&] { return link.rise > kLevel * tol_.contact ? kStepped * link.length : link.length; });
    }
  }

  static Pairs bothWays(const Pairs& pairs) {
    Pairs both;
    both.reserve(2 * pairs.size());
    for (const auto& [i, j] : pairs) {
      both.emplace_back(i, j);
      both.emplace_back(j, i);
    }
    return both;
  }

  // Both lists of enemies are sorted.
  void join(uint32_t p, uint32_t q, std::span<const uint32_t> few, std::span<const uint32_t> many) {
    if (few.size() > many.size()) std::swap(few, many);
    if (few.empty() != many.empty()) return;
    sets_[0].join(p, q);
    const auto isCommon = [&](uint32_t enemy) { return std::binary_search(many.begin(), many.end(), enemy); };
    if (std::any_of(few.begin(), few.end(), isCommon)) sets_[1].join(p, q);
    if (std::equal(few.begin(), few.end(), many.begin(), many.end())) sets_[2].join(p, q);
  }

  double lengthOf(uint32_t edge) const {
    const Point a = patches_.rings.points[edge];
    const Point b = patches_.rings.points[edges_.next[edge]];
    const double x = double(b.x) - a.x;
    const double y = double(b.y) - a.y;
    return std::sqrt(x * x + y * y);
  }

  // A mark for each set that overlaps itself, at its least patch; all sets of one kind after those of the kind before.
  std::vector<uint8_t> findOverlaps() {
    const uint32_t n = patches_.count();
    std::vector<uint8_t> overlaps(kSets * n, 0);
    for (const auto& [p, q] : conflicts_.pairs) {
      for (size_t k = 0; k < kSets; ++k) {
        const uint32_t least = sets_[k].find(p);
        if (least == sets_[k].find(q)) overlaps[k * n + least] = 1;
      }
    }
    for (size_t k = 0; k < kSets && !conflicts_.all; ++k) {
      const Lists<uint32_t> patches(n, highSets(k, overlaps));
      for (uint32_t least = 0; least < n; ++least) {
        if (overlapsItself(patches.of(least))) overlaps[k * n + least] = 1;
      }
    }
    return overlaps;
  }

  // The sets of one kind that may overlap themselves where no conflicts are listed, with their patches. Not those that
  // are part of a wider one without overlaps.
  Pairs highSets(size_t kind, const std::vector<uint8_t>& overlaps) {
    const uint32_t n = patches_.count();
    Pairs members;
    std::vector<Heights> ranges(n);
    for (uint32_t p = 0; p < n; ++p) {
      if (contested_[p] == 0) continue;
      size_t widest = 0;
      while (widest < kSets && overlaps[widest * n + sets_[widest].find(p)] != 0) ++widest;
      if (widest != kind) continue;
      members.emplace_back(sets_[kind].find(p), p);
      Heights& range = ranges[members.back().first];
      range = heightsOfBoth(range, rangeOf(p));
    }
    std::erase_if(members, [&](const auto& member) {
      return conflicts_.areAllWithin(ranges[member.first].low, ranges[member.first].high);
    });
    return members;
  }

  Heights rangeOf(uint32_t patch) const {
    const Facet& facet = facets_.list[patches_.facet[patch]];
    return {facet.low, facet.high};
  }

  bool overlapsItself(std::span<const uint32_t> patches) {
    covered_.clear();
    return std::any_of(patches.begin(), patches.end(), [&](const uint32_t& p) {
      if (covered_.overlaps(p)) return true;
      covered_.add(std::span(&p, 1));
      return false;
    });
  }

  void number() {
    const uint32_t n = patches_.count();
    const std::vector<uint8_t> overlaps = findOverlaps();
    result_.of.assign(n, kNone);
    for (uint32_t p = 0; p < n; ++p) {
      if (selection_.component[p] == kNone) continue;
      // The widest set that does not overlap itself goes by its least patch, which comes first.
      uint32_t least = p;
      for (size_t k = kSets; k-- > 0;) {
        if (overlaps[k * n + sets_[k].find(p)] == 0) least = sets_[k].find(p);
      }
      if (least == p) {
        result_.of[p] = result_.count();
        result_.measures.emplace_back();
      } else {
        result_.of[p] = result_.of[least];
      }
      Regions::Measure& measure = result_.measures[result_.of[p]];
      measure.range = heightsOfBoth(measure.range, rangeOf(p));
      measure.area += patches_.area(p);
    }
  }

  // From wide to narrow: patches that overlap nothing, and all others; those that overlap a common patch; those that
  // overlap the same patches.
  static constexpr size_t kSets = 3;

  const Facets& facets_;
  const Patches& patches_;
  const Edges& edges_;
  const Links& links_;
  const Selection& selection_;
  const Conflicts& conflicts_;
  const Tolerances& tol_;
  Footprint& covered_;
  std::vector<uint8_t> contested_;  // patches that overlap something
  std::vector<DisjointSets> sets_;
  Regions result_;
};

class LayerGrower {
 public:
  LayerGrower(const Regions& regions, const Conflicts& conflicts, Footprint& covered)
      : regions_(regions),
        listed_(conflicts),
        covered_(covered),
        borders_(regions.count(), regions.borders),
        conflicts_(regions.count(), regions.conflicts),
        contested_(regions.count(), regions.contested),
        layer_(regions.count(), kNone),
        blocked_(regions.count(), kNone),
        common_(regions.count()) {}

  LayerPlan run() {
    LayerPlan plan;
    for (const uint32_t start : starts()) {
      if (layer_[start] == kNone) grow(start, plan.count++);
    }
    plan.layer.reserve(regions_.of.size());
    for (const uint32_t region : regions_.of) plan.layer.push_back(region == kNone ? kNone : layer_[region]);
    return plan;
  }

 private:
  struct Waiting {
    double length;
    uint32_t region;
    bool operator<(const Waiting& other) const {
      return length != other.length ? length < other.length : region > other.region;
    }
  };

  // The lowest first, of equals the largest.
  std::vector<uint32_t> starts() const {
    std::vector<std::tuple<double, double, uint32_t>> order;
    for (uint32_t r = 0; r < regions_.count(); ++r) {
      order.emplace_back(regions_.measures[r].range.low, -regions_.measures[r].area, r);
    }
    std::sort(order.begin(), order.end());
    std::vector<uint32_t> result;
    for (const auto& [low, area, region] : order) result.push_back(region);
    return result;
  }

  void grow(uint32_t start, uint32_t layer) {
    range_ = {};
    waiting_.clear();
    covered_.clear();
    heap_.push({0, start});
    while (!heap_.empty()) {
      const uint32_t region = heap_.top().region;
      heap_.pop();
      if (!isOpen(region, layer)) continue;
      const Heights range = heightsOfBoth(range_, regions_.measures[region].range);
      if (!listed_.all && !listed_.areAllWithin(range.low, range.high) && overlapsLayer(region)) {
        blocked_[region] = layer;
        continue;
      }
      range_ = range;
      waiting_.push_back(region);
      layer_[region] = layer;
      for (const uint32_t other : conflicts_.of(region)) blocked_[other] = layer;
      wake(region, layer);
    }
  }

  // Whether a region overlaps the layer that grows, in conflicts that are not listed.
  bool overlapsLayer(uint32_t region) {
    for (const uint32_t member : waiting_) covered_.add(contested_.of(member));
    waiting_.clear();
    const std::span<const uint32_t> patches = contested_.of(region);
    return std::any_of(patches.begin(), patches.end(), [&](uint32_t p) { return covered_.overlaps(p); });
  }

  // Lets the open regions beside a new one wait with the length of their whole border with the layer.
  void wake(uint32_t region, uint32_t layer) {
    beside_.clear();
    for (const auto& [beyond, length] : borders_.of(region)) {
      if (!isOpen(beyond, layer)) continue;
      Common& common = common_[beyond];
      if (common.layer != layer) common = {layer, kNone, 0};
      if (common.last != region) beside_.push_back(beyond);
      common.last = region;
      common.length += length;
    }
    for (const uint32_t next : beside_) heap_.push({common_[next].length, next});
  }

  bool isOpen(uint32_t region, uint32_t layer) const { return layer_[region] == kNone && blocked_[region] != layer; }

  const Regions& regions_;
  const Conflicts& listed_;
  Footprint& covered_;  // by the layer that grows, without the regions that wait
  Lists<Regions::Border> borders_;
  Lists<uint32_t> conflicts_;
  Lists<uint32_t> contested_;
  Heights range_;  // of the layer that grows
  std::vector<uint32_t> waiting_;
  std::vector<uint32_t> layer_;    // of each region
  std::vector<uint32_t> blocked_;  // the layer that a region would overlap
  // The border of a region with the layer that grows, so far.
  struct Common {
    uint32_t layer = kNone;
    uint32_t last = kNone;  // the region that added to it
    double length = 0;
  };
  std::vector<Common> common_;
  std::priority_queue<Waiting> heap_;
  std::vector<uint32_t> beside_;
};

}  // namespace

LayerPlan floodLayers(const Facets& facets, const Patches& patches, const Edges& edges, const Links& links,
                      const Selection& selection, const PatchTriangles& patchTriangles, const Conflicts& conflicts,
                      const Tolerances& tolerances) {
  Footprint covered(facets, patches, patchTriangles, tolerances);
  const Regions regions = RegionFinder(facets, patches, edges, links, selection, conflicts, tolerances, covered).run();
  return LayerGrower(regions, conflicts, covered).run();
}

}  // namespace wend::exact
