#pragma once

#include <wend/navmesh.h>

#include "draw/page.h"

namespace wend {

// What a body of that radius (metres) finds on a mesh: the rooms in the portals, portals closed to it, and the cells
// that do not join two of their rooms (a dashed line between them).
void drawClearance(const NavMesh& mesh, double radius, Page& page);

}  // namespace wend
