#pragma once

#include <span>
#include <vector>

#include <wend/environment.h>

// The raster over an environment: a possibly turned frame, and the lines between its pixels.
namespace wend::adaptive_grid {

// The frame is turned by the direction of a unit vector: x of the frame runs along it.
struct Frame {
  Vec2 along{1, 0};
  bool turned() const { return along != Vec2{1, 0}; }
  // Into the frame, rounded to whole units if it is turned.
  Point into(Point p) const;
  // Rounded.
  Point into(Vec2 p) const;
  // Back to the environment, lattice units.
  Vec2 back(Point p) const;
};

// Lines in lattice units of the frame, ascending; pixel i lies between lines i and i + 1.
struct Lines {
  std::vector<int32_t> x;
  std::vector<int32_t> y;
};

// The direction of most of the boundary's length, up to quarter turns: the direction of the longest edge among those
// within a quarter of a degree that are longest together. {1, 0} if there is no edge.
Vec2 dominantDirection(const Environment& environment);

// Lines `pixel` units apart over the free space, from its lower left corner. A line within one unit of an edge that
// runs along it is moved onto the edge: corners of pictures are rounded to the lattice one by one.
Result<Lines> linesOver(const Environment& environment, const Frame& frame, double pixel);

}  // namespace wend::adaptive_grid
