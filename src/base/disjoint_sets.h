#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace wend {

// Sets of 0 to n - 1 that are joined one by one; each goes by its least member.
class DisjointSets {
 public:
  explicit DisjointSets(size_t n = 0) : root_(n) { std::iota(root_.begin(), root_.end(), 0U); }

  size_t size() const { return root_.size(); }
  uint32_t find(uint32_t i) {
    while (root_[i] != i) i = root_[i] = root_[root_[i]];
    return i;
  }
  // Whether they were apart.
  bool join(uint32_t i, uint32_t j) {
    i = find(i);
    j = find(j);
    root_[std::max(i, j)] = std::min(i, j);
    return i != j;
  }

 private:
  std::vector<uint32_t> root_;
};

}  // namespace wend
