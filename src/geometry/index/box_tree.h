#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <wend/context.h>
#include <wend/polygon.h>

// Finds the items that lie in a box in space. A packed tree: items in the order of a curve through space, eight to a
// leaf, eight nodes to a parent. The boxes of a node are tested together. Built once in O(n), read by any thread.
namespace wend {

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

  // All items, near ones near each other: many queries are fastest in this order.
  std::span<const uint32_t> items() const { return items_; }

  // Calls visit(item) once for every item whose box meets the open box and whose heights meet (low, high).
  template <typename Visit>
  void forEach(const Box& box, double low, double high, Visit&& visit) const {
    if (items_.empty()) return;
    const Extent query = queryOf(box, low, high);
    forEachPlace(query, [&](uint32_t place) { visit(items_[place]); });
  }
  template <typename Visit>
  void forEach(const Box& box, Visit&& visit) const {
    forEach(box, -INFINITY, INFINITY, visit);
  }

  // The same for up to kTogether boxes near each other: calls visit(item, which) with a bit for each box that meets it,
  // and for some more that meet none.
  static constexpr uint32_t kTogether = 8;
  template <typename Visit>
  void forEach(std::span<const Extent> boxes, Visit&& visit) const {
    if (items_.empty() || boxes.empty()) return;
    const Together together(boxes);
    forEachPlace(together.all, [&](uint32_t place) { visit(items_[place], together.meeting(*this, place)); });
  }

  // The items of a tree that are not done with yet.
  class Rest {
   public:
    explicit Rest(const BoxTree& tree) : tree_(tree), left_(tree.nodes_.size(), (1U << kFan) - 1) {}

    // As forEach(), without those that visit(item, which) said true of: they are done with.
    template <typename Visit>
    void take(std::span<const Extent> boxes, Visit&& visit) {
      if (tree_.items_.empty() || boxes.empty()) return;
      const Together together(boxes);
      const auto meetingOf = [&](size_t level, uint32_t node) {
        const size_t at = tree_.begin_[level] + node;
        return meeting(tree_.nodes_[at], together.all) & left_[at];
      };
      tree_.inWaves(meetingOf, [&](uint32_t place) {
        if (visit(tree_.items_[place], together.meeting(tree_, place))) remove(place);
      });
    }

   private:
    void remove(uint32_t child) {
      for (size_t level = 0; level < tree_.levels_; ++level) {
        const uint32_t node = child / kFan;
        uint8_t& left = left_[tree_.begin_[level] + node];
        left = static_cast<uint8_t>(left & ~(1U << (child % kFan)));
        if (left != 0) return;
        child = node;
      }
    }

    const BoxTree& tree_;
    std::vector<uint8_t> left_;  // of each node, a bit for each child
  };

  // Calls visit(p, q) for every two items whose boxes meet when one of them is widened, by `margin` in top view and by
  // `climb` in height; either may come first. Each leaf has pairs of its own: asked for all leaves, it gives all pairs,
  // each once.
  size_t leaves() const { return (items_.size() + kFan - 1) / kFan; }
  template <typename Visit>
  void forEachPair(size_t leaf, int32_t margin, int32_t climb, Visit&& visit) const {
    const uint32_t* const items = items_.data() + leaf * kFan;
    const auto size = static_cast<uint32_t>(std::min<size_t>(kFan, items_.size() - leaf * kFan));
    std::array<Extent, kFan> wide;
    Extent all = childOf(nodes_[leaf], 0);
    for (uint32_t i = 0; i < kFan; ++i) {
      const Extent e = childOf(nodes_[leaf], i);
      wide[i] = i >= size ? e
                          : Extent{{{less(e.box.min.x, margin), less(e.box.min.y, margin)},
                                    {more(e.box.max.x, margin), more(e.box.max.y, margin)}},
                                   less(e.low, climb),
                                   more(e.high, climb)};
      all = joined(all, wide[i]);
    }
    const Node node = nodeOf(wide);
    search(all, leaf, [&](size_t other) {
      const uint32_t* const others = items_.data() + other * kFan;
      for (uint32_t near = meeting(nodes_[other], all); near != 0; near &= near - 1) {
        const auto k = static_cast<uint32_t>(std::countr_zero(near));
        uint32_t mask = meeting(node, childOf(nodes_[other], k));
        if (other == leaf) mask &= (uint32_t{1} << k) - 1;
        for (; mask != 0; mask &= mask - 1) visit(items[std::countr_zero(mask)], others[k]);
      }
    });
  }

