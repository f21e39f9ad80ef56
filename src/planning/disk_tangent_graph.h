#pragma once

#include "planning/clearance_radius.h"
#include "planning/disk_search.h"
#include "planning/disk_string.h"

// All tangents between the circles around the corners near a corridor, each measured over the surface, then Dijkstra:
// the slow obvious version of disk_tangents.h, and what is left where that one finds nothing.
namespace wend {

// Fills `string` with the shortest path made of measured tangents and arcs; false if there is none. O(k^2) walks for k
// corners near the corridor.
bool findAllDiskTangents(RadiusTable& table, const DiskEnds& ends, const DiskPath& path, double tolerance,
                         DiskString& string);

}  // namespace wend
