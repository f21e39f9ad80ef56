#pragma once

#include <wend/draw.h>

#include "draw/page.h"

// What navigators answer, drawn on a mesh.
namespace wend {

// A visibility polygon, each part of it in the panel of the layer that it is seen in; walls and sight lines differ.
void drawView(const NavMesh& mesh, const DrawnView& view, Page& page);

// The cells of a corridor with its axis, and the empty disks where it turns into another edge, in the panels of the
// layers of the axis.
void drawCorridor(const NavMesh& mesh, const Corridor& corridor, Page& page);

}  // namespace wend
