#pragma once

#include <array>
#include <vector>

#include <wend/navmesh.h>

#include "generators/scan_lines.h"

// Walkable samples of all layers, linked over the surface, with their distance from what is not walkable.
namespace wend::cdg {

// The eight neighbours, counter-clockwise from +x.
inline constexpr std::array<std::array<int, 2>, 8> kAround{
    {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}};

struct Voxel {
  LayerId layer = 0;
  int32_t column = 0;
  int32_t row = 0;
  // Where one can walk straight to, in the order of kAround; a diagonal only if both ways around the corner are open.
  std::array<uint32_t, 8> link{};
  double clearance =
      0;  // from the centre to the nearest square that cannot be walked to, less half a side; lattice units
};

struct Voxels {
  SquareRaster raster;
  std::vector<Voxel> all;  // by layer, row, column
  Vec2 centre(const Voxel& v) const {
    return {static_cast<double>(raster.origin.x) + (v.column + 0.5) * static_cast<double>(raster.side),
            static_cast<double>(raster.origin.y) + (v.row + 0.5) * static_cast<double>(raster.side)};
  }
};

// O(area / side^2 log). The polygons are valid.
Voxels sampleLayers(const Environment& environment, const SquareRaster& raster, const Context& context);

}  // namespace wend::cdg
