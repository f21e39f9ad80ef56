#pragma once

#include <array>
#include <span>
#include <vector>

#include <wend/context.h>
#include <wend/polygon.h>

#include "generators/connection_edges.h"

// The sweep of the vertical decomposition.
namespace wend::trapezoid {

// Counter-clockwise, from the lower left; a side of length 0 makes it a triangle. Sides 0 and 2 lie on edges.
struct Trapezoid {
  std::array<Vec2, 4> corners;  // lattice units
  bool isBottomOpen = false;    // whether the edge of side 0 is an open one
  bool isTopOpen = false;       // of side 2
};

// From left to right; `open` are the edges on connections, sorted. The polygons are valid and disjoint;
// anything else gives some answer. Stops early when the context is cancelled; the caller must then drop the result.
std::vector<Trapezoid> decompose(std::span<const Polygon> polygons, std::span<const RingEdge> open,
                                 const Context& context);

}  // namespace wend::trapezoid
