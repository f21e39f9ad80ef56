#include "environment/extract/exact/free_space/patch_cutter.h"

#include <utility>

#include "environment/extract/exact/free_space/necks.h"

namespace wend::exact {

Status PatchCutter::cut(Rings& outline, std::span<const Convex> pieces, uint32_t facet, Patches& patches) {
  const Status cut = cutter_.cut(outline, pieces, CutPart::kOutside, free_);
  tests_ = cutter_.tests();
  if (!cut.ok()) return cut;
  plugs_.clear();
  findPlugs(free_, tol_, plugs_);
  if (!plugs_.empty() && dropHairs(free_, tol_)) {
    plugs_.clear();
    findPlugs(free_, tol_, plugs_);
  }
  if (!plugs_.empty()) {
    std::swap(free_, outline);
    const Status plugged = cutter_.cut(outline, plugs_, CutPart::kOutside, free_);
    tests_ += cutter_.tests();
    if (!plugged.ok()) return plugged;
  }
  if (free_.count() == 1) {
    const std::span<const Point> ring = free_.ring(0);
    const double area = doubledAreaOf(ring);
    if (!(area > 0) || area < tol_.sliver * lengthAround(ring)) return Done{};
    patches.rings.add(ring);
    patches.close(facet, false);
    return Done{};
  }
  for (const Polygon& polygon : polygonsOf(free_)) {
    double area = doubledAreaOf(polygon.outer);
    double around = lengthAround(polygon.outer);
    for (const Ring& hole : polygon.holes) {
      area += doubledAreaOf(hole);
      around += lengthAround(hole);
    }
    if (area < tol_.sliver * around) continue;
    patches.add(polygon, facet);
  }
  return Done{};
}

}  // namespace wend::exact
