#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include <wend/context.h>
#include <wend/polygon.h>

#include "geometry/predicates.h"

// Boundary walks in flat arrays, and how they come out of loose edges.
namespace wend::extraction {

// An edge with the interior on its left.
struct Arrow {
  Point a;
  Point b;
  auto operator<=>(const Arrow&) const = default;
};

// Points in their order, as one number.
inline uint64_t orderOf(Point p) {
  constexpr uint64_t kSigns = 0x8000000080000000ULL;
  const auto both = std::bit_cast<uint64_t>(p);
  return (std::endian::native == std::endian::little ? std::rotl(both, 32) : both) ^ kSigns;
}

// Arrows, or what else has a start `a`, known by where they begin: the first in each point. They must outlive it.
template <typename Item>
class ByStart {
 public:
  // Up to so many memory on the stack will do.
  static constexpr size_t kFew = 64;

  explicit ByStart(std::span<const Item> items) : items_(items) {
    const auto bits = static_cast<size_t>(std::bit_width(2 * items.size()));
    shift_ = 64 - bits;
    mask_ = (size_t{1} << bits) - 1;
    if (mask_ >= few_.size()) many_.resize(mask_ + 1);
    slots_ = std::span(many_.empty() ? few_.data() : many_.data(), mask_ + 1);
    std::fill(slots_.begin(), slots_.end(), kNone);
  }
  // The item that begins in a point, or kNone.
  uint32_t find(Point p) const { return slots_[slotOf(p)]; }
  // False if one begins there already.
  bool add(uint32_t item) {
    uint32_t& slot = slots_[slotOf(items_[item].a)];
    if (slot != kNone) return false;
    slot = item;
    return true;
  }
  void addAll() {
    for (uint32_t i = 0; i < items_.size(); ++i) add(i);
  }

 private:
  size_t slotOf(Point p) const {
    auto at = static_cast<size_t>(orderOf(p) * 0x9e3779b97f4a7c15ULL >> shift_);
    while (slots_[at] != kNone && items_[slots_[at]].a != p) at = (at + 1) & mask_;
    return at;
  }

  std::span<const Item> items_;
  size_t shift_;
  size_t mask_;
  std::array<uint32_t, 2 * kFew> few_;
  std::vector<uint32_t> many_;
  std::span<uint32_t> slots_;
};

inline Box boxOf(Point a, Point b) {
  return {{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}};
}
inline Box boxOf(std::span<const Point> points) {
  Box box;
  for (const Point p : points) {
    box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y)};
    box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y)};
  }
  return box;
}

// These make all comparisons, without branches between them: which one fails is not predictable.
inline bool holds(const Box& box, Point p) {
  return (static_cast<int>(p.x >= box.min.x) & static_cast<int>(p.x <= box.max.x) & static_cast<int>(p.y >= box.min.y) &
          static_cast<int>(p.y <= box.max.y)) != 0;
}
inline bool meet(const Box& p, const Box& q) {
  return (static_cast<int>(p.min.x <= q.max.x) & static_cast<int>(p.max.x >= q.min.x) &
          static_cast<int>(p.min.y <= q.max.y) & static_cast<int>(p.max.y >= q.min.y)) != 0;
}
// Whether the interiors meet.
inline bool overlap(const Box& p, const Box& q) {
  return (static_cast<int>(p.min.x < q.max.x) & static_cast<int>(p.max.x > q.min.x) &
          static_cast<int>(p.min.y < q.max.y) & static_cast<int>(p.max.y > q.min.y)) != 0;
}

inline Box joined(const Box& p, const Box& q) {
  return {{std::min(p.min.x, q.min.x), std::min(p.min.y, q.min.y)},
          {std::max(p.max.x, q.max.x), std::max(p.max.y, q.max.y)}};
}

// Half away from zero, as std::lround does, without the call.
inline int32_t rounded(double x) {
  const auto whole = static_cast<int32_t>(x);
  const double rest = x - whole;
  return whole + (rest >= 0.5 ? 1 : 0) - (rest <= -0.5 ? 1 : 0);
}
inline Point rounded(double x, double y) {
  return {rounded(x), rounded(y)};
}

// Many rings in one array.
struct Rings {
  std::vector<Point> points;
  std::vector<uint32_t> begin{0};

  size_t count() const { return begin.size() - 1; }
  std::span<const Point> ring(size_t i) const { return std::span(points).subspan(begin[i], begin[i + 1] - begin[i]); }
  void add(std::span<const Point> ring) {
    points.insert(points.end(), ring.begin(), ring.end());
    begin.push_back(static_cast<uint32_t>(points.size()));
  }
  void clear() {
    points.clear();
    begin.assign(1, 0);
  }
};

// Adds the rings of all parts after each other to none. How many there are before each part.
std::vector<uint32_t> gather(std::span<const Rings> parts, Rings& rings, const Context& context);

// Removes pairs of opposite arrows, as often as each occurs. The rest is sorted.
void cancelOpposite(std::vector<Arrow>& arrows);

// Chains arrows into boundary walks: at a point where several meet, a walk stays with its own interior. False if some
// point has not as many arrows in as out; `rings` then holds what could be chained.
bool chainRings(std::vector<Arrow>& arrows, Rings& rings);

// The same without sorting, where each walk goes one way only, as most do. False, and nothing is added, if two arrows
// begin in the same point or a walk does not close. Opposite arrows bound nothing and are left out.
bool chainUnbranched(std::span<const Arrow> arrows, Rings& rings);

// Twice the signed area, and the length around, in doubles.
double doubledAreaOf(std::span<const Point> ring);
double lengthAround(std::span<const Point> ring);

// Rings as polygons: clockwise ones become holes of the smallest ring around them. A hole without one is dropped.
std::vector<Polygon> polygonsOf(const Rings& rings);

}  // namespace wend::extraction
