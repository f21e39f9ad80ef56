#pragma once

#include "planning/clearance/shrunk_portals.h"
#include "planning/disk/crossing_search.h"
#include "planning/disk/string_pulling.h"

// Along a straight segment or an arc through the cells of a mesh, measuring the walls near each of them.
namespace wend {

// Of the radius: an arc that ends this little beside its corner, along a wall of it, is nearer to the wall than the
// radius by half the square of this.
inline constexpr double kSlip = 1e-6;

// Of a wall that begins or ends at a corner: whether a place at the corner's radius lies behind the corner, seen along
// the wall. If both ends of an arc of less than half a turn do, so does all of it, and the corner is nearest.
inline bool isBehindCorner(const Wall& w, Vec2 corner, double r, Vec2 place) {
  const Vec2 along = w.a == corner ? w.b - corner : w.a - corner;
  return dot(along, place - corner) <= kSlip * r * (std::abs(along.x) + std::abs(along.y));
}

// Whether a disk of the table's radius minus `tolerance` can move straight from a (in `cell`) to b; `cell` becomes the
// cell of b. Measures against the walls near the cells that the segment passes, so other layers do not count.
bool walkDisk(RadiusTable& table, CellId& cell, Vec2 a, Vec2 b, double tolerance);

// The same around a short arc, from bend.in to bend.out; `slack` falls to the room that it leaves beside walls other
// than the corner it goes around.
bool walkArc(RadiusTable& table, CellId& cell, const DiskBend& bend, double tolerance, double& slack);

struct WalkScratch {
  std::vector<LayerId> layers;
  std::vector<Vec2> corners;
};

// The same for a whole string through the doors of a path, with lines in place of its arcs (route_lines.h), quickly:
// true only if it certainly keeps the radius, at its ends without tolerance, and stays in the path's cells; `layers` of
// the scratch becomes the layer of each point of the lines then (one for all, if the mesh has one only), else `reached`
// the bend on the way to which or around which it may not.
bool walkCorridor(RadiusTable& table, const DiskPieces& pieces, const DiskPath& path, const DiskEnds& ends,
                  const DiskString& string, double tolerance, WalkScratch& scratch, size_t& reached);

// The same for any string, slowly: cell by cell, whatever the path was.
bool walkString(RadiusTable& table, const DiskEnds& ends, const DiskString& string, double tolerance,
                WalkScratch& scratch);

}  // namespace wend
