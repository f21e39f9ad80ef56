#include "environment/fence.h"

#include <cstdlib>
#include <utility>

namespace wend {

Ring fence(Point a, Point b) {
  constexpr int32_t kHalf = kFenceWidth / 2;
  if (a == b) {
    return {
        {a.x - kHalf, a.y - kHalf}, {a.x + kHalf, a.y - kHalf}, {a.x + kHalf, a.y + kHalf}, {a.x - kHalf, a.y + kHalf}};
  }
  const int64_t dx = static_cast<int64_t>(b.x) - a.x;
  const int64_t dy = static_cast<int64_t>(b.y) - a.y;
  // Across the longer coordinate, so that it is at least kFenceWidth / sqrt(2) wide.
  if (std::abs(dx) >= std::abs(dy)) {
    if (dx < 0) std::swap(a, b);
    return {{a.x, a.y - kHalf}, {b.x, b.y - kHalf}, {b.x, b.y + kHalf}, {a.x, a.y + kHalf}};
  }
  if (dy < 0) std::swap(a, b);
  return {{a.x + kHalf, a.y}, {b.x + kHalf, b.y}, {b.x - kHalf, b.y}, {a.x - kHalf, a.y}};
}

}  // namespace wend
