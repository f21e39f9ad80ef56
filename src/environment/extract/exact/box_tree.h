#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <wend/context.h>
#include <wend/polygon.h>

// Which items lie in a box in space? A packed tree: items in the order of a curve through space, eight to a leaf, eight
// nodes to a parent. The boxes of a node are tested together. Built once in O(n), read by any thread.
namespace wend::exact {

class BoxTree {
 public:
  struct Extent {
    Box box;  // in top view
    int32_t low = 0;
    int32_t high = 1;
  };

  BoxTree() = default;
  // Items are known by their places, or by the names given.
  explicit BoxTree(std::span<const Extent> extents, const Context* context = nullptr,
                   std::span<const uint32_t> names = {});

  // All items, near ones near each other: who asks for many boxes does best to ask in this order.
  std::span<const uint32_t> items() const { return items_; }

  // Calls visit(item) once for every item whose box meets the open box and whose heights meet (low, high).
  template <typename Visit>
  void forEach(const Box& box, double low, double high, Visit&& visit) const {
    if (items_.empty()) return;
    const Query query{box.min.x, box.max.x, box.min.y, box.max.y, wholeFloor(low), -wholeFloor(-high)};
    // Nodes to be looked at: the level in the lowest bits, the number within the level above them.
    std::array<uint64_t, kFan * kMostLevels> open;
    size_t count = 1;
    open[0] = levels_ - 1;
    while (count > 0) {
      const uint64_t next = open[--count];
      const uint64_t level = next & kLevelMask;
      const uint64_t children = (next & ~kLevelMask) * kFan;
      uint32_t mask = meeting(nodes_[begin_[level] + (next >> kLevelBits)], query);
      if (level == 0) {
        const uint32_t* const items = items_.data() + (children >> kLevelBits);
        for (; mask != 0; mask &= mask - 1) visit(items[std::countr_zero(mask)]);
        continue;
      }
      for (; mask != 0; mask &= mask - 1) {
        open[count++] = children + (static_cast<uint64_t>(std::countr_zero(mask)) << kLevelBits) + level - 1;
      }
    }
  }
  template <typename Visit>
  void forEach(const Box& box, Visit&& visit) const {
    forEach(box, -INFINITY, INFINITY, visit);
  }

  // Whole heights a little beyond the true ones, for extents.
  static int32_t wholeBelow(double z) { return static_cast<int32_t>(std::clamp(z, -kFar, kFar)) - 1; }
  static int32_t wholeAbove(double z) { return static_cast<int32_t>(std::clamp(z, -kFar, kFar)) + 1; }

 private:
  static constexpr double kFar = 2e9;
  static constexpr uint32_t kFan = 8;
  static constexpr size_t kMostLevels = 11;  // 32 bits, three each
  static constexpr int kLevelBits = 4;
  static constexpr uint64_t kLevelMask = (1U << kLevelBits) - 1;

  struct Query {
    int32_t minX, maxX, minY, maxY, low, high;
  };
  // Four numbers that the processor compares at once.
  using Lanes = int32_t __attribute__((vector_size(16)));
  // The boxes of its children; those that are not there meet nothing.
  struct Node {
    std::array<Lanes, 2> minX, maxX, minY, maxY, low, high;
  };
  static_assert(sizeof(Node) == 6 * kFan * sizeof(int32_t));

  // A bit for each child that meets the query.
  static uint32_t meeting(const Node& n, const Query& q) {
    const auto meets = [&](size_t i) {
      return (n.minX[i] < q.maxX) & (n.maxX[i] > q.minX) & (n.minY[i] < q.maxY) & (n.maxY[i] > q.minY) &
             (n.low[i] < q.high) & (n.high[i] > q.low);
    };
#if defined(__SSE2__)
    const auto signs = [&](size_t i) {
      return static_cast<uint32_t>(_mm_movemask_ps(std::bit_cast<__m128>(meets(i))));
    };
    return signs(0) | signs(1) << 4;
#else
    const Lanes bits = (meets(0) & Lanes{1, 2, 4, 8}) | (meets(1) & Lanes{16, 32, 64, 128});
    return static_cast<uint32_t>(bits[0] | bits[1] | bits[2] | bits[3]);
#endif
  }

  static int32_t wholeFloor(double z) {
    z = std::clamp(z, -kFar, kFar);
    const auto whole = static_cast<int32_t>(z);
    return whole > z ? whole - 1 : whole;
  }

  std::vector<Node> nodes_;  // leaves first, the root last
  std::vector<uint32_t> items_;
  std::array<uint32_t, kMostLevels> begin_{};  // of each level, into nodes_
  size_t levels_ = 0;
};

}  // namespace wend::exact
