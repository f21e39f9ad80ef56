#pragma once

#include <optional>
#include <span>
#include <vector>

#include <wend/lattice.h>
#include <wend/navmesh.h>

// Where connections run through a convex cell. Every decision and every crossing is computed from one side of the cell
// and one segment, in an order that is the same for both cells at a side. So both cut the side at the same places.
namespace wend::ecm {

// A polygon's corner, and what the side is that starts there.
struct PieceCorner {
  Vec2 p;
  uint8_t wall = 0;
  uint8_t cut = 0;  // lies on a connection: no other connection crosses it
};

// A segment of a connection seen from one layer, which lies on its left.
struct ConnectionSegment {
  Vec2 a;
  Vec2 b;
  LayerId other;
  uint32_t number;  // the same from both sides
};

// Segments in a row that lead through a polygon from one corner to another.
struct ConnectionPath {
  size_t from;  // corners
  size_t to;
  std::vector<Vec2> inner;  // bends on the way
  LayerId other;            // on its right
};

// Gives the polygon a corner wherever a segment ends on its outline or crosses it. What is nearer than the sliver
// (lattice units) is on it: corners move to ends of segments, sides pass through them, and at other corners segments
// are bent.
void enterConnections(std::vector<PieceCorner>& loop, std::span<const ConnectionSegment> segments, double sliver);

// A path between two corners of the polygon, after enterConnections(). It runs inside the outline, which is convex; the
// polygon is what previous paths have left of it. `known` lies in the layer of the segments: a path that it lies right
// of by more than the sliver is passed elsewhere, one turn of a spiral away.
std::optional<ConnectionPath> findPath(std::span<const PieceCorner> loop, std::span<const PieceCorner> outline,
                                       Vec2 known, std::span<const ConnectionSegment> segments, double sliver);

// What lies left and right of the path.
std::vector<PieceCorner> leftOf(std::span<const PieceCorner> loop, const ConnectionPath& path);
std::vector<PieceCorner> rightOf(std::span<const PieceCorner> loop, const ConnectionPath& path);

}  // namespace wend::ecm
