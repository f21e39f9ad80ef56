#pragma once

#include <optional>
#include <span>
#include <vector>

#include "mesh/side_pieces.h"

// Where pieces with both ends on the lattice must be cut. Pieces lie on one line iff the line's primitive direction and
// offset are equal, so nothing is rounded. Pieces with another end are left alone.
namespace wend {

// How pieces meet the connections of their layer that run in their direction.
struct ConnectionMeetings {
  struct Within {
    uint32_t piece = 0;
    uint32_t domain = 0;  // of the connection that it lies on
  };
  std::vector<Cut> cuts;  // at ends of connections that lie inside a piece
  std::vector<Within> within;
};
ConnectionMeetings meetConnections(std::span<const SidePiece> pieces, std::span<const uint32_t> loose,
                                   std::span<const ConnectionEdge> connectionEdges, const Welding& welding);

struct ExactCuts {
  std::vector<Cut> cuts;
  std::optional<SameWay> clash;
};
// Cuts at the ends of overlapping opposite pieces of the same domain. O(n log n).
ExactCuts cutsAtOpposite(std::span<const SidePiece> pieces, std::span<const uint32_t> loose, const Welding& welding);

}  // namespace wend
