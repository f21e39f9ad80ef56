#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace wend::exact {

// Lists of items in one array.
template <typename Item>
class Lists {
 public:
  Lists() = default;
  // Pairs of list and item.
  Lists(uint32_t count, const std::vector<std::pair<uint32_t, Item>>& pairs) : begin_(count + 1, 0) {
    for (const auto& [list, item] : pairs) ++begin_[list + 1];
    for (uint32_t i = 0; i < count; ++i) begin_[i + 1] += begin_[i];
    items_.resize(pairs.size());
    std::vector<uint32_t> fill(begin_.begin(), begin_.end() - 1);
    for (const auto& [list, item] : pairs) items_[fill[list]++] = item;
  }
  std::span<const Item> of(uint32_t i) const { return std::span(items_).subspan(begin_[i], begin_[i + 1] - begin_[i]); }

 private:
  std::vector<uint32_t> begin_;
  std::vector<Item> items_;
};

}  // namespace wend::exact
