#include "environment/extract/exact/layers/selection.h"

#include <algorithm>
#include <cmath>

#include "base/disjoint_sets.h"
#include "base/parallel.h"
#include "environment/extract/seed_error.h"

namespace wend::exact {
namespace {

constexpr size_t kPatchesPerTask = 1024;
constexpr uint8_t kDetached = 2;  // left out, and counted as detached

class Selector {
 public:
  Selector(const Facets& facets, const Patches& patches, const Edges& edges, const Links& links,
           const ExtractSettings& settings, const Tolerances& tolerances, const Context& context)
      : facets_(facets),
        patches_(patches),
        edges_(edges),
        links_(links),
        settings_(settings),
        tol_(tolerances),
        context_(context),
        sets_(patches.count()) {}

  Result<Selection> run() {
    const uint32_t n = patches_.count();
    std::vector<double> area(n, 0);
    std::vector<double> own(n, 0);
    parallelFor(2, context_, [&](size_t i) {
      if (i == 0) {
        joinLinked();
      } else {
        parallelBlocks(n, kPatchesPerTask, context_, [&](size_t begin, size_t end) {
          for (auto p = static_cast<uint32_t>(begin); p < end; ++p) {
            own[p] = patches_.area(p) * 0.5 * tol_.unit * tol_.unit;
          }
        });
      }
    });
    for (uint32_t p = 0; p < n; ++p) {
      if (useless_[p] == 0) area[sets_.find(p)] += own[p];
    }
    std::vector<uint8_t> wanted(n, 0);
    if (settings_.seedPoints.empty()) {
      const auto largest = static_cast<uint32_t>(std::max_element(area.begin(), area.end()) - area.begin());
      for (uint32_t p = 0; p < n; ++p) {
        wanted[p] = area[p] >= settings_.minArea ? 1 : 0;
        if (wanted[p] == 0 || p == largest || sets_.find(p) != p || useless_[p] != 0) continue;
        ++detached_;
        detachedArea_ += area[p];
        if (!settings_.detached) wanted[p] = kDetached;
      }
    } else {
      for (const Vec3& seed : settings_.seedPoints) {
        const uint32_t p = patchAt(seed);
        if (p == kNone) return seedError(seed, settings_);
        wanted[sets_.find(p)] = 1;
      }
    }
    Selection result;
    result.detached = detached_;
    result.detachedArea = detachedArea_;
    result.component.assign(n, kNone);
    std::vector<uint32_t> number(n, kNone);
    for (uint32_t p = 0; p < n; ++p) {
      if (useless_[p] != 0) continue;
      const uint32_t root = sets_.find(p);
      if (wanted[root] == 0 || wanted[root] == kDetached) {
        if (p == root && wanted[root] == 0) {
          ++result.droppedComponents;
          result.droppedArea += area[p];
        }
        continue;
      }
      if (number[root] == kNone) number[root] = result.components++;
      result.component[p] = number[root];
    }
    return result;
  }

 private:
  template <typename Body>
  void forPairs(Body&& body) const {
    for (uint32_t e = 0; e < links_.match.size(); ++e) {
      if (links_.match[e] != kNone && e < links_.match[e]) body(e, links_.match[e]);
    }
    for (const Link& link : links_.list) body(link.e, link.g);
  }

  void joinLinked() {
    findUseless();
    forPairs([&](uint32_t e, uint32_t g) {
      const uint32_t p = edges_.patch[e];
      const uint32_t q = edges_.patch[g];
      if (useless_[p] == 0 && useless_[q] == 0) sets_.join(p, q);
    });
  }

  void findUseless() {
    useless_.assign(patches_.count(), 0);
    // Risers follow all floors, and most scenes have few.
    const auto firstRiser = std::partition_point(patches_.facet.begin(), patches_.facet.end(),
                                                 [&](uint32_t facet) { return !facets_.list[facet].riser; });
    if (firstRiser == patches_.facet.end()) return;
    std::vector<uint8_t> riser(patches_.count(), 0);
    std::fill(riser.begin() + (firstRiser - patches_.facet.begin()), riser.end(), 1);
    // A riser of many pieces is one that has a floor below and one above. Bits 0 and 1.
    std::vector<uint8_t> joins(patches_.count(), 0);
    DisjointSets together(patches_.count());
    forPairs([&](uint32_t e, uint32_t g) {
      const bool riserE = riser[edges_.patch[e]] != 0;
      const bool riserG = riser[edges_.patch[g]] != 0;
      if (riserE && riserG) together.join(edges_.patch[e], edges_.patch[g]);
      if (riserE == riserG) return;
      const uint32_t edge = riserE ? e : g;
      const Plane& plane = facets_.list[patches_.facet[edges_.patch[edge]]].plane;
      const Point a = patches_.rings.points[edge];
      const Point b = patches_.rings.points[edges_.next[edge]];
      const double x = double(b.x) - a.x;
      const double y = double(b.y) - a.y;
      // How much the direction out of the riser leads uphill, as a cosine.
      const double uphill = (plane.a * y - plane.b * x) / (std::hypot(x, y) * std::hypot(plane.a, plane.b));
      if (uphill < -0.3) joins[edges_.patch[edge]] |= 1;
      if (uphill > 0.3) joins[edges_.patch[edge]] |= 2;
    });
    for (uint32_t p = 0; p < patches_.count(); ++p) joins[together.find(p)] |= joins[p];
    for (uint32_t p = 0; p < patches_.count(); ++p) {
      useless_[p] = riser[p] != 0 && joins[together.find(p)] != 3 ? 1 : 0;
    }
  }

  uint32_t patchAt(const Vec3& seed) const {
    const Result<Point> at = settings_.lattice.snap({seed.x, seed.y});
    if (!at.ok() || !std::isfinite(seed.z)) return kNone;
    const double z = seed.z / tol_.unit;
    uint32_t best = kNone;
    double nearest = 0;
    Polygon polygon;
    for (uint32_t p = 0; p < patches_.count(); ++p) {
      const Facet& facet = facets_.list[patches_.facet[p]];
      if (useless_[p] != 0 || at->x < facet.box.min.x || at->x > facet.box.max.x || at->y < facet.box.min.y ||
          at->y > facet.box.max.y) {
        continue;
      }
      const double off = z - facet.plane.at(*at);
      if (off < -tol_.step - tol_.contact || off > tol_.height + tol_.contact) continue;
      if (best != kNone && std::abs(off) >= nearest) continue;
      polygon.holes.clear();
      for (uint32_t r = patches_.firstRing[p]; r < patches_.firstRing[p + 1]; ++r) {
        const auto ring = patches_.rings.ring(r);
        if (r == patches_.firstRing[p]) {
          polygon.outer.assign(ring.begin(), ring.end());
        } else {
          polygon.holes.emplace_back(ring.begin(), ring.end());
        }
      }
      if (locate(polygon, *at) == Side::kOutside) continue;
      best = p;
      nearest = std::abs(off);
    }
    return best;
  }

  const Facets& facets_;
  const Patches& patches_;
  const Edges& edges_;
  const Links& links_;
  const ExtractSettings& settings_;
  const Tolerances& tol_;
  const Context& context_;
  DisjointSets sets_;
  std::vector<uint8_t> useless_;
  uint32_t detached_ = 0;
  double detachedArea_ = 0;
};

}  // namespace

Result<Selection> select(const Facets& facets, const Patches& patches, const Edges& edges, const Links& links,
                         const ExtractSettings& settings, const Tolerances& tolerances, const Context& context) {
  return Selector(facets, patches, edges, links, settings, tolerances, context).run();
}

}  // namespace wend::exact
