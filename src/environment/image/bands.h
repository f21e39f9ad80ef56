#pragma once

#include <algorithm>

#include "base/parallel.h"

// Work on bands of rows.
namespace wend::image {

inline constexpr uint32_t kBandRows = 64;

// Calls f(first row, row after the last) for each band.
template <typename F>
void eachBand(uint32_t height, const Context& context, F&& f) {
  const size_t bands = (height + kBandRows - 1) / kBandRows;
  parallelFor(bands, context, [&](size_t band) {
    const auto first = static_cast<uint32_t>(band * kBandRows);
    f(first, std::min(height, first + kBandRows));
  });
}

// The nearest index inside.
inline uint32_t clampIndex(int64_t i, uint32_t size) {
  return static_cast<uint32_t>(std::clamp<int64_t>(i, 0, int64_t{size} - 1));
}

}  // namespace wend::image
