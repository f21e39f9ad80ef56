#pragma once

#include <wend/route.h>

// Whether a route that was planned is one. For assertions: allocates nothing.
namespace wend {

// - each portal leads from its cell to the next one;
// - the first cell holds the start and the last one the goal, up to rounding;
// - lengths and points are finite, and the length is at least the straight distance.
// Null when all of this holds, else one sentence. O(length of the route + sides of the two cells).
const char* findRouteFault(const NavMesh& mesh, const PathQuery& query, const Route& route);

}  // namespace wend
