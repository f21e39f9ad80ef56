#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

// The open list of a best-first search: a 4-ary heap whose memory stays between queries.
namespace wend {

struct OpenEntry {
  double f;       // estimated length of the whole path
  double g;       // length so far; of equal f the larger g is nearer to the goal
  uint32_t side;  // the last tie-breakers, so that the order never depends on memory
  uint32_t root;
  uint32_t node;

  bool before(const OpenEntry& other) const {
    if (f != other.f) return f < other.f;
    if (g != other.g) return g > other.g;
    if (side != other.side) return side < other.side;
    if (root != other.root) return root < other.root;
    return node < other.node;
  }
};

class OpenList {
 public:
  void clear() { heap_.clear(); }
  bool empty() const { return heap_.empty(); }
  const OpenEntry& top() const { return heap_.front(); }

  void push(const OpenEntry& entry) {
    heap_.push_back(entry);
    size_t hole = heap_.size() - 1;
    while (hole > 0) {
      const size_t parent = (hole - 1) / kArity;
      if (!entry.before(heap_[parent])) break;
      heap_[hole] = heap_[parent];
      hole = parent;
    }
    heap_[hole] = entry;
  }

  OpenEntry pop() {
    const OpenEntry top = heap_.front();
    const OpenEntry last = heap_.back();
    heap_.pop_back();
    if (heap_.empty()) return top;
    size_t hole = 0;
    while (true) {
      const size_t first = hole * kArity + 1;
      if (first >= heap_.size()) break;
      const size_t end = first + kArity < heap_.size() ? first + kArity : heap_.size();
      size_t best = first;
      if (end - first == kArity) {
        best = sooner(sooner(first, first + 1), sooner(first + 2, first + 3));
      } else {
        for (size_t i = first + 1; i < end; ++i) best = sooner(best, i);
      }
      if (!heap_[best].before(last)) break;
      heap_[hole] = heap_[best];
      hole = best;
    }
    heap_[hole] = last;
    return top;
  }

 private:
  // The result is unpredictable: a select instead of a branch, and a branch only for equal estimates, which are rare.
  // Estimates are not negative, so their bits are in the same order.
  size_t sooner(size_t a, size_t b) const {
    const auto first = std::bit_cast<uint64_t>(heap_[a].f);
    const auto second = std::bit_cast<uint64_t>(heap_[b].f);
    if (first == second) [[unlikely]]
      return heap_[b].before(heap_[a]) ? b : a;
    const auto isSecond = static_cast<size_t>(second < first);
    return a + (b - a) * isSecond;
  }

  static constexpr size_t kArity = 4;
  std::vector<OpenEntry> heap_;
};

}  // namespace wend
