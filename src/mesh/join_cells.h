#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <wend/context.h>
#include <wend/environment.h>
#include <wend/navmesh.h>
#include <wend/result.h>

#include "mesh/side_pieces.h"
#include "mesh/weld.h"

// Loose cells joined side by side: what MeshBuilder does for a whole mesh, and MeshPatch for a part of one.
namespace wend {

// As given to MeshBuilder::addCell().
struct LooseCells {
  std::vector<Vec2> points;
  std::vector<uint32_t> begin{0};
  std::vector<LayerId> layers;
  std::vector<uint8_t> walls;  // per point; may end before the points do
};

struct JoinedCells {
  Welding welding;
  std::vector<LayerId> layers;    // per cell that is left
  std::vector<uint32_t> source;   // which of the given cells it was
  std::vector<SidePiece> pieces;  // in the order of the cells, and around each in the order of its loop
};

// Welds corners, cuts each side at every end of an overlapping opposite side, in its layer or across one of the
// connections named, and pairs opposite pieces. Errors and what is dropped: see MeshBuilder::build(). O(n log n).
Result<JoinedCells> joinCells(const Environment& environment, LooseCells loose, std::span<const uint32_t> connections,
                              bool disjoint, double tolerance, const Context& context);

}  // namespace wend
