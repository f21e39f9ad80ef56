#pragma once

#include "planning/clearance_radius.h"

// Along a straight segment through the cells of a mesh, measuring the walls near each of them.
namespace wend {

// Whether a disk of the table's radius minus `tolerance` can move straight from a (in `cell`) to b; `cell` becomes the
// cell of b. Measures against the walls near the cells that the segment passes, so other layers do not count.
bool walkDisk(RadiusTable& table, CellId& cell, Vec2 a, Vec2 b, double tolerance);

}  // namespace wend
