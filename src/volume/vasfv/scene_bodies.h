#pragma once

#include <array>
#include <vector>

#include <wend/volume/grow_volumes.h>

#include "geometry/solid/polyhedron.h"

// From triangles to bodies: what is closed, and what is a surface only.
namespace wend::vasfv {

using LatticeTriangle = std::array<Point3, 3>;  // counter-clockwise seen from its front

struct Body {
  bool closed = false;  // fronts face outward; otherwise each triangle is a plate
  uint32_t label = 0;   // class
  std::vector<LatticeTriangle> triangles;
  std::vector<uint32_t> labels;  // class per triangle
};

struct SceneBodies {
  VolumeLattice lattice;
  Box3 bounds;  // of the world: the scene and the margins
  std::vector<Body> bodies;
};

// Snaps the scene and groups its triangles. Counts go to the report. O(n log n).
Result<SceneBodies> sceneBodies(const Scene& scene, const GrowthSettings& settings, GrowthReport& report);

}  // namespace wend::vasfv
