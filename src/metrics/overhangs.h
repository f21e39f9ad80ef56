#pragma once

#include <array>
#include <span>
#include <vector>

#include <wend/navmesh.h>

#include "geometry/index/grid_index.h"

// The vertical mapping: an overhang is the part of a cell beyond its own layer; it counts as free space where it lies
// on the surface of another layer.
namespace wend {

// A convex part of a cell, counter-clockwise, with a height that is linear on it.
struct Overhang {
  LayerId home = 0;
  CellId cell = kNone;
  std::vector<Vec2> corners;    // lattice units
  std::vector<double> heights;  // metres, one per corner
};

// The parts of a cell inside a triangle that the cell covers. The height of a convex cell is linear on the triangles of
// the fan around its first corner; that of another is taken as the mean of its corners.
void addOverhangs(const NavMesh& mesh, CellId cell, const std::array<Vec2, 3>& triangle,
                  std::vector<Overhang>& overhangs);

// The surface of one layer.
class LayerSurface {
 public:
  explicit LayerSurface(const HeightField& field);
  // The parts of an overhang at most `reach` metres above or below the surface, as loops in lattice units.
  void mapOverhang(const Overhang& overhang, double reach, std::vector<std::vector<Vec2>>& out) const;

 private:
  const HeightField& field_;
  GridIndex index_;
};

}  // namespace wend
