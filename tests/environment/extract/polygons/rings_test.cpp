#include "environment/extract/polygons/rings.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace wend::extraction {
namespace {

std::vector<Arrow> arrowsOf(const Rings& rings) {
  std::vector<Arrow> arrows;
  for (size_t r = 0; r < rings.count(); ++r) {
    const std::span<const Point> ring = rings.ring(r);
    for (size_t i = 0; i < ring.size(); ++i) arrows.push_back({ring[i], ring[(i + 1) % ring.size()]});
  }
  return arrows;
}

TEST(Rings, ChainNothing) {
  Rings rings;
  EXPECT_TRUE(chainUnbranched({}, rings));
  EXPECT_EQ(rings.count(), 0U);
}

TEST(Rings, LeaveOutWhatDoesNotClose) {
  const Point a{0, 0};
  const Point b{5, 0};
  const Point c{5, 5};
  const Point d{9, 9};
  Rings rings;
  const auto chain = [&](const std::vector<Arrow>& arrows) { return chainUnbranched(arrows, rings); };
  EXPECT_FALSE(chain({{a, b}, {b, c}}));                  // open
  EXPECT_FALSE(chain({{a, b}, {b, c}, {c, a}, {d, a}}));  // leads into a ring
  EXPECT_FALSE(chain({{d, a}, {a, b}, {b, c}, {c, a}}));
  EXPECT_FALSE(chain({{a, b}, {b, c}, {c, a}, {a, d}, {d, a}}));  // two ways from a point
  EXPECT_EQ(rings.count(), 0U);
  EXPECT_TRUE(rings.points.empty());
  EXPECT_TRUE(chain({{a, b}, {b, a}}));
  EXPECT_EQ(rings.count(), 0U);
}

// Rings that begin with their smallest points, in the order of these, come back as they were from arrows in any order.
TEST(Rings, ComeBackFromShuffledArrows) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    Rings expected;
    auto x = static_cast<int32_t>(random.between(-1000, 0));
    for (uint64_t r = random.below(6); r > 0; --r) {
      std::vector<Point> ring{{x, 0}};
      for (uint64_t n = random.between(2, seed % 7 == 0 ? 60 : 5); n > 0; --n) {
        x += static_cast<int32_t>(random.between(1, 9));
        ring.push_back({x, static_cast<int32_t>(random.between(-50, 50))});
      }
      x += 1;
      expected.add(ring);
    }
    std::vector<Arrow> arrows = arrowsOf(expected);
    for (size_t i = arrows.size(); i > 1; --i) std::swap(arrows[i - 1], arrows[random.below(i)]);
    Rings rings;
    ASSERT_TRUE(chainUnbranched(arrows, rings));
    EXPECT_EQ(rings.points, expected.points) << "seed " << seed;
    EXPECT_EQ(rings.begin, expected.begin);
    // The way of those that branch.
    arrows.push_back({{-5000, 0}, {-5000, 1}});
    arrows.push_back({{-5000, 1}, {-5000, 0}});
    arrows.push_back({{-5000, 0}, {-5000, 2}});
    arrows.push_back({{-5000, 2}, {-5000, 0}});
    Rings sorted;
    EXPECT_FALSE(chainUnbranched(arrows, sorted));
    cancelOpposite(arrows);
    ASSERT_TRUE(chainRings(arrows, sorted));
    EXPECT_EQ(sorted.points, expected.points);
  }
}

// Rounding moved the border of the floor beyond the corners of a stair that stands on it; the stair was then lost.
TEST(Rings, HolesThatRoundingPutAcrossTheirRingStay) {
  const std::vector<Point> elsewhere{{5000, 0}, {6000, 0}, {5000, 1000}};
  for (const Point corner : {Point{1000, 1}, Point{1000, 0}, Point{1000, -1}}) {
    for (const int32_t below : {0, 1, -1}) {
      Rings rings;
      rings.add(std::vector<Point>{{0, 0}, corner, {1000, 1000}, {0, 1000}});
      rings.add(std::vector<Point>{{300, below}, {300, 200}, {700, 200}, {700, below}});
      rings.add(elsewhere);
      const std::vector<Polygon> polygons = polygonsOf(rings);
      ASSERT_EQ(polygons.size(), 2U);
      EXPECT_EQ(polygons[0].holes.size() + polygons[1].holes.size(), 1U);
      EXPECT_TRUE(polygons[0].holes.empty() || polygons[0].outer != elsewhere);
    }
  }
}

// A floor around a corner of another one, with a hole that touches this, or has it touch all its sides.
TEST(Rings, HolesBelongToTheRingAroundThem) {
  const std::vector<Point> angle{{0, 0}, {100, 0}, {100, 10}, {10, 10}, {10, 100}, {0, 100}};
  const std::vector<Point> beside{{10, 10}, {100, 10}, {100, 200}, {10, 200}};
  const std::vector<Point> filled{{20, 20}, {40, 20}, {20, 40}};
  for (const int32_t x : {9, 10, 11}) {
    Rings rings;
    rings.add(angle);
    rings.add(beside);
    rings.add(std::vector<Point>{{x, 10}, {x, 60}, {60, 60}, {60, 10}});
    rings.add(filled);
    for (const Polygon& polygon : polygonsOf(rings)) {
      EXPECT_EQ(polygon.holes.size(), polygon.outer == beside ? 1U : 0U) << x;
    }
  }
  Rings rings;  // the hole lies nowhere clear of what fills it
  rings.add(beside);
  rings.add(std::vector<Point>{{19, 19}, {19, 42}, {42, 19}});
  rings.add(filled);
  for (const Polygon& polygon : polygonsOf(rings)) {
    EXPECT_EQ(polygon.holes.size(), polygon.outer == beside ? 1U : 0U);
  }
}

TEST(Rings, AreGatheredInOrder) {
  std::vector<Rings> parts(9);
  Rings expected;
  std::vector<uint32_t> before{0};
  for (int32_t part = 0; part < 9; ++part) {
    // Some parts have none.
    for (int32_t ring = 0; ring < part % 4; ++ring) {
      std::vector<Point> points;
      for (int32_t i = 0; i < 3 + ring; ++i) points.push_back({part, 10 * ring + i});
      parts[static_cast<size_t>(part)].add(points);
      expected.add(points);
    }
    before.push_back(static_cast<uint32_t>(expected.count()));
  }
  for (const int threads : {1, 2}) {
    Context context;
    context.threads = threads;
    Rings rings;
    EXPECT_EQ(gather(parts, rings, context), before);
    EXPECT_EQ(rings.points, expected.points);
    EXPECT_EQ(rings.begin, expected.begin);
  }
}

}  // namespace
}  // namespace wend::extraction
