#pragma once

#include <cstdint>
#include <vector>

#include "environment/extract/exact/facets.h"
#include "environment/extract/exact/steep_borders.h"

// A quick look at steep faces, before each is looked at closely: which of them may be risers? Faces that share sides
// are a group, and most groups lead to no floor, are too high all over, or have a floor beneath.
namespace wend::exact {

// Where a side of a steep triangle leads, as bits.
inline constexpr uint8_t kBelow = 1;
inline constexpr uint8_t kAbove = 2;
uint8_t wayBeyond(const SteepFace& face, uint32_t side);  // 0: along

// Steep triangles whose group has floors both below and above, and whose own lines may come to both within a step as
// far as can be told so. The tree is surfaceTree(). Expected O(n log n).
std::vector<uint32_t> riserCandidates(const Soup& soup, const Facets& facets, const SidePartners& partners,
                                      const SteepFaces& faces, const SteepBorders& borders, const BoxTree& surfaces,
                                      const Tolerances& tolerances);

}  // namespace wend::exact
