#pragma once

#include <wend/generator.h>

// The mesh of the Recast library, if wend was built with it: voxels of the walkable surface, watershed regions,
// simplified contours, convex polygons. Approximate, with the settings of the comparative study and no agent radius.
//
// The surface given to it is each layer's free space at the height of its field (curved layers cut into triangles of at
// most a metre). Recast knows no layers: each polygon is put on the layer whose surface is nearest to its middle, and
// neighbours on different layers are joined only where their side lies on a connection. Corners are whole voxels, so
// they lie on the lattice. Recast can only be cancelled between its steps.
//
// Tiles are built one by one, each with a border of voxels of its neighbours, as Recast builds large worlds: regions
// end at the lines between tiles, and polygons on both sides are joined where their sides overlap.
namespace wend::recast {

struct Settings {
  double voxel = 0.2;    // metres, 0.01 to 10: side and height of the voxels; rounded to lattice units
  bool ledges = true;    // leave out voxels beside a drop, as Recast does; this costs a voxel along each free border
  uint32_t corners = 6;  // 3 to 6: most corners of a polygon
  uint32_t tiles = 1;    // 1 to 256: the voxels are built in so many tiles along the longer side of the world
  uint64_t hash() const;
};

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context = {});

Generator entry();

}  // namespace wend::recast
