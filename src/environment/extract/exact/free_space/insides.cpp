#include "environment/extract/exact/free_space/insides.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "base/parallel.h"

namespace wend::exact {
namespace {

constexpr size_t kBlock = 64;  // patches per task

// The middle of the longest part of a line across a patch, at a share of its extent.
std::optional<Point> placeOn(const Patches& patches, uint32_t patch, const Box& box, double share) {
  // Between lattice points, so that no corner lies on it.
  const double y = std::floor(box.min.y + share * (double(box.max.y) - box.min.y)) + 0.5;
  std::vector<double> crossings;
  for (uint32_t r = patches.firstRing[patch]; r < patches.firstRing[patch + 1]; ++r) {
    const auto ring = patches.rings.ring(r);
    Point a = ring.back();
    for (const Point b : ring) {
      if ((a.y < y) != (b.y < y)) crossings.push_back(a.x + (y - a.y) * (double(b.x) - a.x) / (double(b.y) - a.y));
      a = b;
    }
  }
  std::sort(crossings.begin(), crossings.end());
  double longest = 4;  // units: the place is rounded
  std::optional<Point> best;
  for (size_t i = 0; i + 1 < crossings.size(); i += 2) {
    if (crossings[i + 1] - crossings[i] <= longest) continue;
    longest = crossings[i + 1] - crossings[i];
    best = rounded(0.5 * (crossings[i] + crossings[i + 1]), y);
  }
  return best;
}

}  // namespace

std::vector<uint8_t> findInsides(const Solids& solids, const Facets& facets, const Patches& patches,
                                 const Tolerances& tolerances, const Context& context) {
  if (!solids.any()) return {};
  // Nothing lies between a step and the head room above what is free.
  const double above = 0.5 * (tolerances.step + tolerances.height);
  std::vector<uint8_t> marks(patches.count(), 0);
  parallelBlocks(patches.count(), kBlock, context, [&](size_t begin, size_t end) {
    for (auto p = static_cast<uint32_t>(begin); p < end; ++p) {
      const Facet& facet = facets.list[patches.facet[p]];
      if (!solids.mayHold(facet.box, facet.low + above, facet.high + above)) continue;
      const uint32_t first = patches.rings.begin[patches.firstRing[p]];
      const uint32_t last = patches.rings.begin[patches.firstRing[p] + 1];
      const Box box = boxOf(std::span(patches.rings.points).subspan(first, last - first));
      // All places of a patch lie inside or none, but above one there may be a crack.
      const bool torn = solids.isTorn(facet.box, facet.low + above, facet.high + above);
      uint32_t asked = 0;
      uint32_t held = 0;
      for (const double share : {0.5, 0.25, 0.75}) {
        const std::optional<Point> place = placeOn(patches, p, box, share);
        if (!place) continue;
        ++asked;
        held += solids.holds(*place, facet.plane.at(*place) + above) ? 1 : 0;
        if (held < asked && (!torn || asked - held == 2)) break;
      }
      marks[p] = torn ? (2 * held > asked ? 1 : 0) : (held == asked && asked > 0 ? 1 : 0);
    }
  });
  if (std::none_of(marks.begin(), marks.end(), [](uint8_t mark) { return mark != 0; })) return {};
  return marks;
}

}  // namespace wend::exact
