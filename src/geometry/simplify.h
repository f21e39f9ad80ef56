#pragma once

#include <span>
#include <vector>

#include <wend/polygon.h>
#include <wend/result.h>

// Ramer-Douglas-Peucker that never changes topology.
namespace wend {

// Removes vertices so that every removed one lies within `tolerance` lattice units of the ring that replaces its chain.
// The result is valid if the input is: no crossing, no touching that was not there, no ring below three vertices or
// without area, holes stay in their polygons. A chain whose shortcut would break that is split further instead. `keep`
// (may be empty) lists points that must stay, for example ends of connections. Vertices visited twice always stay.
std::vector<Polygon> simplify(std::span<const Polygon> polygons, double tolerance, std::span<const Point> keep = {});

}  // namespace wend
