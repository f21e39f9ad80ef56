#pragma once

#include <wend/environment.h>

#include "geometry/grid_index.h"

// The height of a layer at any place in O(1) expected time: a uniform grid over the triangles of its height field.
namespace wend {

// Refers to the field it was made from, which must outlive it. Immutable; at() allocates nothing and may be called from
// any thread. Triangles without area or with ids out of range are left out.
class SurfaceIndex {
 public:
  SurfaceIndex() = default;
  explicit SurfaceIndex(const HeightField& field);

  // Height in metres at a position in lattice units: linear in the first triangle that contains it; where no triangle
  // does, that of the nearest one within kSnapDistance; otherwise the field's base. Always between the heights of the
  // triangle's corners.
  double at(Vec2 units) const;
  size_t memory() const { return grid_.memory(); }

  // Lattice units. Boundary vertices are rounded to the lattice (at most one unit off in each coordinate), so they may
  // lie just outside the surface they bound.
  static constexpr double kSnapDistance = 2.0;

 private:
  double nearby(Vec2 units) const;

  const HeightField* field_ = nullptr;
  GridIndex grid_;
};

}  // namespace wend
