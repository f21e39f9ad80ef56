#include "generators/ecm/diagram.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "geometry/area.h"
#include "tests/generators/random_worlds.h"

namespace wend::ecm {
namespace {

Ring rectangle(int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
  return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
}
Ring reversed(Ring ring) {
  std::reverse(ring.begin(), ring.end());
  return ring;
}

Diagram diagramOf(const Environment& environment, std::span<const ExtraWalks> extra = {}) {
  const auto diagram = buildDiagram(environment, {}, extra);
  EXPECT_TRUE(diagram.ok()) << (diagram.ok() ? "" : diagram.error().message);
  if (!diagram.ok()) return {};
  EXPECT_EQ(findDiagramFault(*diagram), "");
  return *diagram;
}

struct Counts {
  size_t vertices = 0;  // that are no corners
  size_t arcs = 0;
  size_t normals = 0;
  bool operator==(const Counts&) const = default;
};
Counts count(const Diagram& diagram) {
  Counts counts;
  for (const auto& v : diagram.vertices) counts.vertices += v.clearance > 0 ? 1 : 0;
  for (size_t e = 0; e < diagram.edges.size(); e += 2) ++(diagram.edges[e].secondary ? counts.normals : counts.arcs);
  return counts;
}
void PrintTo(const Counts& counts, std::ostream* out) {
  *out << counts.vertices << " vertices, " << counts.arcs << " arcs, " << counts.normals << " normals";
}

TEST(EcmDiagram, AWorldWithoutPolygonsIsEmpty) {
  const Diagram diagram = diagramOf(oneLayer({}));
  EXPECT_TRUE(diagram.edges.empty());
  EXPECT_TRUE(diagram.sites.empty());
}

TEST(EcmDiagram, SquareHasOneVertexOfDegreeFour) {
  const Diagram diagram = diagramOf(oneLayer({{rectangle(0, 0, 10, 10), {}}}));
  EXPECT_EQ(count(diagram), (Counts{1, 4, 0}));
}

TEST(EcmDiagram, RectangleHasARidge) {
  const Diagram diagram = diagramOf(oneLayer({{rectangle(0, 0, 20, 10), {}}}));
  EXPECT_EQ(count(diagram), (Counts{2, 5, 0}));
}

TEST(EcmDiagram, StraightVerticesLeaveNoTrace) {
  // The walk begins in one of them.
  const Diagram diagram = diagramOf(oneLayer({{{{4, 0}, {9, 0}, {20, 0}, {20, 10}, {0, 10}, {0, 0}}, {}}}));
  EXPECT_EQ(count(diagram), (Counts{2, 5, 0}));
  const size_t n = diagram.sites.size() / 2;
  for (size_t i = 0; i < n; ++i) {
    EXPECT_EQ(diagram.sites[i].removed, i < 2) << i;
    EXPECT_EQ(diagram.sites[n + i].removed, i < 2) << i;
  }
}

TEST(EcmDiagram, StraightVerticesHaveTwoNormalsAndNoArcWhereSomethingElseEnds) {
  const Ring room{{0, 0}, {9, 0}, {20, 0}, {20, 10}, {0, 10}};
  Environment environment = oneLayer({{room, {}}});
  environment.layers.push_back(environment.layers.front());
  environment.layers.back().free = {{rectangle(0, -10, 9, 0), {}}};
  environment.connections.push_back({0, 1, {{0, 0}, {9, 0}}});
  const Diagram connected = diagramOf(environment);
  EXPECT_FALSE(connected.sites[1].removed);
  EXPECT_EQ(connected.sites[0].connection, 0U);
  EXPECT_EQ(count(connected).normals, 2U);

  const ExtraWalks extra{0, {{{9, 3}}}};
  EXPECT_EQ(count(diagramOf(oneLayer({{room, {}}}), {&extra, 1})).normals, 2U);
}

TEST(EcmDiagram, RoomWithASquare) {
  const Diagram diagram = diagramOf(oneLayer({{rectangle(0, 0, 10, 10), {reversed(rectangle(4, 4, 6, 6))}}}));
  // 4 junctions and 8 semi-vertices; 4 dead ends, and between two junctions 3 arcs.
  EXPECT_EQ(count(diagram), (Counts{12, 16, 8}));
}

TEST(EcmDiagram, NotchWithOneCorner) {
  const Diagram diagram = diagramOf(oneLayer({{{{0, 0}, {20, 0}, {20, 10}, {10, 10}, {10, 20}, {0, 20}}, {}}}));
  EXPECT_EQ(count(diagram).normals, 2U);
}

TEST(EcmDiagram, BarePointInARoom) {
  const ExtraWalks extra{0, {{{5, 5}}}};
  const Diagram diagram = diagramOf(oneLayer({{rectangle(0, 0, 10, 10), {}}}), {&extra, 1});
  EXPECT_EQ(count(diagram), (Counts{4, 8, 0}));
  const double junction = 5 * std::sqrt(2.0) / (1 + std::sqrt(2.0));
  for (const auto& v : diagram.vertices) {
    if (v.clearance > 0) {
      EXPECT_NEAR(v.clearance, junction, 1e-12);
    }
  }
}

TEST(EcmDiagram, BareSegmentInARoom) {
  const ExtraWalks extra{0, {{{4, 5}, {6, 5}}}};
  const Diagram diagram = diagramOf(oneLayer({{rectangle(0, 0, 10, 10), {}}}), {&extra, 1});
  EXPECT_EQ(count(diagram).normals, 4U);
  EXPECT_EQ(count(diagram).vertices, 8U);
}

TEST(EcmDiagram, BareTreeOfSegments) {
  const ExtraWalks extra{0, {{{40, 50}, {50, 50}, {60, 55}, {50, 50}, {60, 41}, {50, 50}}}};
  const Diagram diagram = diagramOf(oneLayer({{rectangle(0, 0, 100, 100), {}}}), {&extra, 1});
  EXPECT_FALSE(diagram.edges.empty());
}

TEST(EcmDiagram, RandomWorldsAreRight) {
  for (uint64_t seed = 0; seed < 600; ++seed) {
    const Environment world = anyWorld(seed);
    const auto diagram = buildDiagram(world);
    ASSERT_TRUE(diagram.ok()) << "seed " << seed << ": " << diagram.error().message;
    ASSERT_EQ(findDiagramFault(*diagram), "") << "seed " << seed;
  }
}

TEST(EcmDiagram, RandomPolygonsAreRight) {
  for (uint64_t seed = 0; seed < 600; ++seed) {
    Random random(seed);
    const auto n = static_cast<size_t>(random.between(3, 24));
    const auto diagram = buildDiagram(oneLayer({{simplePolygon(random, n, seed % 2 == 0 ? 12 : 100000), {}}}));
    ASSERT_TRUE(diagram.ok()) << "seed " << seed << ": " << diagram.error().message;
    ASSERT_EQ(findDiagramFault(*diagram), "") << "seed " << seed;
  }
}

// A tip less than 1e-9 units from a wall, where the sweep merges vertices up to 1e-5 units apart: right, or an error
// that names the place.
TEST(EcmDiagram, ObstaclesThatAlmostTouch) {
  const int32_t far = 1000000000;
  for (const int32_t shift : {0, -450000000, -900000000}) {
    Environment world = oneLayer({{rectangle(-far, -far, far, far), {}}});
    Ring wall{{0, 0}, {0, 900000000}, {900000001, 900000000}};
    Ring tip{{900000000, 899999999}, {900000000, -100}, {899999000, -100}};
    for (Ring* ring : {&wall, &tip}) {
      for (Point& p : *ring) p = {p.x + shift, p.y + shift};
      if (doubledArea(*ring) > 0) std::reverse(ring->begin(), ring->end());
      world.layers[0].free[0].holes.push_back(*ring);
    }
    ASSERT_TRUE(validate(world).empty());
    const auto diagram = buildDiagram(world);
    if (diagram.ok()) {
      EXPECT_EQ(findDiagramFault(*diagram), "") << shift;
    } else {
      EXPECT_NE(diagram.error().message.find(shift == 0 ? "899999999" : "("), std::string::npos)
          << diagram.error().message;
    }
  }
}

TEST(EcmDiagram, ThreadsDoNotMatter) {
  const Environment world = anyWorld(7);
  Context one;
  one.threads = 1;
  EXPECT_EQ(*buildDiagram(world, one), *buildDiagram(world));
}

}  // namespace
}  // namespace wend::ecm
