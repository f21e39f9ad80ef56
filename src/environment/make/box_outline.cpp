#include "environment/make/box_outline.h"

#include <algorithm>

namespace wend::make {

Ring outlineWith(const Rect& r, std::array<std::vector<int32_t>, 4> points) {
  for (auto& side : points) std::sort(side.begin(), side.end());
  Ring ring{{r.x0, r.y0}};
  for (const int32_t x : points[0]) ring.push_back({x, r.y0});
  ring.push_back({r.x1, r.y0});
  for (const int32_t y : points[1]) ring.push_back({r.x1, y});
  ring.push_back({r.x1, r.y1});
  std::reverse(points[2].begin(), points[2].end());
  for (const int32_t x : points[2]) ring.push_back({x, r.y1});
  ring.push_back({r.x0, r.y1});
  std::reverse(points[3].begin(), points[3].end());
  for (const int32_t y : points[3]) ring.push_back({r.x0, y});
  return ring;
}

Ring bumpedOutline(const Rect& r, const std::array<int, 4>& counts, int32_t width, int32_t depth) {
  const std::array<Point, 4> corners{{{r.x0, r.y0}, {r.x1, r.y0}, {r.x1, r.y1}, {r.x0, r.y1}}};
  constexpr std::array<Point, 4> along{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
  Ring ring;
  for (size_t side = 0; side < 4; ++side) {
    const Point a = corners[side];
    const Point d = along[side];
    const Point in{-d.y, d.x};
    const int64_t length = side % 2 == 0 ? r.width() : r.depth();
    ring.push_back(a);
    for (int k = 0; k < counts[side]; ++k) {
      const auto from = static_cast<int32_t>(length * (k + 1) / (counts[side] + 1)) - width / 2;
      const Point p{a.x + d.x * from, a.y + d.y * from};
      const Point q{p.x + d.x * width, p.y + d.y * width};
      ring.push_back(p);
      ring.push_back({p.x + in.x * depth, p.y + in.y * depth});
      ring.push_back({q.x + in.x * depth, q.y + in.y * depth});
      ring.push_back(q);
    }
  }
  return ring;
}

}  // namespace wend::make
