#include "environment/extract/polygons/small_ring.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/random.h"
#include "environment/extract/polygons/rings.h"
#include "geometry/triangulation/triangulation.h"

namespace wend::extraction {
namespace {

using Triangles = std::vector<std::array<Point, 3>>;

// Through random points of a grid, made simple by turning parts around; now and then that leaves a touch.
std::vector<Point> randomRing(Random& random, uint32_t corners, int32_t reach) {
  std::vector<Point> ring;
  while (ring.size() < corners) {
    const Point p{static_cast<int32_t>(random.between(-reach, reach)),
                  static_cast<int32_t>(random.between(-reach, reach))};
    if (std::find(ring.begin(), ring.end(), p) == ring.end()) ring.push_back(p);
  }
  const auto length = [](Point a, Point b) { return std::hypot(double(a.x) - b.x, double(a.y) - b.y); };
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i + 1 < corners; ++i) {
      for (size_t j = i + 2; j < corners; ++j) {
        const Point a = ring[i];
        const Point b = ring[i + 1];
        const Point c = ring[j];
        const Point d = ring[(j + 1) % corners];
        if (length(a, c) + length(b, d) >= length(a, b) + length(c, d) - 1e-9) continue;
        std::reverse(ring.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                     ring.begin() + static_cast<std::ptrdiff_t>(j) + 1);
        changed = true;
      }
    }
  }
  if (doubledAreaOf(ring) < 0) std::reverse(ring.begin(), ring.end());
  return ring;
}

TEST(SmallRing, IsTriangulatedAsLargeOnesAre) {
  uint32_t made = 0;
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    Random random(seed);
    const int32_t reach = seed % 3 == 0 ? 4 : seed % 3 == 1 ? 12 : 1000000;
    const std::vector<Point> ring = randomRing(random, 3 + static_cast<uint32_t>(random.below(30)), reach);
    Triangles triangles;
    if (!triangulateSmall(ring, triangles)) {
      EXPECT_TRUE(triangles.empty());
      continue;
    }
    ++made;
    Polygon polygon;
    polygon.outer = ring;
    const Result<FreeTriangulation> expected = triangulateFree(std::span(&polygon, 1));
    ASSERT_TRUE(expected.ok()) << "seed " << seed << ": " << expected.error().message;
    Triangles all;
    for (const Triangulation::Triangle& t : expected->triangles) {
      all.push_back({expected->points[t.v[0]], expected->points[t.v[1]], expected->points[t.v[2]]});
    }
    EXPECT_EQ(triangles, all) << "seed " << seed;
  }
  EXPECT_GT(made, 1500U);
}

TEST(SmallRing, RefusesWhatIsNoRing) {
  const auto refuses = [](std::vector<Point> ring) {
    Triangles triangles;
    return !triangulateSmall(ring, triangles) && triangles.empty();
  };
  EXPECT_TRUE(refuses({}));
  EXPECT_TRUE(refuses({{0, 0}, {1, 0}}));
  EXPECT_TRUE(refuses({{0, 0}, {0, 9}, {9, 0}})) << "clockwise";
  EXPECT_TRUE(refuses({{0, 0}, {0, 9}, {9, 9}, {9, 0}})) << "clockwise";
  EXPECT_TRUE(refuses({{0, 0}, {9, 0}, {4, 0}})) << "without area";
  EXPECT_TRUE(refuses({{0, 0}, {9, 0}, {9, 9}, {9, 0}, {4, 4}})) << "a spike";
  EXPECT_TRUE(refuses({{0, 0}, {9, 9}, {9, 0}, {0, 9}})) << "a crossing";
  EXPECT_TRUE(refuses({{0, 0}, {9, 0}, {9, 9}, {5, 0}, {0, 9}})) << "a touch";
  EXPECT_TRUE(refuses({{0, 0}, {4, 0}, {4, 0}, {0, 4}})) << "twice the same";
  EXPECT_TRUE(refuses(std::vector<Point>(100, Point{1, 1}))) << "many";
}

}  // namespace
}  // namespace wend::extraction
