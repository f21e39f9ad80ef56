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

}  // namespace wend
