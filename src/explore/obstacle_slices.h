#pragma once

#include <vector>

#include <wend/environment.h>
#include <wend/result.h>

// The obstacles of an environment cut into slices, so that an explorer that sees a corner does not learn of the whole
// building.
namespace wend {

struct ObstacleSlice {
  Polygon shape;
  double area = 0;  // m2

  // Metres from a point to the nearest point of the slice.
  double distanceTo(Vec2 metres, const Lattice& lattice) const;
};

// What the bounds of the first layer hold and its free space does not, cut by squares with the given side (metres). In
// a fixed order. kLimit above a million squares.
Result<std::vector<ObstacleSlice>> sliceObstacles(const Environment& environment, double side);
// The same for a box instead of the bounds; free space outside of it does not count.
Result<std::vector<ObstacleSlice>> sliceObstacles(const Environment& environment, const Box& box, double side);

}  // namespace wend
