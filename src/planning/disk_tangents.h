#pragma once

#include "planning/clearance_radius.h"
#include "planning/disk_search.h"
#include "planning/disk_string.h"

// The slow, certain way to a disk's path near a corridor: all tangents between the circles around its corners, each
// measured over the surface, then Dijkstra. For the rare corridors in which the funnel's order of contacts is not that
// of the path.
namespace wend {

// Fills `string` with the shortest path made of measured tangents and arcs; false if there is none. O(k^2) walks for k
// corners near the corridor.
bool findDiskTangents(RadiusTable& table, const DiskEnds& ends, const DiskPath& path, double tolerance,
                      DiskString& string);

}  // namespace wend
