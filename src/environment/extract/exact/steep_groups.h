#pragma once

#include <cstdint>
#include <vector>

#include "environment/extract/exact/facets.h"
#include "environment/extract/exact/side_partners.h"

// A quick look at steep faces, before each is looked at closely: which of them may be risers? Faces that share sides
// are a group, and most groups lead to no floor, are too high all over, or have a floor beneath.
namespace wend::exact {

// Where a side of a steep triangle leads, as bits.
inline constexpr uint8_t kBelow = 1;
inline constexpr uint8_t kAbove = 2;
uint8_t wayBeyond(const Soup& soup, const Triangle& triangle, uint32_t side);  // 0: along

// Steep triangles whose group has floors both below and above, no more than a step apart as far as can be told so. The
// tree is surfaceTree(). Expected O(n).
std::vector<uint32_t> riserCandidates(const Soup& soup, const Facets& facets, const SidePartners& partners,
                                      const BoxTree& surfaces, const Tolerances& tolerances);

}  // namespace wend::exact
