#pragma once

#include "environment/image/filters.h"

// Connected components of a mask.
namespace wend::image {

struct Labels {
  Raster<uint32_t> label;  // 0 where the mask is 0, else 1 to `count`, in the order of their first pixel
  uint32_t count = 0;
  std::vector<uint64_t> area;  // pixels of each label, from label 1 on
};

// Pixels that share a side are joined; a diagonal line of zeros separates. O(pixels).
Labels label(const Mask& mask);

}  // namespace wend::image
