#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "environment/extract/voxel/selection.h"

// The borders between pixels, as polygons on the lattice.
namespace wend::voxel {

// Polygons of samples, and the stretches of their boundary.
struct Contour {
  struct Stretch {
    Point a, b;        // axis-parallel, the interior on the left
    uint32_t partner;  // the layer beyond that may be walked to, or kNone
  };
  std::vector<Stretch> stretches;  // the longest with one direction and partner
  std::vector<Polygon> polygons;   // along pixel sides
};

// Everything that drawing needs to know.
struct Drawing {
  const Blocks& blocks;
  const std::vector<std::array<uint32_t, 4>>& neighbours;
  const DepthMaps& maps;
  const Links& links;
  const Selection& selection;
  const Measures& measures;
};

// Of every layer.
std::vector<Contour> traceLayers(const Drawing& drawing, const Context& context);

// Of the samples of a layer for which `of` gives the same number, by that number; kNone is left out.
std::vector<Contour> traceParts(const Drawing& drawing, uint32_t layer, uint32_t parts,
                                const std::function<uint32_t(uint32_t sample)>& of);

}  // namespace wend::voxel
