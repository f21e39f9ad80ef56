#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <wend/polygon.h>

// The boundary of the free squares of a grid.
namespace wend {

// `free` holds width * height values, row by row from y = 0: nonzero where the square [x, x+1] x [y, y+1] is free.
// Gives the boundary walks in corner coordinates, the interior left of each, without collinear vertices, ordered by
// their lowest leftmost horizontal edge. Squares that touch in a corner only are not joined: a walk that meets such a
// corner stays with its own square, so no walk crosses itself, but one may visit that corner twice.
// Nothing if there would be more than maxVertices vertices. O(squares + boundary length).
std::optional<std::vector<Ring>> traceGrid(std::span<const uint8_t> free, uint32_t width, uint32_t height,
                                           size_t maxVertices);

}  // namespace wend
