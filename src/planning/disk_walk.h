#pragma once

#include <wend/plan.h>

#include "planning/clearance_radius.h"
#include "planning/disk_search.h"
#include "planning/disk_string.h"

// Along a straight segment or an arc through the cells of a mesh, measuring the walls near each of them.
namespace wend {

// Whether a disk of the table's radius minus `tolerance` can move straight from a (in `cell`) to b; `cell` becomes the
// cell of b. Measures against the walls near the cells that the segment passes, so other layers do not count.
bool walkDisk(RadiusTable& table, CellId& cell, Vec2 a, Vec2 b, double tolerance);

// The same around a short arc, from bend.in to bend.out; `slack` falls to the room that it leaves beside walls other
// than the corner it goes around.
bool walkArc(RadiusTable& table, CellId& cell, const DiskBend& bend, double tolerance, double& slack);

// The same as walkDisk() for a whole polyline through the doors of a path, quickly: true only if it certainly keeps the
// radius, at its ends without tolerance, and stays in the path's cells; `layers` becomes the layer of each point then
// (one for all, if the mesh has one only), else `reached` the bend of the string on the way to which or around which it
// may not. The points are those of the string, with arcs[i].first to arcs[i].last in place of its i-th arc.
bool walkCorridor(RadiusTable& table, const DiskPieces& pieces, const DiskPath& path, std::span<const Vec2> points,
                  const DiskString& string, std::span<const RouteArc> arcs, double tolerance,
                  std::vector<LayerId>& layers, size_t& reached);

}  // namespace wend
