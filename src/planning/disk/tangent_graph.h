#pragma once

#include "planning/clearance/shrunk_portals.h"
#include "planning/disk/crossing_search.h"
#include "planning/disk/string_pulling.h"

// The slow, certain way to a disk's path near a corridor: A* over the tangents between the circles around its corners.
// For the rare corridors in which the funnel's order of contacts is not that of the path.
//
// The disk sweeps a strip that holds no wall, and the corners that a tangent touches at its ends lie on the border of
// that strip: so they are in sight of each other, and only such pairs are tried. It touches a corner where no wall of
// that corner is nearer. A tangent is measured over the surface when the search comes to it, not before, and so is the
// arc that leads to it.
namespace wend {

// Fills `string` with the shortest path made of measured tangents and arcs around corners near the corridor; false if
// there is none. O(k v log k) for k corners that the search comes to, each in sight of v others.
bool findDiskTangents(RadiusTable& table, const DiskEnds& ends, const DiskPath& path, double tolerance,
                      DiskString& string);

}  // namespace wend
