#include "geometry/ring_sweep.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/overlay.h"

namespace wend {
namespace {

struct Sides {
  std::vector<Segment> list;
  std::vector<uint32_t> ringBegin{0};
  void add(const Ring& ring) {
    for (size_t i = 0; i < ring.size(); ++i) list.push_back({ring[i], ring[(i + 1) % ring.size()]});
    ringBegin.push_back(static_cast<uint32_t>(list.size()));
  }
};

// Looks at all sides.
uint32_t slowLeftOf(const Sides& sides, Point p) {
  uint32_t nearest = kNone;
  int64_t nearestX = 0;  // at the level of p, times `nearestBy`
  int64_t nearestBy = 1;
  int64_t nearestSlope = 0;  // times `nearestBy` as well
  for (uint32_t i = 0; i < sides.list.size(); ++i) {
    const auto [low, high] =
        std::minmax(sides.list[i].a, sides.list[i].b, [](const Point& s, const Point& t) { return s.y < t.y; });
    if (low.y > p.y || high.y <= p.y) continue;
    const int64_t by = high.y - low.y;
    const int64_t slope = high.x - low.x;
    const int64_t x = low.x * by + slope * (p.y - low.y);
    if (x >= p.x * by) continue;
    const bool beyond = nearest == kNone || x * nearestBy > nearestX * by ||
                        (x * nearestBy == nearestX * by && slope * nearestBy > nearestSlope * by);
    if (!beyond) continue;
    nearest = i;
    nearestX = x;
    nearestBy = by;
    nearestSlope = slope;
  }
  return nearest;
}

TEST(RingSweep, NothingThere) {
  EXPECT_EQ(RingSweep({}, {}).leftOf({0, 0}), kNone);
  Sides sides;
  sides.add({{0, 0}, {4, 0}, {4, 4}, {0, 4}});
  RingSweep sweep(sides.list, sides.ringBegin);
  EXPECT_EQ(sweep.leftOf({9, -1}), kNone);
  EXPECT_EQ(sweep.leftOf({0, 0}), kNone);
  EXPECT_EQ(sweep.leftOf({4, 0}), 3U);
  EXPECT_EQ(sweep.leftOf({9, 3}), 1U);
  EXPECT_EQ(sweep.leftOf({9, 4}), kNone);
}

TEST(RingSweep, SeesWhatASearchOfAllSidesSees) {
  Random random(1);
  size_t seen = 0;
  for (int world = 0; world < 300; ++world) {
    const int64_t extent = random.between(4, 40);
    const auto point = [&] {
      return Point{static_cast<int32_t>(random.between(-extent, extent)),
                   static_cast<int32_t>(random.between(-extent, extent))};
    };
    Shape shape;
    for (int64_t i = random.between(1, 12); i > 0; --i) shape.loops.push_back({point(), point(), point()});
    const auto polygons = overlay(std::span(&shape, 1), [](uint32_t groups) { return groups != 0; });
    ASSERT_TRUE(polygons.ok());
    Sides sides;
    for (const Polygon& polygon : *polygons) {
      sides.add(polygon.outer);
      for (const Ring& hole : polygon.holes) sides.add(hole);
    }
    std::vector<Point> points;
    for (const Segment& side : sides.list) points.push_back(side.a);
    for (int i = 0; i < 20; ++i) points.push_back(point());
    std::sort(points.begin(), points.end(), [](Point p, Point q) { return p.y < q.y; });
    RingSweep sweep(sides.list, sides.ringBegin);
    for (const Point p : points) {
      const uint32_t side = sweep.leftOf(p);
      ASSERT_EQ(side, slowLeftOf(sides, p)) << "world " << world << ", point " << p.x << ", " << p.y;
      seen += side == kNone ? 0 : 1;
    }
  }
  EXPECT_GT(seen, 1000U);
}

}  // namespace
}  // namespace wend
