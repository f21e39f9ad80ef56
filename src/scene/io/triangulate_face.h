#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <wend/lattice.h>

// A polygon in space, cut into triangles.
namespace wend {

// Ear clipping in the plane of Newell's normal: a simple polygon, planar up to noise, is covered exactly, notches stay
// open (a fan would cover them); a convex one becomes the fan from its first corner. Self-crossing or collapsed
// polygons still give corners - 2 triangles, some of them degenerate or folded. Needs three corners or more; quadratic
// at worst.
std::vector<std::array<uint32_t, 3>> triangulateFace(std::span<const Vec3> corners);
// The same for one of many faces: looks at no more pairs of corners than `budget`, and takes off what it looked at.
// With nothing left, corners are cut off as they come.
std::vector<std::array<uint32_t, 3>> triangulateFace(std::span<const Vec3> corners, uint64_t& budget);

}  // namespace wend
