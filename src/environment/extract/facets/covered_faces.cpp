#include <algorithm>
#include <array>

#include "environment/extract/facets/reach.h"

namespace wend::extraction {
namespace {

// So many floors are taken for covers: those with the largest triangles come first.
constexpr size_t kMostCovers = 256;
constexpr size_t kMostCorners = 16;

// A convex floor that others lie under.
class Cover {
 public:
  Cover(const Facets& facets, const Facet& floor, const Tolerances& tolerances)
      : floor_(floor), high_(tolerances.height - tolerances.contact - 1) {
    if (floor.ringCount != 1) return;
    ring_ = facets.outlines.ring(floor.firstRing);
    for (size_t i = 0; i < ring_.size(); ++i) {
      const Point next = ring_[(i + 1) % ring_.size()];
      if (orient(ring_[i], next, ring_[(i + 2) % ring_.size()]) < 0) ring_ = {};
    }
    if (ring_.size() > kMostCorners) ring_ = {};
  }
  bool any() const { return !ring_.empty(); }

  // Whether it covers a place at a height, more than `least` above it.
  bool covers(Point p, double z, double least) const {
    const double d = floor_.plane.at(p) - z;
    if (d <= least + 1 || d >= high_) return false;
    Point a = ring_.back();
    for (const Point b : ring_) {
      if (orient(a, b, p) < 0) return false;
      a = b;
    }
    return true;
  }

 private:
  const Facet& floor_;
  double high_;
  std::span<const Point> ring_;
};

}  // namespace

void WalkableFaces::leaveOutCovered(const Tolerances& tolerances) {
  if (tree.items().empty()) return;
  const size_t floors = facets.list.size();
  std::vector<uint32_t> otherOf(soup.triangles.size(), kNone);
  for (uint32_t i = 0; i < others.size(); ++i) otherOf[others[i]] = static_cast<uint32_t>(floors) + i;
  std::vector<uint32_t> lastCover(areas.size(), kNone);
  for (uint32_t g = 0; g < std::min(kMostCovers, floors); ++g) {
    const Facet& above = facets.list[g];
    // A wall that is a floor too covers a strip instead of itself.
    if (soup.triangles[facets.triangles[above.firstTriangle]].wall) continue;
    const Cover cover(facets, above, tolerances);
    if (!cover.any()) continue;
    tree.forEach(above.box, above.low - tolerances.height, above.high + tolerances.step, [&](uint32_t triangle) {
      const Triangle& t = soup.triangles[triangle];
      const uint32_t face = t.facet != kNone ? t.facet : otherOf[triangle];
      if (face == kNone || face == g || areas[face] == 0 || lastCover[face] == g) return;
      lastCover[face] = g;
      bool covered = true;
      if (face < floors) {
        const Facet& facet = facets.list[face];
        for (uint32_t r = 0; r < facet.ringCount && covered; ++r) {
          for (const Point p : facets.outlines.ring(facet.firstRing + r)) {
            covered = covered && cover.covers(p, facet.plane.at(p), tolerances.contact);
          }
        }
      } else {
        // A riser gives way to a floor within a step beneath it too.
        for (const Point3& p : soup.corners(t)) {
          covered = covered && cover.covers(p.top(), p.z, -tolerances.step - tolerances.contact);
        }
      }
      if (covered) areas[face] = 0;
    });
  }
}

}  // namespace wend::extraction
