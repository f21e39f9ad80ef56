#pragma once

#include <wend/polygon.h>

// Obstacles without area: fences along segments, and posts.
namespace wend {

// Lattice units across. Rounding moves a line by less than a unit, so that a loop of this width never closes.
inline constexpr int32_t kFenceWidth = 4;

// A counter-clockwise loop of kFenceWidth around the segment; both ends lie inside or on it. a == b is a post.
Ring fence(Point a, Point b);

}  // namespace wend
