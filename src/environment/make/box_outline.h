#pragma once

#include <array>
#include <vector>

#include "environment/make/construction.h"

// Rectangles with something on their sides. Sides are numbered south, east, north, west.
namespace wend::make {

// Counter-clockwise, with further vertices on the sides: x for south and north, y for east and west, in any order.
Ring outlineWith(const Rect& r, std::array<std::vector<int32_t>, 4> points);

// Counter-clockwise, with `counts` rectangular bumps of width x depth spread evenly over each side, reaching inwards;
// each adds four vertices and takes width * depth of the area.
Ring bumpedOutline(const Rect& r, const std::array<int, 4>& counts, int32_t width, int32_t depth);

}  // namespace wend::make
