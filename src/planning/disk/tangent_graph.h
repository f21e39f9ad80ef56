#pragma once

#include "planning/clearance/portal_shrinking.h"
#include "planning/disk/crossing_search.h"
#include "planning/disk/string_pulling.h"

// A disk's path near a corridor by A* over the tangents between the circles around its corners: slow and certain. For
// the rare corridors in which the funnel's order of contacts is not that of the path.
//
// The disk sweeps a strip that holds no wall, and the corners that a tangent touches at its ends lie on the border of
// that strip: so they are in sight of each other, and only such pairs are tried. It touches a corner where no wall of
// that corner is nearer. The search measures a tangent, and the arc before it, over the surface when it expands them.
namespace wend {

// Fills `string` with the shortest path made of measured tangents and arcs around corners near the corridor; false if
// there is none. O(k v log k) for k corners that the search comes to, each in sight of v others.
bool findDiskTangents(ShrunkPortals& table, const DiskEnds& ends, const DiskPath& path, double tolerance,
                      DiskString& string);

}  // namespace wend
