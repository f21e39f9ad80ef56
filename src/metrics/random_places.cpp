#include "metrics/random_places.h"

#include <algorithm>
#include <cmath>

#include "mesh/cell_geometry.h"

namespace wend {

Status checkTruth(const NavMesh& mesh, const NavMesh& truth) {
  const MeshTraits& traits = truth.info().traits;
  if (!traits.exact || !traits.convex || !traits.disjoint) {
    return Error{ErrorCode::kInvalidSettings,
                 "the mesh of the truth must be exact, with convex cells; bake it with the generator delaunay"};
  }
  if (truth.lattice() != mesh.lattice() || truth.layerCount() != mesh.layerCount()) {
    return Error{ErrorCode::kInvalidGeometry, "the mesh and that of the truth come from different environments"};
  }
  return Done{};
}

RandomPlaces::RandomPlaces(const NavMesh& truth) : truth_(truth), locator_(truth) {
  double sum = 0;
  for (CellId c = 0; c < truth.cellCount(); ++c) {
    const Vec2 o = startPoint(truth, truth.firstSide(c));
    for (SideId s = truth.firstSide(c) + 1; s + 1 < truth.endSide(c); ++s) {
      const Vec2 a = startPoint(truth, s);
      const Vec2 b = endPoint(truth, s);
      sum += (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
      reached_.push_back(sum);
      triangle_.push_back(s);
    }
  }
}

Vec3 RandomPlaces::pick(Random& random) const {
  const double at = random.real() * reached_.back();
  const auto found = std::upper_bound(reached_.begin(), reached_.end(), at) - reached_.begin();
  const SideId s = triangle_[std::min(static_cast<size_t>(found), triangle_.size() - 1)];
  const CellId cell = truth_.cellOf(s);
  const Vec2 o = startPoint(truth_, truth_.firstSide(cell));
  const Vec2 a = startPoint(truth_, s);
  const Vec2 b = endPoint(truth_, s);
  double u = random.real();
  double v = random.real();
  if (u + v > 1) {
    u = 1 - u;
    v = 1 - v;
  }
  const Vec2 p =
      truth_.lattice().toMetres(Vec2{o.x + u * (a.x - o.x) + v * (b.x - o.x), o.y + u * (a.y - o.y) + v * (b.y - o.y)});
  return {p.x, p.y, locator_.height(p, truth_.layerOf(cell))};
}

}  // namespace wend
