#pragma once

#include <wend/navmesh.h>

#include "draw/page.h"

namespace wend {

// Draws where a disk of that radius (metres) can pass: shrunk portals, portals that are closed to it, and a dashed line
// between two shrunk portals of a cell that are not joined inside it.
void drawClearance(const NavMesh& mesh, double radius, Page& page);

}  // namespace wend
