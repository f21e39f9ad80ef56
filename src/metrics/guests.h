#pragma once

#include <array>
#include <span>
#include <vector>

#include <wend/navmesh.h>

#include "geometry/index/grid_index.h"

// Pieces of cells beyond their own layer, and where they lie on the surface of another: the vertical mapping.
namespace wend {

// A convex piece of a cell, counter-clockwise, with a height that is linear on it.
struct Guest {
  LayerId home = 0;
  CellId cell = kNone;
  std::vector<Vec2> corners;    // lattice units
  std::vector<double> heights;  // metres, one per corner
};

// The parts of a cell inside a triangle that the cell covers. The height of a convex cell is linear on the triangles of
// the fan around its first corner; that of another is taken as the mean of its corners.
void addGuests(const NavMesh& mesh, CellId cell, const std::array<Vec2, 3>& triangle, std::vector<Guest>& guests);

// The surface of one layer.
class GuestSurface {
 public:
  explicit GuestSurface(const HeightField& field);
  // The parts of a guest at most `reach` metres above or below the surface, as loops in lattice units.
  void mapGuest(const Guest& guest, double reach, std::vector<std::vector<Vec2>>& out) const;

 private:
  const HeightField& field_;
  GridIndex index_;
};

}  // namespace wend
