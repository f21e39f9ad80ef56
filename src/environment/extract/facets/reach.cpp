#include "environment/extract/facets/reach.h"

#include <algorithm>
#include <cmath>

#include "environment/extract/facets/near_triangles.h"

namespace wend::extraction {
namespace {

// Where so many were met that are not near, for each triangle of the scene, boxes must do.
constexpr size_t kMostFar = 64;

class Spreading {
 public:
  Spreading(const WalkableFaces& walkable, const Tolerances& tolerances)
      : soup_(walkable.soup),
        facets_(walkable.facets),
        areas_(walkable.areas),
        rest_(walkable.tree),
        tol_(tolerances),
        nearTriangles_(walkable.soup, tolerances),
        reached_(areas_.size(), 0) {
    if (walkable.others.empty()) return;
    otherOf_.assign(soup_.triangles.size(), kNone);
    for (uint32_t i = 0; i < walkable.others.size(); ++i) {
      otherOf_[walkable.others[i]] = static_cast<uint32_t>(facets_.list.size()) + i;
    }
  }

  std::vector<uint8_t> run(const ExtractSettings& settings) {
    const double climb = tol_.step + tol_.contact;
    for (const Vec3& seed : settings.seedPoints) {
      const Result<Point> p = settings.lattice.snap({seed.x, seed.y});
      if (!p.ok()) continue;
      const double z = seed.z / tol_.unit;
      const BoxTree::Extent around{{{p->x - 1, p->y - 1}, {p->x + 1, p->y + 1}},
                                   BoxTree::wholeFloor(z - tol_.height - climb),
                                   -BoxTree::wholeFloor(-z - climb)};
      reach({&around, 1}, [](uint32_t, uint32_t) { return true; });
    }
    NearTriangles::Boxes boxes;
    for (size_t i = 0; i < queue_.size();) {
      const auto around = nearTriangles_.around(std::span(queue_).subspan(i), boxes);
      reach(around, [&](uint32_t t, uint32_t which) {
        return nearTriangles_.anyNear(std::span(queue_).subspan(i), which, t) ||
               (which != 0 && ++far_ > kMostFar * soup_.triangles.size());
      });
      i += around.size();
    }
    return std::move(reached_);
  }

 private:
  template <typename IsNear>
  void reach(std::span<const BoxTree::Extent> boxes, const IsNear& isNear) {
    rest_.take(boxes, [&](uint32_t t, uint32_t which) {
      const uint32_t facet = soup_.triangles[t].facet;
      const uint32_t face = facet != kNone ? facet : otherOf_.empty() ? kNone : otherOf_[t];
      if (face == kNone || reached_[face] != 0 || !(areas_[face] > 0)) return true;
      if (!isNear(t, which)) return false;
      reached_[face] = 1;
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
  NearTriangles nearTriangles_;
  std::vector<uint8_t> reached_;   // by face
  std::vector<uint32_t> otherOf_;  // by triangle: the face if it is no facet
  std::vector<uint32_t> queue_;    // triangles
  size_t far_ = 0;
};

}  // namespace

BoxTree walkableTree(const Soup& soup, const Context& context) {
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

std::vector<uint8_t> withinReach(const WalkableFaces& walkable, const ExtractSettings& settings,
                                 const Tolerances& tolerances) {
  return Spreading(walkable, tolerances).run(settings);
}

}  // namespace wend::extraction
