#pragma once

#include <wend/generator.h>
#include <wend/image/adaptive_grid.h>

// Adaptive grids as navigation meshes, on any environment. Each layer is rasterised, and its free pixels are divided
// into rectangles by growGrid().
//
// A pixel is free if it lies in the free space as a whole, so no cell reaches over a wall. Where all walls run along
// the lines between pixels, as they do for pictures, the mesh is exact: its area and topology are those of the
// environment. Elsewhere a strip of up to a pixel's diagonal is missing beside walls.
//
// Where a connection runs along lines between pixels, rectangles of both layers end there and share portals. A pixel
// that a segment of a connection crosses is cut along it: each layer gets the part on its side as a cell of its own, so
// that portals between layers lie on the connection exactly. Pixels with a corner of a connection are left out.
namespace wend::adaptive_grid {

struct Settings {
  double pixel = 0.25;  // metres, 0.001 to 1000
  GridSettings grid;
  bool align = false;  // turn the raster to the direction of most walls
};

Result<NavMesh> generate(const Environment& environment, const Settings& settings, uint64_t settingsHash,
                         const Context& context = {});

// The mesh after an edit: growth again where pixels changed. kUnsupported if the raster itself moves, or a connection
// crosses pixels that changed.
Result<MeshUpdate> update(const NavMesh& mesh, const Environment& before, const Environment& after,
                          const ChangedArea& changed, const Settings& settings, const Context& context);

Generator entry();

}  // namespace wend::adaptive_grid
