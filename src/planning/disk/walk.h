#pragma once

#include "planning/clearance/portal_shrinking.h"
#include "planning/disk/crossing_search.h"
#include "planning/disk/string_pulling.h"

// Walks along a segment or an arc through the cells of a mesh, and measures the walls near each of them.
namespace wend {

// Of the radius: an arc that ends this little beside its corner, along a wall of it, is nearer to the wall than the
// radius by half the square of this.
inline constexpr double kSlip = 1e-6;

// For a wall that begins or ends at a corner: true if a place on the circle around the corner lies behind the corner,
// seen along the wall. If both ends of an arc of less than half a turn do, so does all of it, and the corner is
// nearest.
inline bool isBehindCorner(const Wall& w, Vec2 corner, double r, Vec2 place) {
  const Vec2 along = w.a == corner ? w.b - corner : w.a - corner;
  return dot(along, place - corner) <= kSlip * r * (std::abs(along.x) + std::abs(along.y));
}

// True if a disk of the table's radius minus `tolerance` can move straight from a (in `cell`) to b; `cell` becomes the
// cell of b. Measures against the walls near the cells that the segment passes, so other layers do not count.
bool walkDisk(ShrunkPortals& table, CellId& cell, Vec2 a, Vec2 b, double tolerance);

// The same around a short arc, from bend.in to bend.out; `slack` becomes the least distance, beyond the radius, to
// walls other than those of its corner.
bool walkArc(ShrunkPortals& table, CellId& cell, const DiskBend& bend, double tolerance, double& slack);

struct WalkScratch {
  std::vector<LayerId> layers;
  std::vector<Vec2> corners;
};

// The same for a whole string through the portals of a path, with lines in place of its arcs (arc_lines.h), quickly.
// True only if it certainly keeps the radius, at its ends without tolerance, and stays in the path's cells; then
// `layers` of the scratch holds the layer of each point of the lines (one for all, if the mesh has one layer). If
// false, `reached` is the bend where the radius may be violated.
bool walkCorridor(ShrunkPortals& table, const DiskPieces& pieces, const DiskPath& path, const DiskEnds& ends,
                  const DiskString& string, double tolerance, WalkScratch& scratch, size_t& reached);

// The same for any string, slowly: cell by cell, independent of the path.
bool walkString(ShrunkPortals& table, const DiskEnds& ends, const DiskString& string, double tolerance,
                WalkScratch& scratch);

}  // namespace wend
