#pragma once

#include <span>

#include <wend/environment.h>

#include "generators/cdg/brushfire.h"
#include "generators/cdg/row_index.h"
#include "generators/scan_lines.h"

// Links over connections.
namespace wend::cdg {

// Joins neighbouring samples on both sides of a connection, if no wall of either layer lies between the connection and
// its sample. O((walls + connections) / side, sorted).
void joinLayers(const Environment& environment, const SquareRaster& raster, std::span<const RowIndex> layers,
                Sides& sides);

}  // namespace wend::cdg
