#pragma once

#include <array>
#include <span>
#include <vector>

#include <wend/polygon.h>

// Triangles of a ring with few corners, as most patches have: ears are cut off, then sides flipped. That is done before
// the general triangulation has set out.
namespace wend::extraction {

// Adds the very triangles, in the very order, that triangulateFree() makes of the ring. False, and nothing added, if it
// has more corners than are tested here all against all, touches or crosses itself, or is not counter-clockwise.
bool triangulateSmall(std::span<const Point> ring, std::vector<std::array<Point, 3>>& triangles);

}  // namespace wend::extraction
