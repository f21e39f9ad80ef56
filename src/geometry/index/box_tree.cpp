#include "geometry/index/box_tree.h"

#include <limits>

#include "base/parallel.h"
#include "geometry/index/digit_sort.h"

namespace wend {
namespace {

constexpr size_t kBlock = 4096;
constexpr size_t kMostBits = 32;

// Twice the middle of an item.
std::array<int64_t, 3> middleOf(const BoxTree::Extent& e) {
  return {int64_t{e.box.min.x} + e.box.max.x, int64_t{e.box.min.y} + e.box.max.y, int64_t{e.low} + e.high};
}

// Numbers places so that near ones have near numbers: each bit halves the longest side of what the bits before left.
class Curve {
 public:
  explicit Curve(std::span<const BoxTree::Extent> extents) {
    std::array<int64_t, 3> most;
    most.fill(std::numeric_limits<int64_t>::min());
    low_.fill(std::numeric_limits<int64_t>::max());
    for (const BoxTree::Extent& e : extents) {
      const std::array<int64_t, 3> middle = middleOf(e);
      for (size_t k = 0; k < 3; ++k) {
        low_[k] = std::min(low_[k], middle[k]);
        most[k] = std::max(most[k], middle[k]);
      }
    }
    std::array<int, 3> bits;
    for (size_t k = 0; k < 3; ++k) bits[k] = static_cast<int>(std::bit_width(static_cast<uint64_t>(most[k] - low_[k])));
    // Enough to tell apart most items that lie evenly.
    used_ = std::min<size_t>(kMostBits, static_cast<size_t>(std::bit_width(extents.size())) + 4);
    std::array<uint8_t, kMostBits> axis;  // of each bit, the highest first
    for (size_t i = 0; i < used_; ++i) {
      const auto k = static_cast<size_t>(std::max_element(bits.begin(), bits.end()) - bits.begin());
      if (bits[k] == 0) {
        used_ = i;
        break;
      }
      axis[i] = static_cast<uint8_t>(k);
      --bits[k];
    }
    for (size_t k = 0; k < 3; ++k) {
      shift_[k] = bits[k];
      places_[k][0][0] = 0;
      size_t own = 0;  // bits of this axis, from the lowest
      for (size_t i = used_; i > 0; --i) {
        if (axis[i - 1] == k) spread(k, own++, uint32_t{1} << (used_ - i));
      }
      digits_[k] = (own + kDigitBits - 1) / kDigitBits;
    }
  }

  size_t bits() const { return used_; }

  uint32_t placeOf(const BoxTree::Extent& e) const {
    const auto [x, y, z] = middleOf(e);
    return placeOn(0, x) | placeOn(1, y) | placeOn(2, z);
  }

 private:
  static constexpr size_t kDigitBits = 8;  // few have more on one axis
  static constexpr size_t kDigits = size_t{1} << kDigitBits;

  // What a coordinate adds to a place.
  uint32_t placeOn(size_t axis, int64_t middle) const {
    uint64_t rest = static_cast<uint64_t>(middle - low_[axis]) >> shift_[axis];
    uint32_t place = places_[axis][0][rest & (kDigits - 1)];
    for (size_t d = 1; d < digits_[axis]; ++d) place |= places_[axis][d][(rest >>= kDigitBits) & (kDigits - 1)];
    return place;
  }

  // Bit `own` of an axis becomes this one of the place.
  void spread(size_t axis, size_t own, uint32_t bit) {
    std::array<uint32_t, kDigits>& places = places_[axis][own / kDigitBits];
    if (own % kDigitBits == 0) places[0] = 0;
    const size_t from = size_t{1} << (own % kDigitBits);
    for (size_t i = 0; i < from; ++i) places[from + i] = places[i] | bit;
  }

  std::array<int64_t, 3> low_;
  std::array<int, 3> shift_{};  // to the lowest bit used, of each axis
  // The bits of a place by the digits of each coordinate.
  std::array<std::array<std::array<uint32_t, kDigits>, kMostBits / kDigitBits>, 3> places_;
  std::array<size_t, 3> digits_{};
  size_t used_ = 0;
};

}  // namespace

BoxTree::BoxTree(std::span<const Extent> extents, const Context* context, std::span<const uint32_t> names) {
  if (extents.empty()) return;
  const auto inBlocks = [&](size_t n, auto&& body) {
    if (context == nullptr) {
      body(0, n);
    } else {
      parallelBlocks(n, kBlock, *context, body);
    }
  };
  const Curve curve(extents);
  std::vector<uint64_t> order(extents.size());
  inBlocks(order.size(), [&](size_t from, size_t to) {
    for (size_t i = from; i < to; ++i) {
      order[i] = uint64_t{curve.placeOf(extents[i])} << 32 | i;
    }
  });
  sortByUpperHalf(order, curve.bits());
  items_.resize(order.size());
  constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
  constexpr int32_t kMax = std::numeric_limits<int32_t>::max();
  constexpr Extent kNothing{{{kMax, kMax}, {kMin, kMin}}, kMax, kMin};
  const auto nodesFor = [](size_t boxes) { return (boxes + kFan - 1) / kFan; };
  // Of what the next level holds, with nothing in the places that are left over.
  std::vector<Extent> boxes(nodesFor(order.size()) * kFan, kNothing);
  inBlocks(order.size(), [&](size_t from, size_t to) {
    for (size_t i = from; i < to; ++i) {
      const auto item = static_cast<uint32_t>(order[i]);
      items_[i] = names.empty() ? item : names[item];
      boxes[i] = extents[item];
    }
  });
  nodes_.reserve(boxes.size() / (kFan - 1) + kMostLevels);
  size_t count = order.size();
  do {
    const size_t begin = nodes_.size();
    begin_[levels_++] = static_cast<uint32_t>(begin);
    count = nodesFor(count);
    nodes_.resize(begin + count);
    std::vector<Extent> around(nodesFor(count) * kFan, kNothing);
    inBlocks(count, [&](size_t from, size_t to) {
      for (size_t i = from; i < to; ++i) {
        const std::span<const Extent, kFan> children(boxes.data() + kFan * i, kFan);
        nodes_[begin + i] = nodeOf(children);
        Extent all = kNothing;
        for (const Extent& child : children) all = joined(all, child);
        around[i] = all;
      }
    });
    boxes.swap(around);
  } while (count > 1);
}

}  // namespace wend
