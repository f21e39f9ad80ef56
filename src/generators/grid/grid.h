#pragma once

#include <wend/generator.h>

// Equal squares over the whole world, on one grid for all layers: each square whose centre lies in a layer is a cell of
// it. Approximate: squares reach over walls and leave corners free, by at most half a square's diagonal.
//
// The grid begins at the lower left of the world's bounding box. A centre on a wall is inside if the free space lies
// above or right of it. Neighbouring squares have a portal if no wall comes between their centres, otherwise a wall.
// Layers are joined only where a connection runs along the lines of the grid. O(n log n + walls / side + squares).
namespace wend::grid {

struct Settings {
  double square = 1;  // metres, 0.001 to 1000: side of the squares; rounded to lattice units
  uint64_t hash() const;
};

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context = {});

Generator entry();

}  // namespace wend::grid
