#include "draw/draw_settings.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace wend {

Status checkDrawSettings(const DrawSettings& settings) {
  if (!(settings.width >= 100 && settings.width <= 20000)) {
    return Error{ErrorCode::kInvalidSettings, fmt::format("width {} is outside 100 to 20000 pixels", settings.width)};
  }
  if (!(settings.clearance >= 0) || !std::isfinite(settings.clearance)) {
    return Error{ErrorCode::kInvalidSettings,
                 fmt::format("clearance {} is not a length in metres, 0 or more", settings.clearance)};
  }
  return Done{};
}

std::vector<size_t> drawingOrder(std::span<const PageLayer> layers) {
  std::vector<size_t> order(layers.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return layers[a].low < layers[b].low; });
  return order;
}

}  // namespace wend
