#include "environment/image/label.h"

namespace wend::image {

// Two passes: runs of ones get the number of a run above them, equal numbers are joined, then all are numbered anew.
Labels label(const Mask& mask) {
  Labels result;
  result.label = Raster<uint32_t>(mask.width, mask.height);
  std::vector<uint32_t> parent{0};
  const auto root = [&](uint32_t i) {
    while (parent[i] != i) {
      parent[i] = parent[parent[i]];
      i = parent[i];
    }
    return i;
  };
  for (uint32_t y = 0; y < mask.height; ++y) {
    const uint8_t* row = mask.row(y);
    uint32_t* out = result.label.row(y);
    const uint32_t* above = y == 0 ? nullptr : result.label.row(y - 1);
    uint32_t current = 0;
    for (uint32_t x = 0; x < mask.width; ++x) {
      if (row[x] == 0) {
        current = 0;
        continue;
      }
      const uint32_t up = above == nullptr ? 0 : above[x];
      if (current == 0) {
        if (up == 0) parent.push_back(static_cast<uint32_t>(parent.size()));
        current = up == 0 ? static_cast<uint32_t>(parent.size() - 1) : root(up);
      } else if (up != 0) {
        const uint32_t a = root(current);
        const uint32_t b = root(up);
        parent[std::max(a, b)] = std::min(a, b);
        current = std::min(a, b);
      }
      out[x] = current;
    }
  }
  std::vector<uint32_t> number(parent.size(), 0);
  for (uint32_t& value : result.label.values) {
    if (value == 0) continue;
    const uint32_t r = root(value);
    if (number[r] == 0) {
      number[r] = ++result.count;
      result.area.push_back(0);
    }
    value = number[r];
    ++result.area[value - 1];
  }
  return result;
}

}  // namespace wend::image
