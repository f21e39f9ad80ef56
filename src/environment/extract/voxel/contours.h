#pragma once

#include <cstdint>
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

// Of samples that are linked and have the same part; `part` is that of each sample, or kNone. Parts do not reach beyond
// a layer, and within a layer neighbours are linked.
std::vector<Contour> trace(const Drawing& drawing, uint32_t parts, const std::vector<uint32_t>& part,
                           const Context& context);

}  // namespace wend::voxel
