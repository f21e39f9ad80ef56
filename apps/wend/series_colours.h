#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace wend::app {

// The colour of the i-th curve of a plot; ten differ, then they repeat.
constexpr std::string_view seriesColour(size_t i) {
  constexpr std::array<std::string_view, 10> kColours{"#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e",
                                                      "#8c564b", "#17becf", "#e377c2", "#7f7f7f", "#bcbd22"};
  return kColours[i % kColours.size()];
}

}  // namespace wend::app
