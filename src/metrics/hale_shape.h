#pragma once

#include <wend/metrics.h>

// Hale's metrics of the shape of cells, and of the vertices where cells meet.
namespace wend {

Result<ShapeMetrics> measureHaleShape(const NavMesh& mesh, const Environment& environment,
                                      const MeasureSettings& settings);

// The least interior angle of a cell, degrees.
double minimumAngle(const NavMesh& mesh, CellId cell);

// How many boxes with this side (lattice units) lie in a cell, on the grid that begins in the lower left of its
// bounding box. O(rows + crossings of rows by sides).
uint64_t countBoxes(const NavMesh& mesh, CellId cell, double side);

}  // namespace wend
