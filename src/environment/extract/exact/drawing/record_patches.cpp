#include "environment/extract/exact/drawing/record_patches.h"

#include "environment/extract/exact/drawing/patch_triangles.h"

namespace wend::exact {

void recordPatches(const extraction::Soup& soup, const extraction::Facets& facets, const Patches& patches, double unit,
                   const std::function<std::optional<extraction::Fate>(uint32_t patch)>& fateOf, const Context& context,
                   extraction::Record& record) {
  Selection wanted;
  wanted.component.assign(patches.count(), kNone);
  for (uint32_t p = 0; p < patches.count(); ++p) {
    if (fateOf(p)) wanted.component[p] = 0;
  }
  const PatchTriangles triangles = triangulatePatches(soup, facets, patches, wanted, context);
  uint32_t next = record.piece.empty() ? 0 : record.piece.back() + 1;
  for (uint32_t p = 0; p < patches.count(); ++p) {
    const std::optional<extraction::Fate> fate = fateOf(p);
    if (!fate) continue;
    const extraction::Plane& plane = facets.list[patches.facet[p]].plane;
    const auto lift = [&](Point q) { return Vec3{q.x * unit, q.y * unit, plane.at(q) * unit}; };
    for (const std::array<Point, 3>& t : triangles.of(p)) {
      record.free.push_back({lift(t[0]), lift(t[1]), lift(t[2])});
      record.piece.push_back(next);
      record.fate.push_back(*fate);
    }
    ++next;
    for (uint32_t r = patches.firstRing[p]; r < patches.firstRing[p + 1]; ++r) {
      const std::span<const Point> ring = patches.rings.ring(r);
      for (size_t i = 0; i < ring.size(); ++i) {
        record.borders.push_back({lift(ring[i]), lift(ring[i + 1 == ring.size() ? 0 : i + 1])});
      }
    }
  }
}

}  // namespace wend::exact
