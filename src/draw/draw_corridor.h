#pragma once

#include <wend/draw.h>
#include <wend/navmesh.h>

#include "draw/page.h"

namespace wend {

// The medial axis of a mesh that has one: disks of largest clearance, annotations, arcs, bending points, as the
// settings say. An arc that crosses into another layer is drawn in the panel of each.
void drawCorridorMap(const NavMesh& mesh, Page& page, const DrawSettings& settings);

}  // namespace wend
