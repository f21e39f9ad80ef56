#include <cmath>

#include <wend/environment.h>

#include <gtest/gtest.h>

#include "tests/environment/hand_made.h"
#include "tests/generators/ecm/open_laws.h"

// Zones small enough to be known.
namespace wend::ecm {
namespace {

const CorridorMap::Vertex* vertexNear(const CorridorMap& map, Vec2 p) {
  for (const auto& vertex : map.vertices) {
    if (distance(vertex.p, p) < 1e-3) return &vertex;
  }
  return nullptr;
}

// A corridor cut across: one room again, six vertices, nothing at the connection.
TEST(EcmOpenHandTest, Corridor) {
  const Environment environment = twoLayers(box(0, 0, 1000, 2000), box(0, 2000, 1000, 5000), {{1000, 2000}, {0, 2000}});
  for (const OpeningMethod method : {OpeningMethod::kSafe, OpeningMethod::kSweep}) {
    Opened opened;
    ASSERT_EQ(openInto(opened, environment, {.method = method}), "");
    EXPECT_EQ(countsOf(opened.map), (MapCounts{6, 5, 10}));
    const auto* low = vertexNear(opened.map, {500, 500});
    const auto* high = vertexNear(opened.map, {500, 4500});
    ASSERT_TRUE(low != nullptr && high != nullptr);
    EXPECT_EQ(low->layer, 0U);
    EXPECT_EQ(high->layer, 1U);
    EXPECT_DOUBLE_EQ(high->clearance, 500);
  }
}

// A square cut in two halves: one vertex of degree four in the middle of the connection.
TEST(EcmOpenHandTest, SquareCutInTheMiddle) {
  const Environment environment = twoLayers(box(0, 0, 2000, 1000), box(0, 1000, 2000, 2000), {{2000, 1000}, {0, 1000}});
  for (const OpeningMethod method : {OpeningMethod::kSafe, OpeningMethod::kSweep}) {
    Opened opened;
    ASSERT_EQ(openInto(opened, environment, {.method = method}), "");
    EXPECT_EQ(countsOf(opened.map), (MapCounts{5, 4, 8}));
    const auto* centre = vertexNear(opened.map, {1000, 1000});
    ASSERT_NE(centre, nullptr);
    EXPECT_EQ(centre->degree, 4U);
  }
}

// A connection between two wide rooms: the axis goes straight through its middle, between its two ends.
TEST(EcmOpenHandTest, ConnectionInAWideField) {
  Ring below = box(0, 0, 10000, 4000);
  below.insert(below.begin() + 3, {{5500, 4000}, {4500, 4000}});
  Ring above = box(0, 4000, 10000, 8000);
  above.insert(above.begin() + 1, {{4500, 4000}, {5500, 4000}});
  const Environment environment = twoLayers(below, above, {{5500, 4000}, {4500, 4000}});
  for (const OpeningMethod method : {OpeningMethod::kSafe, OpeningMethod::kSweep}) {
    Opened opened;
    ASSERT_EQ(openInto(opened, environment, {.method = method}), "");
    EXPECT_EQ(static_cast<int64_t>(opened.map.vertices.size()) - static_cast<int64_t>(opened.map.edges.size()), 1);
    // One arc between the two ends, crossing the connection in its middle with half its width.
    size_t through = 0;
    for (uint32_t i = 0; i < opened.map.arcs.size(); ++i) {
      const auto& arc = opened.map.arcs[i];
      if (arc.left == kNone) continue;
      const auto& left = opened.map.sites[arc.left];
      const auto& right = opened.map.sites[arc.right];
      if (left.kind != CorridorMap::SiteKind::kPoint || right.kind != CorridorMap::SiteKind::kPoint) continue;
      ++through;
      EXPECT_NEAR(opened.map.bendingPoints[i].p.x, 5000, 1e-6);
      EXPECT_NEAR(opened.map.bendingPoints[i + 1].p.x, 5000, 1e-6);
      EXPECT_NEAR(arc.minClearance, 500, 1e-6);
    }
    EXPECT_EQ(through, 1U);
  }
}

// Walls that leave 90 + 90, less and more than 180 degrees at the ends.
TEST(EcmOpenHandTest, AnglesAtTheEnds) {
  for (const int32_t lower : {-600, -200, 0, 200, 600}) {
    for (const int32_t upper : {-600, -200, 0, 200, 600}) {
      SCOPED_TRACE(lower);
      SCOPED_TRACE(upper);
      const Ring below{{0 + lower, 0}, {3000, 0}, {3000, 1000}, {0, 1000}};
      const Ring above{{0, 1000}, {3000, 1000}, {3000, 2000}, {upper, 2000}};
      const Ring whole{{lower, 0}, {3000, 0}, {3000, 1000}, {3000, 2000}, {upper, 2000}, {0, 1000}};
      Environment flat;
      flat.layers.resize(1);
      flat.layers[0].free.push_back({whole, {}});
      Opened expected;
      ASSERT_EQ(openInto(expected, flat), "");
      for (const OpeningMethod method : {OpeningMethod::kSafe, OpeningMethod::kSweep}) {
        Opened opened;
        ASSERT_EQ(openInto(opened, twoLayers(below, above, {{3000, 1000}, {0, 1000}}), {.method = method}), "");
        EXPECT_EQ(findDifference(opened.map, expected.map, 1e-3), "");
      }
    }
  }
}

}  // namespace
}  // namespace wend::ecm
