#pragma once

#include <span>
#include <vector>

#include "mesh/side_pieces.h"

// Where pieces with an end off the lattice must be cut: as in exact_cuts.h, but within a tolerance. Two pieces lie on
// one line if they stay within the tolerance of each other where they overlap. Pairs of pieces that both have their
// ends on the lattice are left alone: exact_cuts.h has decided about them.
namespace wend {

std::vector<Cut> nearCutsAtConnections(std::span<const SidePiece> pieces, std::span<const uint32_t> loose,
                                       std::span<const ConnectionEdge> connectionEdges, const Welding& welding,
                                       double tolerance);
void nearlyEnterConnections(std::span<SidePiece> pieces, std::span<const uint32_t> loose,
                            std::span<const ConnectionEdge> connectionEdges, const Welding& welding, double tolerance);

// Expected O(n log n) for pieces that are short, axis-parallel or spread evenly.
std::vector<Cut> nearCutsAtOpposite(std::span<const SidePiece> pieces, std::span<const uint32_t> loose,
                                    const Welding& welding, double tolerance);

}  // namespace wend
