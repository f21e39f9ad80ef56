#include "environment/extract/exact/reach.h"

#include <algorithm>
#include <cmath>

#include "environment/extract/exact/apart.h"

namespace wend::exact {
namespace {

// Where so many were found to be apart for each triangle of the scene, boxes must do.
constexpr size_t kMostApart = 64;

class Spreading {
 public:
  Spreading(const Surfaces& surfaces, const Tolerances& tolerances)
      : soup_(surfaces.soup),
        facets_(surfaces.facets),
        areas_(surfaces.areas),
        rest_(surfaces.tree),
        tol_(tolerances),
        climb_(tolerances.step + tolerances.contact),
        reached_(areas_.size(), 0) {
    if (surfaces.others.empty()) return;
    otherOf_.assign(soup_.triangles.size(), kNone);
    for (uint32_t i = 0; i < surfaces.others.size(); ++i) {
      otherOf_[surfaces.others[i]] = static_cast<uint32_t>(facets_.list.size()) + i;
    }
  }

  std::vector<uint8_t> run(const ExtractSettings& settings) {
    for (const Vec3& seed : settings.seedPoints) {
      const Result<Point> p = settings.lattice.snap({seed.x, seed.y});
      if (!p.ok()) continue;
      const double z = seed.z / tol_.unit;
      reach({{p->x - 1, p->y - 1}, {p->x + 1, p->y + 1}}, z - tol_.height - climb_, z + climb_,
            [](uint32_t) { return true; });
    }
    const double distance = tol_.gap + tol_.contact;
    const auto margin = static_cast<int32_t>(std::ceil(distance));
    // Floors may be off the planes of their facets.
    const double climb = climb_ + 2 * tol_.plane + 1;
    while (!queue_.empty()) {
      const Triangle& from = soup_.triangles[queue_.back()];
      queue_.pop_back();
      Box box = from.box;
      box.min = {box.min.x - margin, box.min.y - margin};
      box.max = {box.max.x + margin, box.max.y + margin};
      reach(box, from.low - climb, from.high + climb, [&](uint32_t t) {
        if (!areApart(soup_, from, soup_.triangles[t], distance)) return true;
        return ++apart_ > kMostApart * soup_.triangles.size();
      });
    }
    return std::move(reached_);
  }

 private:
  template <typename IsNear>
  void reach(const Box& box, double low, double high, const IsNear& isNear) {
    rest_.take(box, low, high, [&](uint32_t t) {
      const uint32_t facet = soup_.triangles[t].facet;
      const uint32_t surface = facet != kNone ? facet : otherOf_.empty() ? kNone : otherOf_[t];
      if (surface == kNone || reached_[surface] != 0 || !(areas_[surface] > 0)) return true;
      if (!isNear(t)) return false;
      reached_[surface] = 1;
      if (facet == kNone) {
        queue_.push_back(t);
      } else {
        const auto triangles = facets_.trianglesOf(facets_.list[facet]);
        queue_.insert(queue_.end(), triangles.begin(), triangles.end());
      }
      return true;
    });
  }

  const Soup& soup_;
  const Facets& facets_;
  const std::vector<double>& areas_;
  BoxTree::Rest rest_;
  const Tolerances& tol_;
  double climb_;
  std::vector<uint8_t> reached_;   // by surface
  std::vector<uint32_t> otherOf_;  // by triangle: the surface if it is no facet
  std::vector<uint32_t> queue_;    // triangles
  size_t apart_ = 0;
};

}  // namespace

BoxTree surfaceTree(const Soup& soup, const Context& context) {
  std::vector<BoxTree::Extent> extents;
  std::vector<uint32_t> triangles;
  extents.reserve(soup.triangles.size());
  triangles.reserve(soup.triangles.size());
  for (uint32_t i = 0; i < soup.triangles.size(); ++i) {
    const Triangle& t = soup.triangles[i];
    if (!t.walkable && !isSteep(t)) continue;
    extents.push_back({t.box, t.low, t.high});
    triangles.push_back(i);
  }
  return BoxTree(extents, &context, triangles);
}

std::vector<uint8_t> withinReach(const Surfaces& surfaces, const ExtractSettings& settings,
                                 const Tolerances& tolerances) {
  return Spreading(surfaces, tolerances).run(settings);
}

}  // namespace wend::exact
