#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include <wend/navmesh.h>

#include "generators/cdg/brushfire.h"
#include "generators/cdg/row_index.h"
#include "generators/scan_lines.h"

// Walkable samples of all layers, linked over the surface, with their distance from obstacles.
namespace wend::cdg {

struct Voxels {
  SquareRaster raster;
  std::vector<Run> runs;             // by layer, row, column; samples are numbered in this order
  std::vector<uint32_t> layerBegin;  // for each layer its first run; one more at the end
  SurfaceLinks links;
  std::vector<NearestGap> gaps;  // per sample

  uint32_t count() const { return static_cast<uint32_t>(gaps.size()); }
  LayerId layerOf(uint32_t run) const {
    const auto after = std::upper_bound(layerBegin.begin(), layerBegin.end(), run);
    return static_cast<LayerId>(after - layerBegin.begin() - 1);
  }
  std::span<const Run> runsOf(LayerId layer) const {
    return std::span(runs).subspan(layerBegin[layer], layerBegin[layer + 1] - layerBegin[layer]);
  }
  Vec2 centre(int32_t column, int32_t row) const {
    return {static_cast<double>(raster.origin.x) + (column + 0.5) * static_cast<double>(raster.side),
            static_cast<double>(raster.origin.y) + (row + 0.5) * static_cast<double>(raster.side)};
  }
  // Lattice units: to the nearest square that cannot be walked to, less half a side.
  double clearance(int32_t gap) const { return 0.5 * (std::sqrt(gap) - 1) * static_cast<double>(raster.side); }
};

// The polygons are valid; at most 2^14 columns and rows. An error if there are more than 2^30 samples. O(area /
// side^2).
Result<Voxels> sampleLayers(const Environment& environment, const SquareRaster& raster, const Context& context);

}  // namespace wend::cdg
