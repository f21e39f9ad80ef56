#pragma once

#include <algorithm>
#include <vector>

#include "geometry/predicates.h"

namespace wend {

// The corners of the convex hull, counter-clockwise, without collinear points; fewer than three if the points lie on a
// line. O(n log n), exact.
inline std::vector<Vec2> convexHull(std::vector<Vec2> points) {
  const auto before = [](Vec2 a, Vec2 b) { return a.x != b.x ? a.x < b.x : a.y < b.y; };
  std::sort(points.begin(), points.end(), before);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() < 3) return points;
  std::vector<Vec2> hull;
  for (int pass = 0; pass < 2; ++pass) {
    const size_t base = hull.size();
    for (const Vec2 p : points) {
      while (hull.size() >= base + 2 && orient(hull[hull.size() - 2], hull.back(), p) <= 0) hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();
    std::reverse(points.begin(), points.end());
  }
  return hull;
}

}  // namespace wend
