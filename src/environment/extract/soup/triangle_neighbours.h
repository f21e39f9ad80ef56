#pragma once

#include <cstdint>
#include <vector>

#include "environment/extract/soup/soup.h"

// The neighbour of a triangle across each of its sides, among triangles of the same kind.
namespace wend::extraction {

enum class Kind : uint8_t {
  kFloor = 1,
  kRiser = 2,  // faces up, too steep to stand on
  kWall = 4,   // near-vertical; may be a riser too
};

// Steeper than this, a face is a wall: it has next to no width in top view.
inline bool isSteep(const Triangle& t) {
  return !t.walkable && t.normal.z >= 0.02;
}

class TriangleNeighbours {
 public:
  TriangleNeighbours(const Soup& soup, const Context& context);

  // kNone unless there is exactly one triangle of that kind, running the other way along the side from corner `side` to
  // the next. The triangle is of that kind itself. Beyond the side of a riser may lie a floor.
  uint32_t of(Kind kind, uint32_t triangle, uint32_t side) const {
    return (kind == Kind::kWall ? wall_ : walkable_)[3 * size_t{triangle} + side];
  }

 private:
  std::vector<uint32_t> walkable_;  // of floors and risers: no triangle is both
  std::vector<uint32_t> wall_;
};

}  // namespace wend::extraction