  // Whole heights a little beyond the true ones, for extents.
  static int32_t wholeBelow(double z) { return static_cast<int32_t>(std::clamp(z, -kFar, kFar)) - 1; }
  static int32_t wholeAbove(double z) { return static_cast<int32_t>(std::clamp(z, -kFar, kFar)) + 1; }

  // Of a height that is looked for.
  static int32_t wholeFloor(double z) {
    z = std::clamp(z, -kFar, kFar);
    const auto whole = static_cast<int32_t>(z);
    return whole > z ? whole - 1 : whole;
  }

 private:
  static constexpr double kFar = 2e9;
  static constexpr uint32_t kFan = kTogether;
  static constexpr size_t kMostLevels = 11;  // 32 bits, three each
  static constexpr int kLevelBits = 4;
  static constexpr uint64_t kLevelMask = (1U << kLevelBits) - 1;
  static constexpr size_t kWave = 64;

  // Nodes of one level that are to be looked at.
  struct Wave {
    size_t count, next;
    std::array<uint32_t, kWave + 2 * kFan> nodes;
  };
  // The bits that are set in a number, from the lowest up and from the highest down, and how many.
  struct Bits {
    std::array<std::array<uint32_t, kFan>, 1U << kFan> upwards{};
    std::array<std::array<uint32_t, kFan>, 1U << kFan> downwards{};
    std::array<uint8_t, 1U << kFan> count{};
    constexpr Bits() {
      for (uint32_t mask = 0; mask < 1U << kFan; ++mask) {
        for (uint8_t bit = 0; bit < kFan; ++bit) {
          if ((mask >> bit & 1) != 0) upwards[mask][count[mask]++] = bit;
        }
        for (uint8_t k = 0; k < count[mask]; ++k) downwards[mask][k] = upwards[mask][count[mask] - 1U - k];
      }
    }
  };
  static const Bits kBits;

  static Extent queryOf(const Box& box, double low, double high) { return {box, wholeFloor(low), -wholeFloor(-high)}; }
  // Four numbers that the processor compares at once.
  using Lanes = int32_t __attribute__((vector_size(16)));
  // The boxes of its children; those that are not there meet nothing.
  struct Node {
    std::array<Lanes, 2> minX, maxX, minY, maxY, low, high;
  };
  static_assert(sizeof(Node) == 6 * kFan * sizeof(int32_t));

  static Node nodeOf(std::span<const Extent, kFan> children) {
    const auto lower = [](Lanes p, Lanes q) { return __builtin_shufflevector(p, q, 0, 4, 1, 5); };
    const auto upper = [](Lanes p, Lanes q) { return __builtin_shufflevector(p, q, 2, 6, 3, 7); };
    Node node;
    for (size_t half = 0; half < 2; ++half) {
      const auto boxOf = [&](size_t i) {
        const Box& box = children[4 * half + i].box;
        return Lanes{box.min.x, box.min.y, box.max.x, box.max.y};
      };
      const auto heightsOf = [&](size_t i) {
        const Extent& e = children[4 * half + i];
        return Lanes{e.low, e.high, 0, 0};
      };
      const Lanes least02 = lower(boxOf(0), boxOf(2));
      const Lanes least13 = lower(boxOf(1), boxOf(3));
      const Lanes most02 = upper(boxOf(0), boxOf(2));
      const Lanes most13 = upper(boxOf(1), boxOf(3));
      const Lanes heights02 = lower(heightsOf(0), heightsOf(2));
      const Lanes heights13 = lower(heightsOf(1), heightsOf(3));
      node.minX[half] = lower(least02, least13);
      node.minY[half] = upper(least02, least13);
      node.maxX[half] = lower(most02, most13);
      node.maxY[half] = upper(most02, most13);
      node.low[half] = lower(heights02, heights13);
      node.high[half] = upper(heights02, heights13);
    }
    return node;
  }

