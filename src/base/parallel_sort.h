#pragma once

#include <algorithm>
#include <vector>

#include "base/parallel.h"

namespace wend {

// Sorts by a total order: no two different items may be equal to `less`, so that the result does not depend on threads.
// Halves are sorted beside each other and merged. O(n log n), with as much memory again.
template <typename Item, typename Less>
void parallelSort(std::vector<Item>& items, const Context& context, const Less& less) {
  // Shorter ones are done before another thread has woken up.
  constexpr size_t kWorthIt = 4096;
  constexpr size_t kParts = 8;
  if (context.threads == 1 || items.size() < kWorthIt) {
    std::sort(items.begin(), items.end(), less);
    return;
  }
  const auto at = [&](size_t part) {
    return items.begin() + static_cast<std::ptrdiff_t>(items.size() * part / kParts);
  };
  parallelFor(kParts, context, [&](size_t i) { std::sort(at(i), at(i + 1), less); });
  for (size_t width = 1; width < kParts; width *= 2) {
    parallelFor(kParts / (2 * width), context, [&](size_t i) {
      const size_t first = 2 * width * i;
      std::inplace_merge(at(first), at(first + width), at(first + 2 * width), less);
    });
  }
}

}  // namespace wend
