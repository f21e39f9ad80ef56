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

// Whether a floor is the bottom of a slit that parts its sides.
bool isBottom(const Slit& slit, const Plane& floor, const Tolerances& tol) {
  double low = floor.at(slit.area[0]);
  double high = low;
  for (const Point p : slit.area) {
    low = std::min(low, floor.at(p));
    high = std::max(high, floor.at(p));
  }
  return high < slit.low - tol.contact && low < slit.high - tol.step - tol.contact &&
         low > slit.low - tol.height + tol.contact;
}

// Facet and slit, for the slits that a floor is the bottom of.
using Bottoms = std::vector<std::pair<uint32_t, uint32_t>>;

Bottoms findBottoms(const std::vector<Slit>& slits, const Soup& soup, const Facets& facets, const TriangleTrees& trees,
                    const std::vector<uint8_t>& wanted, const Tolerances& tolerances) {
  Bottoms bottoms;
  for (uint32_t i = 0; i < slits.size(); ++i) {
    const Slit& slit = slits[i];
    const auto look = [&](uint32_t triangle) {
      const Triangle& t = soup.triangles[triangle];
      if (!t.walkable || t.facet == kNone || wanted[t.facet] == 0) return;
      if (isBottom(slit, facets.list[t.facet].plane, tolerances) && overlap(topOf(soup, t), slit.area)) {
        bottoms.emplace_back(t.facet, i);
      }
    };
    const Box box = boxOf(slit.area);
    trees.others.forEach(box, slit.low - tolerances.height, slit.low, look);
    trees.walls.forEach(box, slit.low - tolerances.height, slit.low, look);
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
  bool any = false;
  before.clear();
  for (uint32_t p = 0; p < patches.count(); ++p) {
    pieces.clear();
    const auto own = ofFacet(bottoms, patches.facet[p]);
    if (!own.empty()) {
      const Box box = boxOf(patches.rings.ring(patches.firstRing[p]));
      for (const auto& [facet, slit] : own) {
        Convex area;
        for (const Point q : slits[slit].area) area.add(q);
        if (tidy(area) && overlap(boxOf(area.ring()), box)) pieces.push_back(area);
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
