#include "environment/extract/exact/free_space/slits.h"

#include <algorithm>
#include <span>
#include <utility>

#include "environment/extract/effort.h"
#include "environment/extract/exact/free_space/convex_covers.h"
#include "environment/extract/exact/free_space/patch_cutter.h"
#include "environment/extract/exact/free_space/triangles_above.h"

namespace wend::exact {
namespace {

double lowestIn(const Slit& slit, const Plane& floor) {
  double low = floor.at(slit.area[0]);
  for (const Point p : slit.area) low = std::min(low, floor.at(p));
  return low;
}

double highestIn(const Slit& slit, const Plane& floor) {
  double high = floor.at(slit.area[0]);
  for (const Point p : slit.area) high = std::max(high, floor.at(p));
  return high;
}

// Whether a triangle, counter-clockwise, holds all of an area.
bool holds(const std::array<Point, 3>& triangle, const std::array<Point, 4>& area) {
  for (size_t i = 0; i < 3; ++i) {
    for (const Point p : area) {
      if (orient(triangle[i], triangle[i == 2 ? 0 : i + 1], p) < 0) return false;
    }
  }
  return true;
}

// Whether a floor is the bottom of a slit that parts its sides.
bool isBottom(const Slit& slit, const Plane& floor, const Tolerances& tol) {
  const double low = lowestIn(slit, floor);
  const double high = highestIn(slit, floor);
  return high < slit.low - tol.contact && low < slit.high - tol.step - tol.contact &&
         low > slit.low - tol.height + tol.contact;
}

// Facet and slit, for the slits that a floor is the bottom of.
using Bottoms = std::vector<std::pair<uint32_t, uint32_t>>;

Bottoms findBottoms(const std::vector<Slit>& slits, const Soup& soup, const Facets& facets, const TriangleTrees& trees,
                    const std::vector<uint8_t>& wanted, const Tolerances& tolerances) {
  Bottoms bottoms;
  std::vector<double> covers;  // the lowest places of floors under all of a slit
  for (uint32_t i = 0; i < slits.size(); ++i) {
    const Slit& slit = slits[i];
    const size_t first = bottoms.size();
    covers.clear();
    const auto look = [&](uint32_t triangle) {
      const Triangle& t = soup.triangles[triangle];
      if (!t.walkable || t.facet == kNone) return;
      const std::array<Point, 3> top = topOf(soup, t);
      if (!overlap(top, slit.area)) return;
      const Plane& plane = facets.list[t.facet].plane;
      if (holds(top, slit.area)) covers.push_back(lowestIn(slit, plane));
      if (wanted[t.facet] != 0 && isBottom(slit, plane, tolerances)) bottoms.emplace_back(t.facet, i);
    };
    const Box box = boxOf(slit.area);
    trees.others.forEach(box, slit.low - tolerances.height, slit.low, look);
    trees.walls.forEach(box, slit.low - tolerances.height, slit.low, look);
    // What lies under a table is no floor under a slit between the things on it.
    if (covers.empty()) continue;
    const double cover = *std::max_element(covers.begin(), covers.end());
    size_t kept = first;
    for (size_t k = first; k < bottoms.size(); ++k) {
      if (highestIn(slit, facets.list[bottoms[k].first].plane) >= cover - 2 * tolerances.contact) {
        bottoms[kept++] = bottoms[k];
      }
    }
    bottoms.resize(kept);
  }
  std::sort(bottoms.begin(), bottoms.end());
  bottoms.erase(std::unique(bottoms.begin(), bottoms.end()), bottoms.end());
  return bottoms;
}

std::span<const std::pair<uint32_t, uint32_t>> ofFacet(const Bottoms& bottoms, uint32_t facet) {
  const auto begin = std::lower_bound(bottoms.begin(), bottoms.end(), std::pair(facet, 0U));
  const auto end = std::lower_bound(begin, bottoms.end(), std::pair(facet + 1, 0U));
  return {begin, end};
}

struct Area {
  Convex piece;
  Box box;
};

void copyPatch(const Patches& from, uint32_t patch, Patches& to) {
  for (uint32_t r = from.firstRing[patch]; r < from.firstRing[patch + 1]; ++r) to.rings.add(from.rings.ring(r));
  to.close(from.facet[patch], from.whole[patch] != 0);
}

}  // namespace

bool closeSlits(const std::vector<Slit>& slits, const Soup& soup, const Facets& facets, const TriangleTrees& trees,
                const std::vector<uint8_t>& wanted, const Tolerances& tolerances, Patches& patches,
                std::vector<uint32_t>& before) {
  const Bottoms bottoms = findBottoms(slits, soup, facets, trees, wanted, tolerances);
  if (bottoms.empty()) return false;
  PatchCutter cutter({kMostPairsOfFloor, kMostTestsOfFloor}, tolerances);
  Patches result;
  std::vector<Convex> pieces;
  Rings outline;
  std::vector<Area> areas(slits.size());
  for (size_t i = 0; i < slits.size(); ++i) {
    for (const Point q : slits[i].area) areas[i].piece.add(q);
    if (tidy(areas[i].piece)) areas[i].box = boxOf(areas[i].piece.ring());
  }
  bool any = false;
  before.clear();
  for (uint32_t p = 0; p < patches.count(); ++p) {
    pieces.clear();
    const auto own = ofFacet(bottoms, patches.facet[p]);
    if (!own.empty()) {
      const Box box = boxOf(patches.rings.ring(patches.firstRing[p]));
      for (const auto& [facet, slit] : own) {
        const Area& area = areas[slit];
        if (overlap(area.box, box)) pieces.push_back(area.piece);
      }
    }
    if (!pieces.empty()) {
      outline.clear();
      for (uint32_t r = patches.firstRing[p]; r < patches.firstRing[p + 1]; ++r) outline.add(patches.rings.ring(r));
      any = true;
      if (cutter.cut(outline, pieces, patches.facet[p], result).ok()) {
        before.resize(result.rings.points.size(), kNone);
        continue;
      }
    }
    copyPatch(patches, p, result);
    for (uint32_t i = patches.rings.begin[patches.firstRing[p]]; before.size() < result.rings.points.size(); ++i) {
      before.push_back(i);
    }
  }
  patches = std::move(result);
  return any;
}

}  // namespace wend::exact
