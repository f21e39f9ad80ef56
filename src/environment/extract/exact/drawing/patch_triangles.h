#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "environment/extract/exact/layers/selection.h"

// The wanted patches as triangles: for heights, and to see which patches lie above each other.
namespace wend::exact {

struct PatchTriangles {
  std::vector<std::array<Point, 3>> triangles;  // counter-clockwise
  std::vector<uint32_t> begin;                  // of each patch, one more than patches
  std::span<const std::array<Point, 3>> of(uint32_t patch) const {
    return std::span(triangles).subspan(begin[patch], begin[patch + 1] - begin[patch]);
  }
};

// Patches that nothing covers keep their input triangles.
PatchTriangles triangulatePatches(const Soup& soup, const Facets& facets, const Patches& patches,
                                  const Selection& selection, const Context& context);

BoxTree::Extent extentOf(const std::array<Point, 3>& triangle, const Plane& plane);
// Whether one of two triangles that overlap in top view is another floor: free floors in the same place are the head
// room apart.
inline bool mayLieAbove(const BoxTree::Extent& p, const BoxTree::Extent& q, const Tolerances& tolerances) {
  const double apart = 0.5 * tolerances.height - 1;
  return q.high > p.low + apart || p.high > q.low + apart;
}
// Whether two counter-clockwise triangles overlap by more than a depth.
bool overlapBy(double depth, const std::array<Point, 3>& p, const std::array<Point, 3>& q);

}  // namespace wend::exact
