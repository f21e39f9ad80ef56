#pragma once

#include <cstdint>
#include <vector>

#include <wend/polygon.h>

namespace wend {

// What one obstacle covers of one layer: loops on the lattice, filled by the even-odd rule.
struct Footprint {
  uint32_t layer = 0;  // index
  std::vector<Ring> loops;
  bool operator==(const Footprint&) const = default;
};

Box boundingBox(const Footprint& footprint);

// Whether closed boxes have a point in common.
inline bool overlap(const Box& a, const Box& b) {
  return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y;
}

}  // namespace wend
