#pragma once

#include <span>
#include <vector>

#include "planning/disk/cell_contour.h"
#include "planning/disk/end_cells.h"

namespace wend {

// The free intervals of a cell or piece, from its entries and their faces. `walls`: of the cell, ascending. False if an
// interval ends at a wall that is not among them.
bool findContourIntervals(const ShrunkPortals& table, const DiskPieces& pieces,
                          std::span<const DirectedPortalId> entries, std::span<const uint32_t> faces,
                          std::span<const SideId> walls, std::vector<ContourInterval>& intervals);

}  // namespace wend
