#include "environment/extract/exact/layers/footprint.h"

namespace wend::exact {

void Footprint::add(std::span<const uint32_t> patches, const Box& reached) {
  own_.clear();
  for (const uint32_t patch : patches) {
    const Facet& facet = facets_.list[patches_.facet[patch]];
    if (!meet(facet.box, reached)) continue;
    for (uint32_t i = patchTriangles_.begin[patch]; i < patchTriangles_.begin[patch + 1]; ++i) {
      own_.push_back(extentOf(patchTriangles_.triangles[i], facet.plane));
      triangles_.push_back(i);
    }
  }
  tree_.add(own_);
}

bool Footprint::overlaps(uint32_t patch) const {
  const Plane& plane = facets_.list[patches_.facet[patch]].plane;
  for (uint32_t i = patchTriangles_.begin[patch]; i < patchTriangles_.begin[patch + 1]; ++i) {
    const BoxTree::Extent extent = extentOf(patchTriangles_.triangles[i], plane);
    bool found = false;
    tree_.forEach(extent.box, [&](uint32_t item) {
      found =
          found || (mayLieAbove(extent, tree_[item], tol_) &&
                    overlapBy(tol_.overlap, patchTriangles_.triangles[i], patchTriangles_.triangles[triangles_[item]]));
    });
    if (found) return true;
  }
  return false;
}

void Footprint::clear() {
  if (triangles_.empty()) return;
  tree_ = {};
  triangles_.clear();
}

}  // namespace wend::exact
