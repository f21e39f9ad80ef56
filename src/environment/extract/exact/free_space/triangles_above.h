#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "environment/extract/exact/free_space/covered_cells.h"
#include "environment/extract/facets/facets.h"
#include "environment/extract/polygons/lattice_line.h"
#include "geometry/index/box_tree.h"

// Finds the triangles that may cover a part of the floors beneath them.
namespace wend::exact {

// Faces that rounding or a crack has laid upon each other are farther apart in height the steeper they are.
inline double contactOf(const Facet& riser, const Tolerances& tolerances) {
  return tolerances.contact * std::hypot(1.0, riser.plane.a, riser.plane.b);
}

// The corners in top view, counter-clockwise.
inline std::array<Point, 3> topOf(const Soup& soup, const Triangle& t) {
  std::array<Point, 3> p{soup.points[t.v[0]].top(), soup.points[t.v[1]].top(), soup.points[t.v[2]].top()};
  if (t.area < 0) std::swap(p[1], p[2]);
  return p;
}

// A triangle that may cover something, and a triangle of a facet beneath it.
inline uint32_t aboveOf(uint64_t pair) {
  return static_cast<uint32_t>(pair >> 32);
}
inline uint32_t beneathOf(uint64_t pair) {
  return static_cast<uint32_t>(pair);
}

// Not thread-safe: one per thread.
class TrianglesAbove {
 public:
  static constexpr size_t kMostFacets = 16;

  // Walls may be floors too if the slope allows.
  TrianglesAbove(const Soup& soup, const Facets& facets, const TriangleTrees& trees, const ExtractSettings& settings,
                 const Tolerances& tolerances, bool walkableWalls)
      : soup_(soup),
        facets_(facets),
        trees_(trees),
        settings_(settings),
        tol_(tolerances),
        walkableWalls_(walkableWalls),
        cells_(facets, tolerances) {}

  // Up to kMostFacets facets, best near each other.
  void find(std::span<const uint32_t> ids);
  // The same for one large facet, without what other large ones hide.
  void findSeen(uint32_t id);
  // The pairs of the i-th of them, in no order.
  std::vector<uint64_t>& pairsOf(size_t i) { return pairsOf_[i]; }

 private:
  static std::array<LatticeLine, 3> sidesOf(const std::array<Point, 3>& p) {
    return {{{p[0], p[1]}, {p[1], p[2]}, {p[2], p[0]}}};
  }
  // Whether one of the lines has a triangle beyond it: neighbours in a mesh, as a rule.
  static bool beyondOne(const std::array<LatticeLine, 3>& sides, const std::array<Point, 3>& p) {
    // Without branches: the results are not predictable.
    int beyond = 0;
    for (const LatticeLine& side : sides) {
      const int left = static_cast<int>(side.isLeft(p[0])) | static_cast<int>(side.isLeft(p[1])) |
                       static_cast<int>(side.isLeft(p[2]));
      beyond |= left ^ 1;
    }
    return beyond != 0;
  }
  // A triangle of a facet, and where to look for what may cover it.
  struct Floor {
    size_t slot;  // of its facet
    uint32_t facet;
    uint32_t triangle;
    bool riser;
    std::array<Point, 3> corners;
    std::array<LatticeLine, 3> sides;
    std::array<LatticeLine, 3> farSides;  // as far out as a wall may be whose strip reaches across a side
    // The height above which other triangles, floors, and for risers other risers may cover it.
    std::array<double, 3> lowest;
  };

  struct Near {
    uint32_t triangle, floor;
  };
  bool isFar(const Box& box) const;
  bool mayHaveManyAbove(const Facet& facet) const;
  void addFloor(const Facet& facet, size_t slot, uint32_t facetId, uint32_t id);
  void findAbove();
  void findNear(const BoxTree& tree, std::span<const BoxTree::Extent> places);

  const Soup& soup_;
  const Facets& facets_;
  const TriangleTrees& trees_;
  const ExtractSettings& settings_;
  const Tolerances& tol_;
  bool walkableWalls_;
  CoveredCells cells_;
  bool hiding_ = false;
  std::vector<Floor> floors_;
  std::vector<BoxTree::Extent> places_;  // where to look for what covers them
  std::vector<BoxTree::Extent> wallPlaces_;
  Box around_;
  double largest_ = 0;  // side
  std::vector<Near> near_;
  std::array<std::vector<uint64_t>, kMostFacets> pairsOf_;
};

}  // namespace wend::exact
