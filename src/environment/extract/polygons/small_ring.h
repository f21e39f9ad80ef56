#pragma once

#include <array>
#include <span>
#include <vector>

#include <wend/polygon.h>

// Triangles of a ring with few corners, as most patches have: ears are cut off, then sides flipped. This takes less
// time than the set-up of the general triangulation.
namespace wend::extraction {

// Adds the same triangles in the same order as triangulateFree(). False, and nothing added, if it
// has more corners than are tested here all against all, touches or crosses itself, or is not counter-clockwise.
bool triangulateSmall(std::span<const Point> ring, std::vector<std::array<Point, 3>>& triangles);

}  // namespace wend::extraction
