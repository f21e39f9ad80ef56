#pragma once

#include <vector>

#include "environment/extract/voxel/contours.h"

// Height fields of layers from their depth maps.
namespace wend::voxel {

// Of every layer: level or sloped rectangles of pixels that meet the samples within a quarter of a pixel, and after
// them the same a little larger where the layer ends, for contours that simplification moved outwards.
std::vector<HeightField> makeHeights(const Drawing& drawing, const exact::Facets& facets, const Context& context);

}  // namespace wend::voxel
