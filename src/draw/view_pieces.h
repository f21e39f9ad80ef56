#pragma once

#include <vector>

#include <wend/draw.h>

// A view taken apart at the borders of cells, so that each layer shows what is seen of it.
namespace wend {

struct ViewPiece {
  LayerId layer = 0;
  uint32_t side = 0;       // of the polygon: the triangle from the eye to this side contains the piece
  std::vector<Vec2> loop;  // convex, counter-clockwise, lattice units
};

// The triangles from the eye to the sides of its polygon, cut at portals as the eye looks through them: a piece lies in
// the layer in which it is seen, also where others lie above or below. O(pieces).
std::vector<ViewPiece> viewPieces(const NavMesh& mesh, const DrawnView& view);

}  // namespace wend
