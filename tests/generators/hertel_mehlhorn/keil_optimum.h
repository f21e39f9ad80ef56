#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include <wend/polygon.h>

#include "geometry/predicates.h"

// The smallest number of convex parts that diagonals cut a simple polygon into: the dynamic program of Keil and Greene
// in its plain form, about n^5 / 120 steps.
namespace wend {

class KeilOptimum {
 public:
  explicit KeilOptimum(const Ring& ring) : ring_(ring), n_(ring.size()) {
    visible_.assign(n_ * n_, false);
    for (size_t i = 0; i < n_; ++i) {
      for (size_t j = i + 1; j < n_; ++j) visible_[i * n_ + j] = sees(i, j);
    }
    best_.assign(n_ * n_, kFar);
  }

  int value() {
    for (size_t i = 0; i + 1 < n_; ++i) best_[i * n_ + i + 1] = 0;
    for (size_t gap = 2; gap < n_; ++gap) {
      for (size_t i = 0; i + gap < n_; ++i) {
        if (visible_[i * n_ + i + gap]) best_[i * n_ + i + gap] = cheapestChain(i, i + gap);
      }
    }
    return best_[n_ - 1];
  }

 private:
  static constexpr int kFar = std::numeric_limits<int>::max() / 4;

  bool sees(size_t i, size_t j) const {
    if (j == i + 1 || (i == 0 && j + 1 == n_)) return true;
    const Point a = ring_[i];
    const Point b = ring_[j];
    for (size_t k = 0; k < n_; ++k) {
      if (k != i && k != j && onSegment(a, b, ring_[k])) return false;
      if (meet(a, b, ring_[k], ring_[(k + 1) % n_]) == Meeting::kCross) return false;
    }
    return inCone(i, ring_[j]);
  }
  bool inCone(size_t i, Point p) const {
    const Point before = ring_[(i + n_ - 1) % n_];
    const Point here = ring_[i];
    const Point after = ring_[(i + 1) % n_];
    const bool leftOfAfter = orient(here, after, p) > 0;
    const bool leftOfBefore = orient(before, here, p) > 0;
    return orient(before, here, after) >= 0 ? leftOfAfter && leftOfBefore : leftOfAfter || leftOfBefore;
  }

  // The cell on the diagonal (i, j): a convex chain i < ... < j over the vertices that keep both ends convex.
  int cheapestChain(size_t i, size_t j) const {
    std::vector<size_t> chain{i};
    for (size_t k = i + 1; k < j; ++k) {
      if (orient(ring_[j], ring_[i], ring_[k]) >= 0) chain.push_back(k);
    }
    chain.push_back(j);
    const size_t m = chain.size();
    std::vector<int> cost(m * m, kFar);  // of the chain up to the step (a, b)
    int best = kFar;
    for (size_t b = 1; b < m; ++b) {
      for (size_t a = 0; a < b; ++a) {
        if ((a == 0 && b + 1 == m) || !visible_[chain[a] * n_ + chain[b]]) continue;
        int before = a == 0 ? 0 : kFar;
        for (size_t p = 0; p < a; ++p) {
          if (cost[p * m + a] >= kFar || orient(ring_[chain[p]], ring_[chain[a]], ring_[chain[b]]) < 0) continue;
          before = std::min(before, cost[p * m + a]);
        }
        cost[a * m + b] = std::min(kFar, before + best_[chain[a] * n_ + chain[b]]);
        if (b + 1 == m) best = std::min(best, cost[a * m + b]);
      }
    }
    return std::min(kFar, best + 1);
  }

  const Ring& ring_;
  size_t n_;
  std::vector<bool> visible_;
  std::vector<int> best_;
};

inline int optimalConvexParts(const Ring& ring) {
  return KeilOptimum(ring).value();
}

}  // namespace wend
