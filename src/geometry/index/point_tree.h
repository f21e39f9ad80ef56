#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <wend/polygon.h>

#include "geometry/predicates.h"

// Points in a strip: a k-d tree that does not mind how the points are spread. Built once in O(n log n), read by any
// thread.
namespace wend {

// The points of a box whose signed doubled area with the line from a to b lies between low and high.
struct Strip {
  Box box;
  Point a;
  Point b;
  Int128 low = 0;
  Int128 high = 0;
};

class PointTree {
 public:
  explicit PointTree(std::span<const Point> points);

  // Calls visit(id) for every point in the strip until it returns false; false then. Exact.
  template <typename Visit>
  bool forEach(const Strip& strip, Visit&& visit) const {
    return descend(strip, 0, entries_.size(), bounds_, true, visit);
  }

 private:
  struct Entry {
    Point point;
    uint32_t id;
  };

  static bool mayMeet(const Strip& strip, const Box& box);
  static bool contains(const Strip& strip, Point p);

  // The middle entry splits the range at its coordinate, x and y in turn.
  template <typename Visit>
  bool descend(const Strip& strip, size_t begin, size_t end, const Box& box, bool byX, Visit& visit) const {
    if (begin == end || !mayMeet(strip, box)) return true;
    const size_t middle = begin + (end - begin) / 2;
    const Entry& entry = entries_[middle];
    if (contains(strip, entry.point) && !visit(entry.id)) return false;
    Box below = box;
    Box above = box;
    (byX ? below.max.x : below.max.y) = byX ? entry.point.x : entry.point.y;
    (byX ? above.min.x : above.min.y) = byX ? entry.point.x : entry.point.y;
    return descend(strip, begin, middle, below, !byX, visit) && descend(strip, middle + 1, end, above, !byX, visit);
  }

  Box bounds_;
  std::vector<Entry> entries_;
};

}  // namespace wend
