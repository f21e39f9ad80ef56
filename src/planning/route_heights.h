#pragma once

#include <wend/route.h>

// Where a route changes the layer. Between two points of a route its height is taken as linear; a segment over a ramp
// and a hall is not, so it gets a point on each connection.
namespace wend {

// Adds the points; arcs keep their ends. Nothing changes on one layer. O(points + portals).
void markConnections(const NavMesh& mesh, Route& route);

}  // namespace wend
