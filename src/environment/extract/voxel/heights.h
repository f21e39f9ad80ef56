#pragma once

#include <span>
#include <vector>

#include "environment/extract/voxel/contours.h"

// Height fields of layers from their depth maps.
namespace wend::voxel {

struct HeightRectangle {
  Point low, high;
  uint32_t facet;  // in whose plane it lies
  bool border;     // the layer ends here
};

struct HeightPlan {
  double base = 0;                                // metres, the lowest
  bool flat = true;                               // everything lies at the base
  std::vector<HeightRectangle> connectionPixels;  // the pixels along connections
  std::vector<HeightRectangle>
      rectangles;  // disjoint; every sample is in one and off its plane by a quarter of a pixel
};

// Of every layer.
std::vector<HeightPlan> planHeights(const Drawing& drawing, const extraction::Facets& facets, const Context& context);

// Rectangles reach over pixels that are not the layer's, and simplification moves borders: where a layer ends, they are
// cut to its polygons, and what no rectangle covers takes the plane of the nearest.
HeightField fitHeights(const HeightPlan& plan, std::span<const Polygon> free, const extraction::Facets& facets,
                       const Measures& measures);

}  // namespace wend::voxel
