#pragma once

#include <vector>

#include "environment/extract/exact/drawing/patch_triangles.h"
#include "geometry/index/growing_tree.h"

// What some patches cover in top view: whether another one would overlap them. In place of a list of all pairs that
// overlap, which grows with the square of the storeys of a building.
namespace wend::exact {

class Footprint {
 public:
  Footprint(const Facets& facets, const Patches& patches, const PatchTriangles& patchTriangles,
            const Tolerances& tolerances)
      : facets_(facets), patches_(patches), patchTriangles_(patchTriangles), tol_(tolerances) {}

  // Those that may come into a box.
  void add(std::span<const uint32_t> patches,
           const Box& reached = {{-kMaxCoordinate, -kMaxCoordinate}, {kMaxCoordinate, kMaxCoordinate}});
  // Whether a patch lies above or below one of these.
  bool overlaps(uint32_t patch) const;
  void clear();

 private:
  const Facets& facets_;
  const Patches& patches_;
  const PatchTriangles& patchTriangles_;
  const Tolerances& tol_;
  GrowingTree tree_;
  std::vector<uint32_t> triangles_;  // of each item of the tree
  std::vector<BoxTree::Extent> own_;
};

}  // namespace wend::exact
