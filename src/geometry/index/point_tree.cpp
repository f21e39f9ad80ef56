#include "geometry/index/point_tree.h"

#include <algorithm>

#include "geometry/int128.h"

namespace wend {

PointTree::PointTree(std::span<const Point> points) {
  entries_.reserve(points.size());
  for (uint32_t i = 0; i < points.size(); ++i) {
    entries_.push_back({points[i], i});
    bounds_.add(points[i]);
  }
  struct Range {
    size_t begin;
    size_t end;
    bool byX;
  };
  std::vector<Range> ranges = {{0, entries_.size(), true}};
  while (!ranges.empty()) {
    const Range range = ranges.back();
    ranges.pop_back();
    if (range.end - range.begin < 2) continue;
    const size_t middle = range.begin + (range.end - range.begin) / 2;
    const auto at = [&](size_t i) { return entries_.begin() + static_cast<std::ptrdiff_t>(i); };
    // Ids break ties, so that the tree is the same with every library.
    std::nth_element(at(range.begin), at(middle), at(range.end), [&](const Entry& e, const Entry& f) {
      const int32_t left = range.byX ? e.point.x : e.point.y;
      const int32_t right = range.byX ? f.point.x : f.point.y;
      return left != right ? left < right : e.id < f.id;
    });
    ranges.push_back({range.begin, middle, !range.byX});
    ranges.push_back({middle + 1, range.end, !range.byX});
  }
}

bool PointTree::mayMeet(const Strip& strip, const Box& box) {
  if (box.max.x < strip.box.min.x || box.min.x > strip.box.max.x || box.max.y < strip.box.min.y ||
      box.min.y > strip.box.max.y) {
    return false;
  }
  const Int128 areas[] = {cross(strip.a, strip.b, box.min), cross(strip.a, strip.b, {box.max.x, box.min.y}),
                          cross(strip.a, strip.b, box.max), cross(strip.a, strip.b, {box.min.x, box.max.y})};
  return *std::max_element(areas, areas + 4) >= strip.low && *std::min_element(areas, areas + 4) <= strip.high;
}

bool PointTree::contains(const Strip& strip, Point p) {
  if (p.x < strip.box.min.x || p.x > strip.box.max.x || p.y < strip.box.min.y || p.y > strip.box.max.y) return false;
  const Int128 area = cross(strip.a, strip.b, p);
  return strip.low <= area && area <= strip.high;
}

}  // namespace wend
