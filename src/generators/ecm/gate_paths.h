#pragma once

#include <optional>
#include <span>
#include <vector>

#include <wend/lattice.h>
#include <wend/navmesh.h>

// Where connections run through a convex cell. Every decision and every crossing is computed from one side of the cell
// and one gate in an order that does not depend on who asks, so that both cells at a side cut it at the same places.
namespace wend::ecm {

// A polygon's corner, and what the side is that starts there.
struct PieceCorner {
  Vec2 p;
  uint8_t wall = 0;
  uint8_t cut = 0;  // along a gate already: no other gate crosses it
};

// A segment of a connection seen from one layer, which lies on its left.
struct Gate {
  Vec2 a;
  Vec2 b;
  LayerId other;
  uint32_t segment;  // the same number from both sides
};

// Gates in a row that lead through a polygon from one corner to another.
struct GatePath {
  size_t from;  // corners
  size_t to;
  std::vector<Vec2> inner;  // bends on the way
  LayerId other;            // on its right
};

// Gives the polygon a corner wherever a gate ends on its outline or crosses it. What is nearer than the sliver (lattice
// units) is on it: corners move to ends of gates, sides pass through them, and at other corners gates are bent.
void enterGates(std::vector<PieceCorner>& loop, std::span<const Gate> gates, double sliver);

// A path between two corners of the polygon, after enterGates(). It runs inside the outline, which is convex; the
// polygon is what previous paths have left of it. `known` lies in the layer of the gates: a path that it lies right of
// by more than the sliver is passed elsewhere, one turn of a spiral away.
std::optional<GatePath> findPath(std::span<const PieceCorner> loop, std::span<const PieceCorner> outline, Vec2 known,
                                 std::span<const Gate> gates, double sliver);

// What lies left and right of the path.
std::vector<PieceCorner> leftOf(std::span<const PieceCorner> loop, const GatePath& path);
std::vector<PieceCorner> rightOf(std::span<const PieceCorner> loop, const GatePath& path);

}  // namespace wend::ecm
