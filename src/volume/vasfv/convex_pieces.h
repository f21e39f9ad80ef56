#pragma once

#include <vector>

#include "volume/vasfv/scene_bodies.h"

// Bodies cut into convex pieces.
namespace wend::vasfv {

// A convex part of an obstacle or a finished volume: what stops a growing one.
struct Piece {
  Polyhedron solid;
  Box3 box;
  uint32_t label = 0;  // class
};

// The convex pieces of a body, with disjoint interiors for a closed one. A convex body is one piece. A concave one is
// cut along the planes of its own triangles until no triangle lies inside a piece; pieces with a winding number of 0
// are dropped. An open surface gives one prism per triangle, one unit thick, behind its front. kLimit if there would be
// more than `limit`.
Result<std::vector<Piece>> convexPieces(const Body& body, size_t limit);

// Joins pieces of one class whose union is convex, largest first, until there are none. Order of the result: that of
// the first piece of each.
std::vector<Piece> mergePieces(std::vector<Piece> pieces);

}  // namespace wend::vasfv
