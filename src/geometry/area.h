#pragma once

#include <span>

#include <wend/polygon.h>

#include "geometry/int128.h"

namespace wend {

// Twice the signed area, exact; positive for a counter-clockwise ring.
Int128 doubledArea(std::span<const Point> ring);
Int128 doubledArea(const Polygon& polygon);
Int128 doubledArea(std::span<const Polygon> polygons);

}  // namespace wend