  // A bit for each child that meets the query.
  static uint32_t meeting(const Node& n, const Extent& q) {
    const auto meets = [&](size_t i) {
      return (n.minX[i] < q.box.max.x) & (n.maxX[i] > q.box.min.x) & (n.minY[i] < q.box.max.y) &
             (n.maxY[i] > q.box.min.y) & (n.low[i] < q.high) & (n.high[i] > q.low);
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

  static Extent childOf(const Node& n, uint32_t i) {
    const auto lane = [&](const std::array<Lanes, 2>& lanes) { return lanes[i / 4][i % 4]; };
    return {{{lane(n.minX), lane(n.minY)}, {lane(n.maxX), lane(n.maxY)}}, lane(n.low), lane(n.high)};
  }
  static Extent joined(const Extent& p, const Extent& q) {
    return {{{std::min(p.box.min.x, q.box.min.x), std::min(p.box.min.y, q.box.min.y)},
             {std::max(p.box.max.x, q.box.max.x), std::max(p.box.max.y, q.box.max.y)}},
            std::min(p.low, q.low),
            std::max(p.high, q.high)};
  }

  // Up to kTogether boxes, and what holds them all.
  struct Together {
    explicit Together(std::span<const Extent> boxes) : all(boxes[0]), asked((uint32_t{1} << boxes.size()) - 1) {
      std::array<Extent, kFan> wanted;
      for (uint32_t i = 0; i < kFan; ++i) {
        wanted[i] = boxes[std::min<size_t>(i, boxes.size() - 1)];
        all = joined(all, wanted[i]);
      }
      node = nodeOf(wanted);
    }
    // A bit for each that meets an item.
    uint32_t meeting(const BoxTree& tree, uint32_t place) const {
      return BoxTree::meeting(node, childOf(tree.nodes_[place / kFan], place % kFan)) & asked;
    }
    Extent all;
    uint32_t asked;
    Node node;
  };

  // Without leaving the range.
  static int32_t less(int32_t value, int32_t by) {
    return static_cast<int32_t>(std::max(int64_t{value} - by, int64_t{INT32_MIN}));
  }
  static int32_t more(int32_t value, int32_t by) {
    return static_cast<int32_t>(std::min(int64_t{value} + by, int64_t{INT32_MAX}));
  }

  // Calls visit(place) for the places in items_ of all that meet the query.
  template <typename Visit>
  void forEachPlace(const Extent& query, Visit&& visit) const {
    inWaves([&](size_t level, uint32_t node) { return meeting(nodes_[begin_[level] + node], query); }, visit);
  }
  // The same for all that are come to when from the root down only those children are followed whose bits
  // meetingOf(level, node) gives.
  template <typename Meeting, typename Visit>
  void inWaves(const Meeting& meetingOf, Visit&& visit) const {
    // The number of children that meet a query is not predictable: nodes are taken in waves, without a branch for each.
    std::array<Wave, kMostLevels + 1> waves;  // of each level; items are below the leaves
    size_t level = levels_;
    waves[level].nodes[0] = 0;
    waves[level].count = 1;
    waves[level].next = 0;
    while (level <= levels_) {
      Wave& wave = waves[level];
      if (wave.next == wave.count) {
        ++level;
        continue;
      }
      Wave& below = waves[level - 1];
      const auto& order = level == 1 ? kBits.upwards : kBits.downwards;
      size_t next = wave.next;
      size_t count = 0;
      while (next < wave.count && count <= kWave) {
        const uint32_t node = wave.nodes[next++];
        const uint32_t mask = meetingOf(level - 1, node);
        auto children = std::bit_cast<std::array<Lanes, 2>>(order[mask]);
        for (Lanes& four : children) four += static_cast<int32_t>(node * kFan);
        std::memcpy(below.nodes.data() + count, children.data(), sizeof(children));
        count += kBits.count[mask];
      }
      wave.next = next;
      if (level == 1) {
        for (size_t k = 0; k < count; ++k) visit(below.nodes[k]);
      } else {
        below.count = count;
        below.next = 0;
        --level;
      }
    }
  }

  // Calls visit(leaf) for those from a leaf on that may hold what meets the query.
  template <typename Visit>
  void search(const Extent& query, size_t from, Visit&& visit) const {
    std::array<uint64_t, kFan * kMostLevels> open;
    size_t count = 1;
    open[0] = levels_ - 1;
    while (count > 0) {
      const uint64_t next = open[--count];
      const uint64_t level = next & kLevelMask;
      if (level == 0) {
        visit(next >> kLevelBits);
        continue;
      }
      const uint64_t children = (next & ~kLevelMask) * kFan;
      uint32_t mask = meeting(nodes_[begin_[level] + (next >> kLevelBits)], query);
      for (; mask != 0; mask &= mask - 1) {
        const uint64_t child = children + (static_cast<uint64_t>(std::countr_zero(mask)) << kLevelBits) + level - 1;
        // Its last leaf.
        if ((((child >> kLevelBits) + 1) << (3 * (level - 1))) > from) open[count++] = child;
      }
    }
  }

  std::vector<Node> nodes_;  // leaves first, the root last
  std::vector<uint32_t> items_;
  std::array<uint32_t, kMostLevels> begin_{};  // of each level, into nodes_
  size_t levels_ = 0;
};

inline constexpr BoxTree::Bits BoxTree::kBits;

}  // namespace wend
