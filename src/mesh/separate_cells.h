#pragma once

#include <string_view>

#include <wend/navmesh.h>
#include <wend/result.h>

// Cells that overlap and share no portals, such as those of `apng`. They can be checked, drawn and measured, but
// nothing goes from one to the other.
namespace wend {

bool hasSeparateCells(const NavMesh& mesh);  // O(sides)

// An error that says so in one sentence; `what` begins it, for example "a route".
Status checkCellsAreJoined(const NavMesh& mesh, std::string_view what);

}  // namespace wend
