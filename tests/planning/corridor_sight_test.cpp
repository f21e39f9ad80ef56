#include "planning/corridor_sight.h"

#include <gtest/gtest.h>

#include "planning/corridor_visibility.h"
#include "planning/corridor_world.h"
#include "planning/turn.h"

namespace wend {
namespace {

using namespace corridor;

// Distance along the ray from p in direction d to the first wall, by all walls.
double castRay(const std::vector<Wall>& walls, Vec2 p, Vec2 d) {
  double best = std::numeric_limits<double>::infinity();
  for (const Wall& w : walls) {
    const Vec2 e = w.b - w.a;
    const double denominator = cross(d, e);
    if (denominator == 0) continue;
    const double t = cross(w.a - p, e) / denominator;
    const double u = cross(w.a - p, d) / denominator;
    if (t > 0 && u >= 0 && u <= 1) best = std::min(best, t);
  }
  return best;
}

double areaOf(const std::vector<ViewPoint>& polygon) {
  double sum = 0;
  for (size_t i = 0; i < polygon.size(); ++i) {
    const Vec2 a = polygon[i].units - polygon[0].units;
    const Vec2 b = polygon[(i + 1) % polygon.size()].units - polygon[0].units;
    sum += cross(a, b);
  }
  return 0.5 * sum;
}

// Exact by directions: between the directions of two neighbouring wall ends only one wall is seen.
double areaByRays(const std::vector<Wall>& walls, Vec2 p) {
  std::vector<double> angles;
  for (const Wall& w : walls) angles.push_back(std::atan2(w.a.y - p.y, w.a.x - p.x));
  std::sort(angles.begin(), angles.end());
  angles.push_back(angles.front() + 2 * M_PI);
  double area = 0;
  for (size_t i = 0; i + 1 < angles.size(); ++i) {
    const double turned = angles[i + 1] - angles[i];
    if (turned < 1e-12) continue;
    const double middle = 0.5 * (angles[i] + angles[i + 1]);
    const Vec2 d{std::cos(middle), std::sin(middle)};
    double best = std::numeric_limits<double>::infinity();
    const Wall* seen = nullptr;
    for (const Wall& w : walls) {
      const double t = castRay({w}, p, d);
      if (t < best) {
        best = t;
        seen = &w;
      }
    }
    if (seen == nullptr) return -1;
    const auto onWall = [&](double angle) {
      const Vec2 r{std::cos(angle), std::sin(angle)};
      const Vec2 e = seen->b - seen->a;
      return (cross(seen->a - p, e) / cross(r, e)) * r;
    };
    area += 0.5 * cross(onWall(angles[i]), onWall(angles[i + 1]));
  }
  return area;
}

bool properlyCrosses(const Wall& w, Point a, Point b) {
  const Vec2 p = toVec2(a);
  const Vec2 q = toVec2(b);
  return turn(p, q, w.a) * turn(p, q, w.b) < 0 && turn(w.a, w.b, p) * turn(w.a, w.b, q) < 0;
}

void checkSight(bool fine, uint64_t seed, int worlds) {
  Random random(seed);
  QueryStamp stamp;
  int visible = 0;
  int blocked = 0;
  for (int i = 0; i < worlds; ++i) {
    const auto world = CorridorWorld::random(random, fine);
    if (!world) continue;
    for (int k = 0; k < 15; ++k) {
      const Point s = world->randomFree(random);
      const Point g = world->randomFree(random);
      const auto from = world->place(toVec2(s));
      const auto to = world->place(toVec2(g));
      ASSERT_TRUE(from && to);
      stamp.advance();
      SightScratch fresh;
      const Sight sight = lookAlong(*world->graph, *from, *to, 0, stamp, fresh);
      const double truth = world->clearance(toVec2(s), toVec2(g));
      const bool crossed = std::any_of(world->walls.begin(), world->walls.end(),
                                       [&](const Wall& w) { return properlyCrosses(w, s, g); });
      if (crossed) {
        ASSERT_FALSE(sight.visible && sight.clearance > 0.01)
            << "world " << i << ": " << s.x << ", " << s.y << " to " << g.x << ", " << g.y;
        ++blocked;
      } else if (truth > 0.01) {
        ASSERT_TRUE(sight.visible) << "world " << i << ": " << s.x << ", " << s.y << " to " << g.x << ", " << g.y;
        ASSERT_NEAR(sight.clearance, truth, 1e-3) << "world " << i;
        ASSERT_NEAR(world->clearance(sight.narrowest), truth, 1e-3);
        // Stopping early gives the same answer about a radius.
        stamp.advance();
        SightScratch second;
        EXPECT_FALSE(lookAlong(*world->graph, *from, *to, 1.01 * truth, stamp, second).visible);
        ++visible;
      }
    }
  }
  EXPECT_GT(visible, worlds);
  EXPECT_GT(blocked, worlds);
}

TEST(CorridorSight, AgreesWithAllWallsOnCoarseWorlds) {
  checkSight(false, 11, 120);
}

TEST(CorridorSight, AgreesWithAllWallsOnFineWorlds) {
  checkSight(true, 12, 120);
}

void checkView(bool fine, uint64_t seed, int worlds) {
  Random random(seed);
  VisibilityScratch scratch;
  for (int i = 0; i < worlds; ++i) {
    const auto world = CorridorWorld::random(random, fine);
    if (!world) continue;
    for (int k = 0; k < 10; ++k) {
      const Vec2 q = toVec2(world->randomFree(random));
      const auto place = world->place(q);
      ASSERT_TRUE(place);
      seeFrom(*world->graph, *place, 0, scratch);
      const std::vector<ViewPoint> polygon = scratch.points;
      const double truth = areaByRays(world->walls, q);
      ASSERT_NEAR(areaOf(polygon) / truth, 1, 1e-6) << "world " << i << " from " << q.x << ", " << q.y;
      // Star-shaped, counter-clockwise, and walls lie on walls.
      for (size_t n = 0; n < polygon.size(); ++n) {
        const Vec2 a = polygon[n].units;
        const Vec2 b = polygon[(n + 1) % polygon.size()].units;
        ASSERT_GT(cross(a - q, b - q), -1e-2 * (gap(a, q) + gap(b, q))) << "world " << i;
        if (!polygon[n].window) {
          ASSERT_LT(world->clearance(0.5 * (a + b)), 0.01) << "world " << i;
        }
      }
      // Nothing of the limited view is farther than the range, and its area is that of the rays cut off.
      const double range = random.real(0.1, 1.5) * std::sqrt(truth);
      seeFrom(*world->graph, *place, range, scratch);
      const double limited = areaOf(scratch.points);
      ASSERT_LE(limited, truth * (1 + 1e-6));
      for (const ViewPoint& p : scratch.points) ASSERT_LE(gap(p.units, q), range * (1 + 1e-6) + 0.01);
      double expected = 0;
      constexpr int kRays = 720;
      for (int n = 0; n < kRays; ++n) {
        const double angle = 2 * M_PI * (n + 0.5) / kRays;
        const double reach = std::min(range, castRay(world->walls, q, {std::cos(angle), std::sin(angle)}));
        expected += 0.5 * reach * reach * (2 * M_PI / kRays);
      }
      ASSERT_NEAR(limited / expected, 1, 0.05) << "world " << i << " from " << q.x << ", " << q.y;
    }
  }
}

TEST(CorridorVisibility, AgreesWithRaysOnCoarseWorlds) {
  checkView(false, 21, 100);
}

TEST(CorridorVisibility, AgreesWithRaysOnFineWorlds) {
  checkView(true, 22, 100);
}

}  // namespace
}  // namespace wend
