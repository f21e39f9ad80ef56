#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include <wend/image/adaptive_grid.h>
#include <wend/image/navigable_grid.h>
#include <wend/navmesh.h>

#include "environment/boundary.h"
#include "generators/adaptive_grid/frame.h"

// One layer as pixels.
namespace wend::adaptive_grid {

// A pixel that one segment of a connection crosses, and nothing else of the boundary enters.
struct CrossedPixel {
  uint32_t row = 0;
  uint32_t column = 0;
  uint32_t edge = 0;  // of the boundary
};

// Pixels between two lines along each axis.
struct PixelWindow {
  uint32_t firstX = 0;  // lines
  uint32_t lastX = 0;
  uint32_t firstY = 0;
  uint32_t lastY = 0;
  bool operator==(const PixelWindow&) const = default;
};

struct LayerRaster {
  // A pixel is free if it lies in the free space as a whole: no edge of the boundary enters its interior. Row 0 is the
  // top; the place of the picture is in `firstX` and `firstY`, not in the grid.
  NavigableGrid grid;
  uint32_t firstX = 0;  // lines of the left column and the lowest row
  uint32_t firstY = 0;
  std::vector<CrossedPixel> crossed;
  uint64_t touched = 0;  // pixels that an edge enters

  // The lines around pixels.
  uint32_t lineLeft(uint32_t column) const { return firstX + column; }
  uint32_t lineBelow(uint32_t row) const { return firstY + (grid.height - 1 - row); }
};

// Exact: a pixel counts as entered if and only if an edge and the pixel's open square have a point in common. `twin` is
// that of glue(). kLimit for a layer of more than kMaxGridSide pixels in a row. O(pixels + edges / pixel).
Result<LayerRaster> rasterise(const Environment& environment, LayerId layer, const Boundary& boundary,
                              std::span<const uint32_t> twin, const Frame& frame, const Lines& lines);
// The part of it in a window.
LayerRaster rasteriseWindow(LayerId layer, const Boundary& boundary, std::span<const uint32_t> twin, const Frame& frame,
                            const Lines& lines, const PixelWindow& window);

// The corners of a cluster, counter-clockwise from the lower left, in lattice units of the frame.
std::array<Point, 4> cornersOf(const LayerRaster& raster, const Lines& lines, const GridCluster& box);

// The pixels that an interval of lattice units touches with its inside: the first and last line around it.
std::pair<size_t, size_t> linesAround(std::span<const int32_t> lines, int32_t low, int32_t high);

}  // namespace wend::adaptive_grid
