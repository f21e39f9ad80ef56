#pragma once

#include <array>
#include <span>
#include <vector>

#include "environment/extract/polygons/rings.h"

// The triangles of boundary walks. Most patches are one ring, convex or with few corners, and take a short way.
namespace wend::extraction {

// One ring that is convex or has few corners. Returns false and adds nothing for any other ring.
bool triangulateSimple(std::span<const Point> ring, std::vector<std::array<Point, 3>>& triangles);
// Any rings. Adds nothing if they cannot be triangulated.
void triangulateAny(const Rings& rings, std::vector<std::array<Point, 3>>& triangles);
// The short way where it applies, else the general one.
std::vector<std::array<Point, 3>> triangulateRings(const Rings& rings);

}  // namespace wend::extraction
