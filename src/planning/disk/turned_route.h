#pragma once

#include <wend/navmesh.h>
#include <wend/route.h>

namespace wend {

// The same route from its goal to its start. O(size of the route).
void turnRound(const NavMesh& mesh, Route& route);

}  // namespace wend
