#pragma once

#include <cstdint>

#include <wend/lattice.h>

// Points exactly on a wall that a portal may end on.
//
// Few lattice points lie on a slanted wall, but both its ends are multiples of 2^-22 units, so the points at k / 2^22
// of its length are too. Coordinates stay below 2^30 units: such a point is an exact double, it lies exactly on the
// wall, and differences of two of them are exact. Of these points only every so many are used, so that they lie about
// one unit (0.1 mm) apart: on walls along the axes and the diagonals those of the lattice.
namespace wend::neogen {

class WallPoints {
 public:
  // The ends are lattice points or such points of the same wall.
  WallPoints(Vec2 from, Vec2 to);

  int64_t parts() const { return parts_; }  // below 2: there is no point between the ends
  // 0 to parts: from one end to the other.
  Vec2 at(int64_t k) const;

 private:
  int64_t x_, y_;    // the first end, in units of 2^-22
  int64_t dx_, dy_;  // from one point to the next
  int64_t parts_ = 1;
};

}  // namespace wend::neogen
