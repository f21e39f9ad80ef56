#pragma once

#include <cstdint>
#include <vector>

#include <wend/context.h>
#include <wend/environment.h>

// A picture of the walkable space: one value per pixel. What an adaptive grid is grown on.
namespace wend {

// The largest side of an image or navigable grid, pixels.
inline constexpr uint32_t kMaxGridSide = 16384;

struct NavigableGrid {
  uint32_t width = 0;  // pixels
  uint32_t height = 0;
  std::vector<uint8_t> free;  // row by row from the top; nonzero where one can walk
  double pixel = 1;           // metres
  Vec2 origin;                // metres; the lower left corner of the picture

  bool isFree(uint32_t row, uint32_t column) const { return free[static_cast<size_t>(row) * width + column] != 0; }
};

// kInvalidSettings if the sizes do not fit each other, kLimit above kMaxGridSide.
Status checkGrid(const NavigableGrid& grid);

// One layer at height 0 that is exactly the free pixels: pixels that share a side are joined, pixels that share only a
// corner are not. A pixel corner is rounded to the lattice, so a pixel must be at least one unit wide. O(pixels) and
// O(n log n) for the n corners of the outline.
Result<Environment> gridEnvironment(const NavigableGrid& grid, const Lattice& lattice = {},
                                    const Context& context = {});

}  // namespace wend
