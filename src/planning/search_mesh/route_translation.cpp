#include "planning/search_mesh/route_translation.h"

#include <cmath>

namespace wend {
namespace {

// Metres divided by the unit miss a lattice point by rounding; corners of walls must be met exactly.
Vec2 unitsOf(const Lattice& lattice, const Vec3& point) {
  constexpr double kRounding = 1e-6;
  const Vec2 units = lattice.toUnits({point.x, point.y});
  const Vec2 whole{std::round(units.x), std::round(units.y)};
  return std::abs(whole.x - units.x) < kRounding && std::abs(whole.y - units.y) < kRounding ? whole : units;
}

class Walk {
 public:
  Walk(const NavMesh& mesh, const Locator& locator, TranslationScratch& scratch, Route& route)
      : mesh_(mesh), locator_(locator), route_(route), walk_(mesh, scratch.visits, route, &scratch.triangles) {}

  bool go(CellId start, Vec2 at, bool alongWalls) {
    walk_.start(start, at);
    for (size_t i = 1; i < route_.points.size(); ++i) {
      if (!goTo(route_.points[i], alongWalls || i + 1 == route_.points.size())) return false;
    }
    // By rounding the last step may end beside the goal's cell.
    return walk_.along(unitsOf(mesh_.lattice(), route_.points.back()));
  }

 private:
  // Along the side of a stair a segment may also be followed on the floor beside it: the heights tell.
  bool goTo(const Vec3& point, bool looksAtHeight) {
    const Vec2 p = unitsOf(mesh_.lattice(), point);
    const auto isThere = [&] { return !looksAtHeight || isAtHeight(point); };
    const CellWalk::Mark mark = walk_.mark();
    for (const int beside : {1, -1}) {
      if (walk_.to(p, beside) && isThere()) return true;
      walk_.back(mark);
    }
    return walk_.along(p) && isThere();
  }
  bool isAtHeight(const Vec3& point) const {
    constexpr double kSameHeight = 0.05;  // metres; floors above each other are farther apart
    return mesh_.layerCount() == 1 ||
           std::abs(locator_.height({point.x, point.y}, mesh_.layerOf(walk_.cell())) - point.z) <= kSameHeight;
  }

  const NavMesh& mesh_;
  const Locator& locator_;
  Route& route_;
  CellWalk walk_;
};

}  // namespace

bool translateRoute(const NavMesh& mesh, const Locator& locator, CellId start, Vec2 at, bool alongWalls,
                    TranslationScratch& scratch, Route& route) {
  route.shrunkPortals.clear();
  route.cells.clear();
  route.portals.clear();
  if (Walk(mesh, locator, scratch, route).go(start, at, alongWalls)) return true;
  route.cells.clear();
  route.portals.clear();
  return false;
}

}  // namespace wend
