#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "environment/extract/facets/facets.h"
#include "environment/extract/steep/steep_faces.h"

// A quick test of steep faces before the exact one: finds those that may be risers. Faces that share sides
// are a group, and most groups lead to no floor, are too high all over, or have a floor beneath.
namespace wend::extraction {

// Where a side of a steep triangle leads, as bits.
inline constexpr uint8_t kBelow = 1;
inline constexpr uint8_t kAbove = 2;
uint8_t wayBeyond(const SteepFace& face, uint32_t side);  // 0: along

// Where a floor lies so near, a riser gives way to it. Most rounded things stand on one.
class CoveringFloors {
 public:
  // The tree is walkableTree().
  CoveringFloors(const Soup& soup, const Facets& facets, const BoxTree& walkable, const Tolerances& tolerances)
      : soup_(soup), facets_(facets), tree_(walkable), tol_(tolerances), limit_(tolerances.step + tolerances.contact) {}

  // Whether one floor lies under all of a box, within a step.
  bool cover(const Box& box, double low, double high) const;

 private:
  bool contains(const Facet& floor, const std::array<Point, 4>& box) const;

  const Soup& soup_;
  const Facets& facets_;
  const BoxTree& tree_;
  const Tolerances& tol_;
  double limit_;
};

// Steep triangles whose group has floors both below and above, no more than a step apart, by the bounds of the group.
// The tree is walkableTree(). Expected O(n).
std::vector<uint32_t> riserCandidates(const Soup& soup, const Facets& facets, const TriangleNeighbours& neighbours,
                                      const SteepFaces& faces, const BoxTree& walkable, const Tolerances& tolerances,
                                      const Context& context);

}  // namespace wend::extraction
