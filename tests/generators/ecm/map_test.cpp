#include <algorithm>

#include <wend/make.h>

#include <gtest/gtest.h>

#include "generators/ecm/medial_axis.h"
#include "tests/generators/ecm/laws.h"
#include "tests/generators/random_worlds.h"

namespace wend::ecm {
namespace {

Ring rectangle(int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
  return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
}
Ring hole(Ring ring) {
  std::reverse(ring.begin(), ring.end());
  return ring;
}

CorridorMap mapOf(const Environment& environment, std::span<const ExtraWalks> extra = {}) {
  const auto map = buildCorridorMap(environment, {}, extra);
  EXPECT_TRUE(map.ok()) << (map.ok() ? "" : map.error().message);
  if (!map.ok()) return {};
  expectConsistent(*map, 1e-6);
  return *map;
}

TEST(EcmMap, AWorldWithoutPolygonsIsEmpty) {
  EXPECT_TRUE(mapOf(oneLayer({})).empty());
}

TEST(EcmMap, Rectangle) {
  const CorridorMap map = mapOf(oneLayer({{rectangle(0, 0, 20, 10), {}}}));
  EXPECT_EQ(countsOf(map), (MapCounts{6, 5, 10}));
  double length = 0;
  for (const auto& edge : map.edges) length += edge.length;
  EXPECT_NEAR(length, 10 + 4 * 5 * std::sqrt(2.0), 1e-12);
}

TEST(EcmMap, SquareHasOneVertexOfDegreeFour) {
  const CorridorMap map = mapOf(oneLayer({{rectangle(0, 0, 10, 10), {}}}));
  EXPECT_EQ(countsOf(map), (MapCounts{5, 4, 8}));
  EXPECT_EQ(map.vertices.back().degree, 4U);
  EXPECT_EQ(map.vertices.back().clearance, 5);
}

TEST(EcmMap, StraightVerticesLeaveNoTrace) {
  const Ring ring{{0, 0}, {3, 0}, {7, 0}, {20, 0}, {20, 4}, {20, 10}, {12, 10}, {0, 10}};
  const CorridorMap map = mapOf(oneLayer({{ring, {}}}));
  EXPECT_EQ(countsOf(map), (MapCounts{6, 5, 10}));
  EXPECT_EQ(map.sites.size(), 4U);
}

TEST(EcmMap, SquareRoomWithACentralPoint) {
  const ExtraWalks extra{0, {{{5, 5}}}};
  const CorridorMap map = mapOf(oneLayer({{rectangle(0, 0, 10, 10), {}}}), {&extra, 1});
  EXPECT_EQ(countsOf(map), (MapCounts{8, 8, 16}));
  const double junction = 5 * std::sqrt(2.0) / (1 + std::sqrt(2.0));
  for (const auto& vertex : map.vertices) {
    if (vertex.degree == 1) continue;
    EXPECT_NEAR(vertex.clearance, junction, 1e-12);
    EXPECT_NEAR(std::min(vertex.p.x, 10 - vertex.p.x), junction, 1e-12);
  }
  // The parabolas between point and walls are narrowest in their middle.
  const auto narrow = std::count_if(map.edges.begin(), map.edges.end(),
                                    [](const auto& edge) { return std::abs(edge.minClearance - 2.5) < 1e-12; });
  EXPECT_EQ(narrow, 4);
}

TEST(EcmMap, RoomWithASquare) {
  const Environment world = oneLayer({{rectangle(0, 0, 10, 10), {hole(rectangle(4, 4, 6, 6))}}});
  const CorridorMap map = mapOf(world);
  EXPECT_EQ(countsOf(map), (MapCounts{8, 8, 24}));
  for (const auto& edge : map.edges) {
    EXPECT_EQ(edge.minClearance, edge.count > 2 ? 2 : 0);
  }
  EXPECT_NEAR(areaError(map, world), 0, 1e-12);
}

TEST(EcmMap, RoomWithABareSegment) {
  const ExtraWalks extra{0, {{{4, 5}, {6, 5}}}};
  const CorridorMap map = mapOf(oneLayer({{rectangle(0, 0, 10, 10), {}}}), {&extra, 1});
  EXPECT_EQ(countsOf(map), (MapCounts{8, 8, 20}));
}

TEST(EcmMap, FacingCornersAreNarrowestBetweenBendingPoints) {
  // Two notches face each other across (10, 9) .. (10, 11): the passage is 1 wide on each side.
  const Ring ring{{0, 0}, {20, 0}, {20, 20}, {12, 20}, {10, 11}, {8, 20}, {0, 20}};
  Ring both = ring;
  both.insert(both.begin() + 1, {{8, 0}, {10, 9}, {12, 0}});
  const CorridorMap map = mapOf(oneLayer({{both, {}}}));
  double smallest = 100;
  double atPoints = 100;
  for (const auto& arc : map.arcs) {
    if (arc.left != kNone && map.sites[arc.left].a.y * map.sites[arc.right].a.y == 99) {
      smallest = std::min(smallest, arc.minClearance);
    }
  }
  for (const auto& bp : map.bendingPoints) {
    if (bp.clearance > 0 && std::abs(bp.p.x - 10) < 2) atPoints = std::min(atPoints, bp.clearance);
  }
  EXPECT_EQ(smallest, 1);
  EXPECT_GT(atPoints, 1);
}

TEST(EcmMap, ARingWithoutTrueVertexIsALoopAtAnArtificialVertex) {
  // Free space has corners, so the axis has dead ends. Without them, four edges around the obstacle are one ring.
  auto diagram = *buildDiagram(oneLayer({{rectangle(0, 0, 10, 10), {hole(rectangle(4, 4, 6, 6))}}}));
  for (uint32_t e = 0; e < diagram.edges.size(); ++e) {
    if (diagram.edges[e].secondary || diagram.vertices[diagram.edges[e].start].clearance > 0) continue;
    diagram.edges[diagram.edges[e].next].previous = diagram.edges[e ^ 1].previous;
    diagram.edges[e].removed = true;
    diagram.edges[e ^ 1].removed = true;
  }
  const CorridorMap map = makeCorridorMap(diagram, {});
  ASSERT_EQ(countsOf(map), (MapCounts{1, 1, 13}));
  EXPECT_EQ(map.vertices[0].degree, 2U);
  EXPECT_EQ(map.edges[0].from, map.edges[0].to);
  EXPECT_EQ(map.out[0] + map.out[1], 1U);
  EXPECT_EQ(map.bendingPoints.front().p, map.bendingPoints.back().p);
}

TEST(EcmMap, TouchingObstaclesLeaveNoPassage) {
  // Two squares of obstacle that touch in (50, 50): the arcs from both sides end there, each in its own vertex.
  const Ring walk{{30, 30}, {30, 50}, {50, 50}, {50, 70}, {70, 70}, {70, 50}, {50, 50}, {50, 30}};
  const Environment world = oneLayer({{rectangle(0, 0, 100, 100), {walk}}});
  ASSERT_TRUE(validate(world).empty());
  const CorridorMap map = mapOf(world);
  const auto there = std::count_if(map.vertices.begin(), map.vertices.end(), [](const auto& vertex) {
    return vertex.p == Vec2{50, 50};
  });
  EXPECT_EQ(there, 2);
  expectEquidistant(map, world, 1e-9);
}

// Needles that hang on a wall or on each other, at a corner so nearly straight that the sweep cannot tell on which side
// of it the normals leave.
TEST(EcmMap, NearlyStraightWallsWhereFreeSpaceTouchesItself) {
  const int32_t top = 100000000;
  const Ring one{{0, 0},        {100, 0},        {100, 35841636}, {99, 10205246},
                 {98, 6120387}, {100, 35841636}, {100, top},      {0, top}};
  const Ring two{{0, 0},         {100, 0},       {100, top},     {44, top},      {43, 75708132},
                 {41, 45694715}, {40, 46642024}, {43, 75708132}, {43, 80551200}, {43, top},
                 {9, top},       {10, 49902917}, {8, 35968806},  {9, top},       {0, top}};
  for (const Ring& ring : {one, two}) {
    const Environment world = oneLayer({{ring, {}}});
    ASSERT_TRUE(validate(world).empty());
    expectLaws(world, ring.size());
  }
}

TEST(EcmMap, NearlyStraightVerticesMakeTinyArcs) {
  const Ring ring{{0, 0}, {100000, 1}, {200000, 0}, {200000, 50000}, {0, 50000}};
  const CorridorMap map = mapOf(oneLayer({{ring, {}}}));
  expectEquidistant(map, oneLayer({{ring, {}}}), 1e-6);
  EXPECT_GT(map.bendingPoints.size(), 10U);
}

TEST(EcmMap, LawsOnRandomSquares) {
  for (uint64_t seed = 0; seed < 1500 && !testing::Test::HasFailure(); ++seed) {
    Random random(seed);
    SquaresSettings settings;
    settings.columns = static_cast<int32_t>(random.between(1, 9));
    settings.rows = static_cast<int32_t>(random.between(1, 9));
    settings.density = random.real(0.3, 1.0);
    settings.jitter = random.chance(0.5) ? 24 : 0;
    expectLaws(SquaresWorld(random, settings).environment(), seed);
  }
}

TEST(EcmMap, LawsOnRandomPolygons) {
  for (uint64_t seed = 0; seed < 1500 && !testing::Test::HasFailure(); ++seed) {
    Random random(seed);
    const auto n = static_cast<size_t>(random.between(3, 24));
    expectLaws(oneLayer({{simplePolygon(random, n, seed % 2 == 0 ? 12 : 100000), {}}}), seed);
  }
}

// A rectilinear maze without loops: V = n + 2 and E = n + 1, where a vertex of degree d counts as d - 2 of degree 3.
TEST(EcmMap, PerfectMazes) {
  for (const double size : {8, 16, 32, 64}) {
    for (uint64_t seed = 1; seed <= 3; ++seed) {
      const auto maze = makeEnvironment({"maze", {{"size", size}}, seed, {}});
      ASSERT_TRUE(maze.ok());
      const CorridorMap map = mapOf(*maze);
      size_t merged = 0;
      for (const auto& vertex : map.vertices) merged += vertex.degree > 3 ? vertex.degree - 3 : 0;
      EXPECT_EQ(map.vertices.size() + merged, vertexCount(*maze) + 2);
      EXPECT_EQ(map.edges.size() + merged, vertexCount(*maze) + 1);
    }
  }
}

TEST(EcmMap, TilingsGrowLinearly) {
  MapCounts last;
  for (const double tiles : {1, 2, 4}) {
    const auto world = makeEnvironment({"zelda", {{"tiles", tiles}, {"edition", 2}}, 1, {}});
    ASSERT_TRUE(world.ok());
    const CorridorMap map = mapOf(*world);
    EXPECT_NEAR(areaError(map, *world), 0, 1e-9);
    EXPECT_EQ(static_cast<double>(map.edges.size() - map.vertices.size() + 1),
              56 * tiles * tiles + (tiles - 1) * (tiles - 1));
    if (tiles > 2) {
      EXPECT_NEAR(static_cast<double>(map.bendingPoints.size()) / static_cast<double>(last.bendingPoints), 4, 0.08);
    }
    last = countsOf(map);
  }
}

TEST(EcmMap, ThreadsDoNotMatter) {
  for (const char* kind : {"station", "tower"}) {
    const auto world = makeEnvironment({kind, {}, 1, {}});
    ASSERT_TRUE(world.ok()) << world.error().message;
    Context one;
    one.threads = 1;
    const auto expected = buildCorridorMap(*world, one);
    ASSERT_TRUE(expected.ok()) << expected.error().message;
    for (const int threads : {0, 2, 3}) {
      Context many;
      many.threads = threads;
      EXPECT_EQ(*buildCorridorMap(*world, many), *expected) << kind << " on " << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace wend::ecm
