#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <wend/environment.h>

// The boundary edges of layers that are no walls: those on connections.
namespace wend {

// An edge of a ring, in its direction.
using RingEdge = std::pair<Point, Point>;

// By layer, each in the direction of the layer's boundary walk, sorted. Connections to layers that do not exist are
// left out; the mesh builder refuses them. O(n log n).
std::vector<std::vector<RingEdge>> connectionEdges(const Environment& environment);
// Those of one layer.
std::vector<RingEdge> connectionEdges(const Environment& environment, uint32_t layer);

}  // namespace wend
