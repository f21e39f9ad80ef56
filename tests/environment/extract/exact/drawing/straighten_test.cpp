#include "environment/extract/exact/drawing/straighten.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/polygon_check.h"

namespace wend::exact {
namespace {

Environment worldOf(std::vector<std::vector<Polygon>> layers, std::vector<Connection> connections = {}) {
  Environment world;
  for (std::vector<Polygon>& polygons : layers) {
    world.layers.emplace_back().id = static_cast<int32_t>(world.layers.size());
    world.layers.back().free = std::move(polygons);
  }
  world.connections = std::move(connections);
  return world;
}

TEST(Straighten, NothingStaysNothing) {
  Environment world;
  straighten(world, {});
  EXPECT_TRUE(world.layers.empty());
}

TEST(Straighten, TakesJagsOff) {
  Environment world = worldOf({{{{{0, 0}, {50, 1}, {51, 0}, {100, 0}, {100, 100}, {40, 99}, {0, 100}}, {}}}});
  straighten(world, {});
  EXPECT_EQ(world.layers[0].free[0].outer, (Ring{{0, 0}, {100, 0}, {100, 100}, {0, 100}}));
}

TEST(Straighten, LeavesCorners) {
  const Ring ring{{0, 0}, {50, 2}, {100, 0}, {100, 100}, {0, 100}};
  Environment world = worldOf({{{ring, {}}}});
  straighten(world, {});
  EXPECT_EQ(world.layers[0].free[0].outer, ring);
}

// Where a hole touches the ring around it, both have the point.
TEST(Straighten, LeavesPointsThatAreShared) {
  const Ring ring{{0, 0}, {50, 1}, {100, 0}, {100, 100}, {0, 100}};
  Environment world = worldOf({{{ring, {{{50, 1}, {40, 20}, {60, 20}}}}}});
  straighten(world, {});
  EXPECT_EQ(world.layers[0].free[0].outer, ring);
}

TEST(Straighten, LayersStayTogetherAlongAConnection) {
  const std::vector<Point> line{{100, 0}, {101, 40}, {100, 60}, {104, 70}, {100, 100}};
  Environment world = worldOf({{{{{0, 0}, {100, 0}, {101, 40}, {100, 60}, {104, 70}, {100, 100}, {0, 100}}, {}}},
                               {{{{200, 0}, {200, 100}, {100, 100}, {104, 70}, {100, 60}, {101, 40}, {100, 0}}, {}}}},
                              {{0, 1, line}});
  ASSERT_TRUE(validate(world).empty());
  straighten(world, {});
  EXPECT_EQ(world.connections[0].line, (std::vector<Point>{{100, 0}, {100, 60}, {104, 70}, {100, 100}}));
  EXPECT_EQ(world.layers[0].free[0].outer, (Ring{{0, 0}, {100, 0}, {100, 60}, {104, 70}, {100, 100}, {0, 100}}));
  EXPECT_EQ(world.layers[1].free[0].outer, (Ring{{200, 0}, {200, 100}, {100, 100}, {104, 70}, {100, 60}, {100, 0}}));
  EXPECT_TRUE(validate(world).empty());
}

// The tip of a hole stands in the jag: it stays, and a jag elsewhere goes.
TEST(Straighten, LeavesJagsThatHoldSomething) {
  Environment world = worldOf(
      {{{{{0, 0}, {50, -1}, {100, 0}, {100, 50}, {99, 70}, {100, 100}, {0, 100}}, {{{50, 0}, {40, 20}, {60, 20}}}}}});
  ASSERT_TRUE(findPolygonFaults(world.layers[0].free).empty());
  straighten(world, {});
  EXPECT_EQ(world.layers[0].free[0].outer, (Ring{{0, 0}, {50, -1}, {100, 0}, {100, 100}, {0, 100}}));
}

// What is dropped lies beside what is left, and nothing else goes wrong.
TEST(Straighten, RoundRings) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const int sides = static_cast<int>(random.between(5, 400));
    const double radius = random.real(20, 3000);
    Ring ring;
    for (int i = 0; i < sides; ++i) {
      const double angle = 2 * std::numbers::pi * i / sides;
      const Point p{static_cast<int32_t>(std::lround(radius * std::cos(angle))),
                    static_cast<int32_t>(std::lround(radius * std::sin(angle)))};
      if (ring.empty() || (ring.back() != p && ring.front() != p)) ring.push_back(p);
    }
    Environment world = worldOf({{{ring, {}}}});
    if (!findPolygonFaults(world.layers[0].free).empty()) continue;
    straighten(world, {});
    ASSERT_TRUE(findPolygonFaults(world.layers[0].free).empty()) << seed;
    const Ring& left = world.layers[0].free[0].outer;
    for (const Point p : ring) {
      double nearest = 1e9;
      for (size_t i = 0; i < left.size(); ++i) {
        const Point a = left[i];
        const Point b = left[i + 1 == left.size() ? 0 : i + 1];
        const double x = double(b.x) - a.x;
        const double y = double(b.y) - a.y;
        const double t = std::clamp(((p.x - a.x) * x + (p.y - a.y) * y) / (x * x + y * y), 0.0, 1.0);
        nearest = std::min(nearest, std::hypot(a.x + t * x - p.x, a.y + t * y - p.y));
      }
      ASSERT_LE(nearest, 1.5) << seed;
    }
  }
}

}  // namespace
}  // namespace wend::exact
