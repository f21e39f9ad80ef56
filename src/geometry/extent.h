#pragma once

#include <algorithm>

#include <wend/lattice.h>
#include <wend/polygon.h>

namespace wend {

// A closed box of doubles, lattice units; empty at first.
struct Extent {
  double minX = 1e300, minY = 1e300, maxX = -1e300, maxY = -1e300;

  Extent() = default;
  explicit Extent(const Box& box) : Extent() {
    if (box.empty()) return;
    add(toVec2(box.min));
    add(toVec2(box.max));
  }
  void add(Vec2 p, double r = 0) {
    minX = std::min(minX, p.x - r);
    minY = std::min(minY, p.y - r);
    maxX = std::max(maxX, p.x + r);
    maxY = std::max(maxY, p.y + r);
  }
  Extent grown(double r) const {
    Extent result;
    result.add({minX, minY}, r);
    result.add({maxX, maxY}, r);
    return result;
  }
  bool meets(const Extent& o) const { return minX <= o.maxX && maxX >= o.minX && minY <= o.maxY && maxY >= o.minY; }
};

}  // namespace wend
