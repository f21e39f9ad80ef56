#include "environment/extract/exact/free_space/slits.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "base/parallel.h"
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

class BottomFinder {
 public:
  BottomFinder(const std::vector<Slit>& slits, const Soup& soup, const Facets& facets, const TriangleTrees& trees,
               const std::vector<uint8_t>& wanted, const Tolerances& tolerances)
      : slits_(slits), soup_(soup), facets_(facets), trees_(trees), wanted_(wanted), tol_(tolerances) {}

  Bottoms run(const Context& context) const {
    std::vector<Bottoms> found((slits_.size() + kSlitsPerTask - 1) / kSlitsPerTask);
    parallelFor(found.size(), context, [&](size_t block) {
      const size_t end = std::min(slits_.size(), (block + 1) * kSlitsPerTask);
      for (size_t i = block * kSlitsPerTask; i < end; ++i) findOf(static_cast<uint32_t>(i), found[block]);
    });
    Bottoms bottoms;
    for (const Bottoms& part : found) bottoms.insert(bottoms.end(), part.begin(), part.end());
    std::sort(bottoms.begin(), bottoms.end());
    bottoms.erase(std::unique(bottoms.begin(), bottoms.end()), bottoms.end());
    return bottoms;
  }

 private:
  static constexpr size_t kSlitsPerTask = 32;

  void findOf(uint32_t i, Bottoms& bottoms) const {
    const Slit& slit = slits_[i];
    const size_t first = bottoms.size();
    double cover = -INFINITY;  // the highest of the lowest places of floors under all of the slit
    const auto look = [&](uint32_t triangle) {
      const Triangle& t = soup_.triangles[triangle];
      if (!t.walkable || t.facet == kNone) return;
      const std::array<Point, 3> top = topOf(soup_, t);
      if (!overlap(top, slit.area)) return;
      const Plane& plane = facets_.list[t.facet].plane;
      if (holds(top, slit.area)) cover = std::max(cover, lowestIn(slit, plane));
      if (wanted_[t.facet] != 0 && isBottom(slit, plane, tol_)) bottoms.emplace_back(t.facet, i);
    };
    const Box box = boxOf(slit.area);
    trees_.others.forEach(box, slit.low - tol_.height, slit.low, look);
    trees_.walls.forEach(box, slit.low - tol_.height, slit.low, look);
    // What lies under a table is no floor under a slit between the things on it.
    size_t kept = first;
    for (size_t k = first; k < bottoms.size(); ++k) {
      if (highestIn(slit, facets_.list[bottoms[k].first].plane) >= cover - 2 * tol_.contact) {
        bottoms[kept++] = bottoms[k];
      }
    }
    bottoms.resize(kept);
  }

  const std::vector<Slit>& slits_;
  const Soup& soup_;
  const Facets& facets_;
  const TriangleTrees& trees_;
  const std::vector<uint8_t>& wanted_;
  const Tolerances& tol_;
};

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
                const std::vector<uint8_t>& wanted, const Tolerances& tolerances, const Context& context,
                Patches& patches, std::vector<uint32_t>& before) {
  const Bottoms bottoms = BottomFinder(slits, soup, facets, trees, wanted, tolerances).run(context);
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
