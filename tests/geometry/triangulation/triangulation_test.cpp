#include "geometry/triangulation/triangulation.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"
#include "tests/geometry/random_worlds.h"
#include "tests/geometry/triangulation/triangulation_laws.h"

namespace wend {
namespace {

Triangulation triangulated(std::span<const Point> points, std::span<const Edge> edges = {}) {
  Result<Triangulation> result = triangulate(points, edges);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
  if (!result.ok()) return {};
  EXPECT_EQ(findFault(points, edges, *result), "");
  return std::move(result).value();
}

TEST(Triangulate, NothingFromNothing) {
  EXPECT_TRUE(triangulated({}).triangles.empty());
  EXPECT_TRUE(triangulated(std::vector<Point>{{3, 4}}).triangles.empty());
  EXPECT_TRUE(triangulated(std::vector<Point>{{3, 4}, {5, 6}}).triangles.empty());
  EXPECT_TRUE(triangulated(std::vector<Point>{{3, 4}, {3, 4}, {3, 4}}).triangles.empty());
  EXPECT_TRUE(
      triangulated(std::vector<Point>{{0, 0}, {2, 2}, {1, 1}, {5, 5}}, std::vector<Edge>{{0, 3}}).triangles.empty());
}

TEST(Triangulate, OneTriangle) {
  const Triangulation t = triangulated(std::vector<Point>{{0, 0}, {0, 10}, {10, 0}});
  ASSERT_EQ(t.triangles.size(), 1U);
  EXPECT_EQ(t.triangles[0].n, (std::array<uint32_t, 3>{kNone, kNone, kNone}));
}

TEST(Triangulate, DuplicatesShareAVertex) {
  const Triangulation t = triangulated(std::vector<Point>{{0, 0}, {9, 0}, {0, 0}, {0, 9}, {9, 0}});
  EXPECT_EQ(t.points.size(), 3U);
  EXPECT_EQ(t.pointOf[0], t.pointOf[2]);
  EXPECT_EQ(t.pointOf[1], t.pointOf[4]);
  EXPECT_EQ(t.triangles.size(), 1U);
}

TEST(Triangulate, ExtremeCoordinates) {
  constexpr int32_t m = kMaxCoordinate;
  const std::vector<Point> points{{-m, -m}, {m, -m}, {m, m}, {-m, m}, {0, 0}, {m - 1, m}, {-m, m - 1}, {1, 0}, {0, 1}};
  // 2 n - h - 2 of n points, h on the hull.
  EXPECT_EQ(triangulated(points, std::vector<Edge>{{0, 4}, {5, 6}}).triangles.size(), 10U);
}

TEST(Triangulate, SliversOfOneUnit) {
  constexpr int32_t m = kMaxCoordinate;
  EXPECT_EQ(triangulated(std::vector<Point>{{-m, 0}, {m, 1}, {0, 0}}).triangles.size(), 1U);
  const std::vector<Edge> wall{{0, 1}};
  const std::vector<Point> level{{-m, 0}, {m, 1}, {0, 0}, {1, 1}, {-m, 1}, {m, 0}};
  EXPECT_EQ(triangulated(level, wall).triangles.size(), 4U);
  const std::vector<Point> diagonal{{-m, -m}, {m, m}, {0, 1}, {1, 0}, {m, m - 1}, {-m, 1 - m}};
  EXPECT_EQ(triangulated(diagonal, wall).triangles.size(), 4U);
}

TEST(Triangulate, OutsideTheLatticeIsAnError) {
  const auto result = triangulate(std::vector<Point>{{0, 0}, {kMaxCoordinate + 1, 0}, {0, 5}}, {});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kOutsideLattice);
}

TEST(Triangulate, EdgeWithoutPointIsAnError) {
  const auto result = triangulate(std::vector<Point>{{0, 0}, {1, 0}, {0, 5}}, std::vector<Edge>{{0, 3}});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kInvalidGeometry);
}

TEST(Triangulate, SquareIsAFanFromItsSmallestCorner) {
  const Triangulation t = triangulated(std::vector<Point>{{10, 10}, {0, 10}, {10, 0}, {0, 0}});
  const std::vector<Corners> expected{{{{0, 0}, {10, 0}, {10, 10}}}, {{{0, 0}, {10, 10}, {0, 10}}}};
  EXPECT_EQ(cornersOf(t.points, t.triangles), expected);
}

