#pragma once

#include <array>
#include <vector>

#include <wend/lattice.h>

#include "base/random.h"

// The buildings of a city block that stands for the one of the adaptive grids' source, whose outlines are not
// published: quadrilaterals on a lattice of sites.
namespace wend::make {

struct GridCityShape {
  double size = 512;  // metres along a side
  uint32_t blocks = 6;
  uint32_t buildings = 33;
  double rotation = 4;  // degrees
  double fill = 0.35;
};

// Counter-clockwise, metres, each within its site and clear of its border: no two touch.
std::vector<std::array<Vec2, 4>> gridCityBuildings(const GridCityShape& shape, Random& random);

}  // namespace wend::make
