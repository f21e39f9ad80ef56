#pragma once

#include <cstdint>
#include <vector>

#include "generators/ecm/diagram.h"
#include "generators/ecm/open_passages.h"
#include "generators/ecm/open_zone.h"

// Putting the new diagram of a zone in the place of the old one.
namespace wend::ecm {

// Removes the obstacle of the zone and its outline. Both visits of an end become one site, that of face A. Edges that
// enter the zone grow into it; new edges without length become one vertex. New vertices get the layer that a walk from
// the outline along the tree ends in.
//
// `lengths`, per site, is kept: the number of half-edges of its chain. Points with nothing closed left around them are
// bare points now; they are appended to `bare`, to be removed too. O(m) and the walks.
void spliceZone(Diagram& diagram, const Zone& zone, const ZoneTree& tree, const Passages& passages,
                std::vector<uint32_t>& lengths, std::vector<uint32_t>& bare);

// New vertices at most this part of their coordinates apart (at least of 1) are one: ties of symmetric worlds.
inline constexpr double kSamePlace = 1e-12;

}  // namespace wend::ecm