TEST(Triangulate, PolygonOnACircleIsAFan) {
  // Twelve lattice points at distance 25, and a constraint that halves them.
  const std::vector<Point> circle{{25, 0},   {24, 7},   {20, 15}, {15, 20},  {7, 24},   {0, 25},    {-7, 24},
                                  {-15, 20}, {-20, 15}, {-24, 7}, {-25, 0},  {-24, -7}, {-20, -15}, {-15, -20},
                                  {-7, -24}, {0, -25},  {7, -24}, {15, -20}, {20, -15}, {24, -7}};
  const Triangulation whole = triangulated(circle);
  for (const Corners& c : cornersOf(whole.points, whole.triangles)) EXPECT_EQ(c[0], (Point{-25, 0}));
  const Triangulation halves = triangulated(circle, std::vector<Edge>{{5, 15}});
  for (const Corners& c : cornersOf(halves.points, halves.triangles)) {
    EXPECT_TRUE(c[0] == (Point{-25, 0}) || c[0] == (Point{0, -25}));
  }
}

TEST(Triangulate, CollinearWallsThroughManyPoints) {
  std::vector<Point> points;
  for (int32_t i = 0; i <= 20; ++i) points.push_back({3 * i, 2 * i});
  points.push_back({30, -50});
  points.push_back({30, 90});
  const Triangulation t = triangulated(points, std::vector<Edge>{{0, 20}, {5, 10}, {12, 7}});
  size_t fixed = 0;
  for (const auto& triangle : t.triangles) {
    for (int i = 0; i < 3; ++i) fixed += triangle.isFixed(i);
  }
  EXPECT_EQ(fixed, 40U);
}

TEST(Triangulate, WallOnTheHull) {
  const std::vector<Point> points{{0, 0}, {10, 0}, {20, 0}, {30, 0}, {15, 9}};
  const Triangulation t = triangulated(points, std::vector<Edge>{{0, 3}});
  EXPECT_EQ(t.triangles.size(), 3U);
}

TEST(Triangulate, CrossingEdgesAreNamed) {
  const std::vector<Point> points{{0, 0}, {10, 10}, {0, 10}, {10, 0}, {-5, 3}};
  const auto result = triangulate(points, std::vector<Edge>{{0, 4}, {0, 1}, {2, 3}});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kInvalidGeometry);
  EXPECT_NE(result.error().message.find("edge 2 from (0, 10) to (10, 0)"), std::string::npos);
  EXPECT_NE(result.error().message.find("edge 1 from (0, 0) to (10, 10)"), std::string::npos);
  EXPECT_NE(result.error().message.find("(5.0, 5.0)"), std::string::npos);
}

TEST(Triangulate, EdgesCrossingInAPointOfTheInputAreFine) {
  const std::vector<Point> points{{0, 0}, {10, 10}, {0, 10}, {10, 0}, {5, 5}};
  EXPECT_EQ(triangulated(points, std::vector<Edge>{{0, 1}, {2, 3}}).triangles.size(), 4U);
}

TEST(Triangulate, CancelledIsAnError) {
  Random random(1);
  std::vector<Point> points;
  for (int i = 0; i < 10000; ++i) {
    points.push_back({static_cast<int32_t>(random.below(1000000)), static_cast<int32_t>(random.below(1000000))});
  }
  Context context;
  context.cancel();
  const auto result = triangulate(points, {}, context);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kCancelled);
}

TEST(Triangulate, LongWallBetweenFacingChains) {
  // Both sides of the hole are reflex chains, the worst case of flipping in a queue.
  std::vector<Point> points;
  constexpr int32_t kCount = 3000;
  for (int32_t i = -kCount; i <= kCount; ++i) {
    points.push_back({8 * i, 1 + i * i});
    points.push_back({8 * i + 4, -1 - i * i});
  }
  points.push_back({-8 * kCount - 8, 0});
  points.push_back({8 * kCount + 8, 0});
  const uint32_t n = static_cast<uint32_t>(points.size());
  const auto t = triangulate(points, std::vector<Edge>{{n - 2, n - 1}});
  ASSERT_TRUE(t.ok());
  EXPECT_EQ(findFault(points, std::vector<Edge>{{n - 2, n - 1}}, *t), "");
}

TEST(Triangulate, WallPastTheTipOfAnEarlierOne) {
  // The first wall dangles into the hole that the second one cuts, and must stay a wall.
  const std::vector<Point> points{{9, 9}, {-1, 5}, {5, 6}, {7, 2}, {-11, 10}, {10, 1}};
  EXPECT_EQ(triangulated(points, std::vector<Edge>{{0, 2}, {5, 4}}).triangles.size(), 5U);
}

