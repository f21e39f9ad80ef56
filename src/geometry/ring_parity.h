#pragma once

#include <wend/polygon.h>

#include "geometry/predicates.h"

namespace wend {

// Whether the ring encloses the point: exact, but a point on the ring may fall on either side. O(vertices).
inline bool isInside(const Ring& ring, Vec2 p) {
  bool inside = false;
  for (size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) {
    const Vec2 a = toVec2(ring[j]);
    const Vec2 b = toVec2(ring[i]);
    if ((a.y > p.y) == (b.y > p.y)) continue;
    const int side = orient(a, b, p);
    if ((a.y < b.y ? side : -side) < 0) inside = !inside;
  }
  return inside;
}

}  // namespace wend
