#include <boost/multiprecision/cpp_int.hpp>
#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/area.h"
#include "geometry/growth/grow.h"
#include "geometry/growth/merge_convex.h"
#include "geometry/predicates.h"
#include "tests/generators/random_worlds.h"

// Growth in exact numbers, before any corner is rounded.
namespace wend::growth {
namespace {

using Rational = boost::multiprecision::cpp_rational;

struct ExactPoint {
  Rational x;
  Rational y;
};

ExactPoint exact(const Corner& corner) {
  return {Rational(corner.x, corner.denominator), Rational(corner.y, corner.denominator)};
}

Rational doubledArea(const Outline& outline) {
  Rational sum = 0;
  for (size_t i = 0; i < outline.size(); ++i) {
    const ExactPoint a = exact(outline[i].start);
    const ExactPoint b = exact(outline[(i + 1) % outline.size()].start);
    sum += a.x * b.y - a.y * b.x;
  }
  return sum;
}

Rational doubledArea(const std::vector<Polygon>& polygons) {
  Rational sum = 0;
  const auto add = [&](const Ring& ring) {
    for (size_t i = 0; i < ring.size(); ++i) {
      const Point a = ring[i];
      const Point b = ring[(i + 1) % ring.size()];
      sum += Rational(int64_t{a.x} * b.y - int64_t{a.y} * b.x);
    }
  };
  for (const Polygon& polygon : polygons) {
    add(polygon.outer);
    for (const Ring& ring : polygon.holes) add(ring);
  }
  return sum;
}

Rational turn(const ExactPoint& a, const ExactPoint& b, const ExactPoint& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// A slanted edge lies on its wall; the others are axis-aligned; all corners turn left.
void expectSound(const Outline& outline, std::span<const Wall> walls) {
  ASSERT_GE(outline.size(), 3U);
  for (size_t i = 0; i < outline.size(); ++i) {
    const ExactPoint a = exact(outline[i].start);
    const ExactPoint b = exact(outline[(i + 1) % outline.size()].start);
    const ExactPoint c = exact(outline[(i + 2) % outline.size()].start);
    ASSERT_GT(turn(a, b, c), 0);
    if (outline[i].wall == kNone) {
      ASSERT_TRUE(a.x == b.x || a.y == b.y);
      continue;
    }
    const Wall& wall = walls[outline[i].wall];
    const ExactPoint from{wall.from.x, wall.from.y};
    const ExactPoint to{wall.to.x, wall.to.y};
    for (const ExactPoint& p : {a, b}) {
      ASSERT_EQ(turn(from, to, p), 0);
      ASSERT_GE((p.x - from.x) * (to.x - p.x) + (p.y - from.y) * (to.y - p.y), 0);
    }
  }
}

// Whether the interiors of two convex outlines meet: no edge of either separates them.
bool overlap(const Outline& a, const Outline& b) {
  for (const auto& [first, second] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    for (size_t i = 0; i < first->size(); ++i) {
      const ExactPoint p = exact((*first)[i].start);
      const ExactPoint q = exact((*first)[(i + 1) % first->size()].start);
      bool separates = true;
      for (const OutlineEdge& edge : *second) separates = separates && turn(p, q, exact(edge.start)) <= 0;
      if (separates) return false;
    }
  }
  return true;
}

std::vector<Outline> outlines(const GrowthSpace& space) {
  std::vector<Outline> out;
  for (const Region& region : space.regions()) out.push_back(outlineOf(region, space.walls()));
  return out;
}

struct GrownWorld {
  std::vector<Outline> grown;
  std::vector<Outline> merged;
  std::vector<Wall> walls;
  GrowReport report;
};

GrownWorld growAll(const std::vector<Polygon>& free, const GrowSettings& settings = {}, uint64_t shuffle = 0) {
  GrowthSpace space(free, {});
  std::vector<Seed> seeds = wallSeeds(space);
  Random random(shuffle);
  if (shuffle > 0) random.shuffle(seeds);
  GrownWorld world;
  world.report = grow(space, seeds, settings, {});
  world.grown = outlines(space);
  world.merged = world.grown;
  mergeConvex(world.merged);
  world.walls = space.walls();
  return world;
}

void expectLaws(const std::vector<Polygon>& free, const GrownWorld& world) {
  for (const std::vector<Outline>* cells : {&world.grown, &world.merged}) {
    Rational sum = 0;
    for (const Outline& cell : *cells) {
      expectSound(cell, world.walls);
      if (testing::Test::HasFatalFailure()) return;
      sum += doubledArea(cell);
    }
    EXPECT_EQ(sum, doubledArea(free));
  }
  EXPECT_LE(world.merged.size(), world.grown.size());
}

TEST(Growth, ASquareIsOneRegion) {
  const std::vector<Polygon> free{{{{0, 0}, {10, 0}, {10, 10}, {0, 10}}, {}}};
  const GrownWorld world = growAll(free);
  EXPECT_EQ(world.grown.size(), 1U);
  expectLaws(free, world);
}

TEST(Growth, TheSmallestTriangleIsOneRegion) {
  const std::vector<Polygon> free{{{{0, 0}, {1, 0}, {0, 1}}, {}}};
  const GrownWorld world = growAll(free);
  EXPECT_EQ(world.grown.size(), 1U);
  expectLaws(free, world);
}

TEST(Growth, ANeedleThinnerThanAUnitIsFilled) {
  const std::vector<Polygon> free{{{{0, 0}, {1000, 1}, {2000, 1}, {1000, 2}}, {}}};
  expectLaws(free, growAll(free));
}

TEST(Growth, ADiamondIsFollowedOnFourSides) {
  // One region may lie along four walls that meet in right angles between the axes.
  const std::vector<Polygon> free{{{{0, -100}, {100, 0}, {0, 100}, {-100, 0}}, {}}};
  const GrownWorld world = growAll(free);
  EXPECT_EQ(world.merged.size(), 1U);
  expectLaws(free, world);
}

TEST(Growth, NoRegionBeginsTwiceInOnePlace) {
  const std::vector<Polygon> free{{{{0, 0}, {10, 0}, {10, 10}, {0, 10}}, {}}};
  GrowthSpace space(free, {});
  const Seed seed = pointSeed({3, 3});
  ASSERT_TRUE(plant(space, seed).has_value());
  space.addRegion(*plant(space, seed));
  EXPECT_FALSE(plant(space, seed).has_value());
  EXPECT_TRUE(plant(space, pointSeed({4, 3})).has_value());
}

TEST(Growth, FollowsAWallUpToItsEndAndNoFarther) {
  // A triangle hangs into a box; the region from the lower left slides along its left flank.
  const std::vector<Polygon> free{{{{0, 0}, {100, 0}, {100, 100}, {0, 100}}, {{{40, 50}, {70, 80}, {70, 50}}}}};
  const GrownWorld world = growAll(free);
  expectLaws(free, world);
  bool follows = false;
  for (const Outline& cell : world.grown) {
    for (const OutlineEdge& edge : cell) follows = follows || edge.wall != kNone;
  }
  EXPECT_TRUE(follows);
}

TEST(Growth, CoversRandomWorldsExactly) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const Environment environment = anyWorld(seed);
    for (const Layer& layer : environment.layers) {
      if (layer.free.empty()) continue;
      expectLaws(layer.free, growAll(layer.free, {}, seed % 3));
    }
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST(Growth, CoversSimplePolygonsExactly) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    // Small extents make walls that nearly touch.
    const auto extent = static_cast<int32_t>(seed % 2 == 0 ? 60 : 1000000);
    const std::vector<Polygon> free{{simplePolygon(random, static_cast<size_t>(random.between(3, 20)), extent), {}}};
    const GrownWorld world = growAll(free);
    expectLaws(free, world);
    for (size_t i = 0; i < world.grown.size(); ++i) {
      for (size_t j = 0; j < i; ++j) EXPECT_FALSE(overlap(world.grown[i], world.grown[j]));
    }
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST(Growth, AllTogetherCoversExactlyToo) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    const std::vector<Polygon> free{{simplePolygon(random, static_cast<size_t>(random.between(3, 16)), 1000), {}}};
    GrowSettings settings;
    settings.turns = Turns::kAll;
    settings.step = random.between(0, 40);
    expectLaws(free, growAll(free, settings));
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST(Growth, ReachesTheEndsOfTheLattice) {
  const int32_t m = kMaxCoordinate;
  const std::vector<Polygon> free{
      {{{-m, -m}, {m, -m}, {m, m}, {-m, m}}, {{{-m + 1, -m + 2}, {-m + 3, m - 1}, {m - 1, m - 2}, {m - 2, -m + 1}}}}};
  expectLaws(free, growAll(free));
}

TEST(MergeConvex, JoinsTwoHalvesOfASquare) {
  const auto box = [](int64_t x0, int64_t y0, int64_t x1, int64_t y1) {
    return Outline{{{x0, y0, 1}, 1, 0, kNone},
                   {{x1, y0, 1}, 0, 1, kNone},
                   {{x1, y1, 1}, -1, 0, kNone},
                   {{x0, y1, 1}, 0, -1, kNone}};
  };
  std::vector<Outline> halves{box(0, 0, 5, 10), box(5, 0, 10, 10)};
  mergeConvex(halves);
  ASSERT_EQ(halves.size(), 1U);
  EXPECT_EQ(halves[0].size(), 4U);
  std::vector<Outline> steps{box(0, 0, 5, 10), box(5, 0, 10, 9)};
  mergeConvex(steps);
  EXPECT_EQ(steps.size(), 2U);
  // Of three, the pair with the largest union is joined; what it leaves cannot be.
  std::vector<Outline> three{box(0, 0, 5, 5), box(5, 0, 10, 5), box(0, 5, 5, 50)};
  mergeConvex(three);
  ASSERT_EQ(three.size(), 2U);
  EXPECT_EQ(doubledArea(three[0]), 500);
}

}  // namespace
}  // namespace wend::growth