TEST(Triangulate, GridsFullOfTies) {
  Random random(7);
  for (const int32_t size : {2, 3, 5, 10, 40}) {
    std::vector<Point> points;
    for (int32_t x = 0; x < size; ++x) {
      for (int32_t y = 0; y < size; ++y) points.push_back({x * 10, y * 10});
    }
    const Triangulation first = triangulated(points);
    random.shuffle(points);
    const Triangulation second = triangulated(points);
    EXPECT_EQ(first.points, second.points);
    EXPECT_EQ(first.triangles, second.triangles);
  }
}

TEST(TriangulateProperty, SmallWorlds) {
  for (uint64_t seed = 0; seed < 40000; ++seed) {
    Random random(seed);
    const int64_t extent = random.between(1, 30);
    const PlanarWorld world = randomPlanarWorld(random, extent, random.below(18) + 1, random.below(20), false);
    const auto result = triangulate(world.points, world.edges);
    ASSERT_TRUE(result.ok()) << seed << result.error().message;
    ASSERT_EQ(findFault(world.points, world.edges, *result), "") << "seed " << seed;
    ASSERT_EQ(findVisiblePoint(*result), "") << "seed " << seed;
  }
}

TEST(TriangulateProperty, LargerWorldsWithLongWalls) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed, 1);
    const int64_t extent = int64_t{1} << random.between(3, 30);
    const PlanarWorld world = randomPlanarWorld(random, extent, random.below(200) + 3, 40, false);
    const auto result = triangulate(world.points, world.edges);
    ASSERT_TRUE(result.ok()) << seed << result.error().message;
    ASSERT_EQ(findFault(world.points, world.edges, *result), "") << "seed " << seed;
    if (extent <= 1 << 28) {
      ASSERT_EQ(findVisiblePoint(*result), "") << "seed " << seed;
    }
  }
}

TEST(TriangulateProperty, SameForAnyOrder) {
  for (uint64_t seed = 0; seed < 5000; ++seed) {
    Random random(seed, 2);
    PlanarWorld world = randomPlanarWorld(random, random.between(1, 20), random.below(25) + 1, random.below(8), false);
    const auto first = triangulate(world.points, world.edges);
    ASSERT_TRUE(first.ok());

    PlanarWorld other;
    std::vector<uint32_t> order(world.points.size());
    for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    random.shuffle(order);
    std::vector<uint32_t> place(order.size());
    for (uint32_t i = 0; i < order.size(); ++i) {
      other.points.push_back(world.points[order[i]]);
      place[order[i]] = i;
    }
    for (const Edge edge : world.edges) {
      other.edges.push_back(random.chance(0.5) ? Edge{place[edge.a], place[edge.b]}
                                               : Edge{place[edge.b], place[edge.a]});
    }
    random.shuffle(other.edges);
    const auto second = triangulate(other.points, other.edges);
    ASSERT_TRUE(second.ok());
    ASSERT_EQ(first->points, second->points) << "seed " << seed;
    ASSERT_EQ(first->triangles, second->triangles) << "seed " << seed;
  }
}

TEST(TriangulateProperty, ErrorExactlyWhenEdgesCross) {
  size_t errors = 0;
  for (uint64_t seed = 0; seed < 5000; ++seed) {
    Random random(seed, 3);
    const PlanarWorld world =
        randomPlanarWorld(random, random.between(1, 12), random.below(12) + 2, random.below(6), true);
    const auto point = [&](uint32_t i) { return world.points[i]; };
    bool crossing = false;
    for (const Edge a : world.edges) {
      for (const Edge b : world.edges) {
        if (meet(point(a.a), point(a.b), point(b.a), point(b.b)) != Meeting::kCross) continue;
        // Unless a point of the input lies in the crossing.
        crossing |= std::none_of(world.points.begin(), world.points.end(), [&](Point p) {
          return onSegment(point(a.a), point(a.b), p) && onSegment(point(b.a), point(b.b), p);
        });
      }
    }
    const auto result = triangulate(world.points, world.edges);
    ASSERT_EQ(result.ok(), !crossing) << "seed " << seed;
    if (!result.ok()) {
      ASSERT_EQ(result.error().code, ErrorCode::kInvalidGeometry);
      ++errors;
    }
  }
  EXPECT_GT(errors, 500U);
}

}  // namespace
}  // namespace wend
