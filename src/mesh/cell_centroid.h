#pragma once

#include <wend/navmesh.h>

namespace wend {

// The centre of gravity of a cell, metres; its first corner if it has no area. O(sides of the cell).
Vec2 centroidOf(const NavMesh& mesh, CellId cell);

}  // namespace wend
