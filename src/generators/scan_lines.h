#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <wend/polygon.h>

// Where the lines through the centres of a grid's squares meet the boundary of free space.
namespace wend {

struct SquareRaster {
  Point origin;      // lower left corner of square (0, 0)
  int64_t side = 1;  // lattice units
  int64_t columns = 0;
  int64_t rows = 0;
};

// A boundary edge crosses the centre line of a row between the centres of the squares `column` - 1 and `column`, or on
// the latter.
struct RowCrossing {
  int32_t row = 0;
  int32_t column = 0;
  auto operator<=>(const RowCrossing&) const = default;
};

// All crossings with the raster's rows, sorted; those left or right of it count as on its edge. With `transposed` those
// with columns (row and column exchanged). Exact: an edge includes its lower end, not its upper one. O(walls / side),
// sorted.
std::vector<RowCrossing> scanRows(std::span<const Polygon> polygons, const SquareRaster& raster, bool transposed);

}  // namespace wend
