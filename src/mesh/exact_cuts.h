#pragma once

#include <optional>
#include <span>
#include <vector>

#include "mesh/side_pieces.h"

// Where pieces with both ends on the lattice must be cut. Pieces lie on one line iff the line's primitive direction and
// offset are equal, so nothing is rounded. Pieces with another end are left alone.
namespace wend {

// Cuts at the ends of gates that lie inside a piece of the gate's layer, in the gate's direction.
std::vector<Cut> cutsAtGates(std::span<const SidePiece> pieces, std::span<const uint32_t> loose,
                             std::span<const Gate> gates, const Welding& welding);

// Gives pieces that lie within a gate the gate's domain.
void enterWiderGates(std::span<SidePiece> pieces, std::span<const uint32_t> loose, std::span<const Gate> gates,
                     const Welding& welding);

struct ExactCuts {
  std::vector<Cut> cuts;
  std::optional<SameWay> clash;
};
// Cuts at the ends of overlapping opposite pieces of the same domain. O(n log n).
ExactCuts cutsAtOpposite(std::span<const SidePiece> pieces, std::span<const uint32_t> loose, const Welding& welding);

}  // namespace wend
