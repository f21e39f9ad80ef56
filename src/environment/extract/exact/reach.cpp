#include "environment/extract/exact/reach.h"

#include <algorithm>
#include <cmath>

#include "environment/extract/exact/side_partners.h"

namespace wend::exact {
namespace {

class Spreading {
 public:
  Spreading(const Soup& soup, const Facets& facets, const BoxTree& surfaces, const Tolerances& tolerances,
            std::span<const uint32_t> others, const std::function<bool(uint32_t)>& mayWalk)
      : soup_(soup),
        facets_(facets),
        rest_(surfaces),
        tol_(tolerances),
        climb_(tolerances.step + tolerances.contact),
        mayWalk_(mayWalk),
        reached_(facets.list.size(), 0) {
    if (others.empty()) return;
    other_.assign(soup.triangles.size(), 0);
    for (const uint32_t t : others) other_[t] = 1;
  }

  std::vector<uint8_t> run(const ExtractSettings& settings) {
    for (const Vec3& seed : settings.seedPoints) {
      const Result<Point> p = settings.lattice.snap({seed.x, seed.y});
      if (!p.ok()) continue;
      const double z = seed.z / tol_.unit;
      reach({{p->x - 1, p->y - 1}, {p->x + 1, p->y + 1}}, z - tol_.height - climb_, z + climb_);
    }
    const auto gap = static_cast<int32_t>(std::ceil(tol_.gap + tol_.contact));
    while (!queue_.empty()) {
      const Triangle& triangle = soup_.triangles[queue_.back()];
      queue_.pop_back();
      Box box = triangle.box;
      box.min = {box.min.x - gap, box.min.y - gap};
      box.max = {box.max.x + gap, box.max.y + gap};
      // A level triangle meets another of its height only in an open range around it.
      reach(box, triangle.low - climb_ - 1, triangle.high + climb_ + 1);
    }
    return std::move(reached_);
  }

 private:
  void reach(const Box& box, double low, double high) {
    rest_.take(box, low, high, [&](uint32_t t) {
      const uint32_t facet = soup_.triangles[t].facet;
      if (facet == kNone) {
        if (!other_.empty() && other_[t] != 0 && mayWalk_(t)) queue_.push_back(t);
      } else if (reached_[facet] == 0) {
        reached_[facet] = 1;
        const auto triangles = facets_.trianglesOf(facets_.list[facet]);
        queue_.insert(queue_.end(), triangles.begin(), triangles.end());
      }
    });
  }

  const Soup& soup_;
  const Facets& facets_;
  BoxTree::Rest rest_;
  const Tolerances& tol_;
  double climb_;
  const std::function<bool(uint32_t)>& mayWalk_;
  std::vector<uint8_t> reached_;  // by facet
  std::vector<uint8_t> other_;    // by triangle: to be asked about
  std::vector<uint32_t> queue_;   // triangles
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

std::vector<uint8_t> withinReach(const Soup& soup, const Facets& facets, const BoxTree& surfaces,
                                 const ExtractSettings& settings, const Tolerances& tolerances,
                                 std::span<const uint32_t> others, const std::function<bool(uint32_t)>& mayWalk) {
  if (settings.seedPoints.empty()) return std::vector<uint8_t>(facets.list.size(), 1);
  return Spreading(soup, facets, surfaces, tolerances, others, mayWalk).run(settings);
}

}  // namespace wend::exact
