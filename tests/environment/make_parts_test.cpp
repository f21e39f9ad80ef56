#include <numeric>

#include <gtest/gtest.h>

#include "environment/make/cell_plan.h"
#include "environment/make/scatter.h"
#include "geometry/area.h"
#include "geometry/polygon_check.h"

namespace wend::make {
namespace {

TEST(CellPlan, NothingDrawnIsNothing) {
  EXPECT_TRUE(CellPlan().trace().polygons.empty());
  CellPlan blocked;
  blocked.block({0, 0, 5, 5});
  EXPECT_TRUE(blocked.trace().polygons.empty());
}

TEST(CellPlan, LaterStrokesCoverEarlierOnes) {
  CellPlan plan;
  plan.free({0, 0, 10, 10});
  plan.block({2, 2, 8, 8});
  plan.free({4, 4, 6, 6});
  const CellPlan::Traced traced = plan.trace();
  ASSERT_EQ(traced.polygons.size(), 2U);
  EXPECT_EQ(traced.polygons[0].holes.size(), 1U);
  EXPECT_EQ(vertexCount(traced.polygons), 12U);
  EXPECT_EQ(static_cast<int64_t>(traced.doubledArea), 2 * (100 - 36 + 4));
}

TEST(CellPlan, CornersDoNotJoin) {
  CellPlan plan;
  plan.free({0, 0, 5, 5});
  plan.free({5, 5, 9, 9});
  EXPECT_EQ(plan.trace().polygons.size(), 2U);
  // A ring that meets itself in a corner: the blocked middle stays a hole, and the walk visits the corner twice.
  CellPlan ring;
  ring.free({0, 0, 3, 3});
  ring.block({1, 1, 2, 2});
  ring.block({2, 2, 3, 3});
  const CellPlan::Traced traced = ring.trace();
  ASSERT_EQ(traced.polygons.size(), 1U);
  EXPECT_TRUE(findPolygonFaults(traced.polygons).empty());
}

TEST(CellPlan, KeepsTheVertexAskedFor) {
  CellPlan plan;
  plan.free({0, 0, 10, 10});
  plan.keep({10, 4});
  EXPECT_EQ(vertexCount(plan.trace().polygons), 5U);
}

TEST(CellPlan, RandomDrawingsAreValidAndTheirAreasAddUp) {
  Random random(11);
  for (int round = 0; round < 300; ++round) {
    CellPlan plan;
    for (int i = 0; i < 12; ++i) {
      const auto x = static_cast<int32_t>(random.between(0, 12));
      const auto y = static_cast<int32_t>(random.between(0, 12));
      const Rect r{x, y, x + static_cast<int32_t>(random.between(1, 6)),
                   y + static_cast<int32_t>(random.between(1, 6))};
      if (random.chance(0.6)) {
        plan.free(r);
      } else {
        plan.block(r);
      }
    }
    const CellPlan::Traced traced = plan.trace();
    EXPECT_TRUE(traced.doubledArea == doubledArea(traced.polygons));
    const std::vector<PolygonFault> faults = findPolygonFaults(traced.polygons);
    EXPECT_TRUE(faults.empty()) << faults[0].message;
  }
}

TEST(Shapes, DistributeAddsUp) {
  Random random(2);
  for (int round = 0; round < 300; ++round) {
    const auto count = static_cast<size_t>(random.between(1, 60));
    const auto total = static_cast<int64_t>(count) * random.between(4, 20) / 2 * 2;
    if (total < 4 * static_cast<int64_t>(count)) continue;
    const std::vector<int> parts = distribute(total, count, 4, 40, random, 2);
    const int64_t odd = (total - 4 * static_cast<int64_t>(count)) % 2;
    EXPECT_EQ(std::accumulate(parts.begin(), parts.end(), int64_t{0}), total - odd);
    for (const int part : parts) {
      EXPECT_GE(part, 4);
      EXPECT_LE(part, 40);
      EXPECT_EQ(part % 2, 0);
    }
  }
  EXPECT_EQ(distribute(10, 2, 5, 5, random), (std::vector<int>{5, 5}));
  EXPECT_TRUE(distribute(0, 0, 3, 9, random).empty());
}

// Left and right turns of a counter-clockwise ring.
std::pair<int, int> turns(const Ring& ring) {
  int left = 0;
  int right = 0;
  for (size_t i = 0; i < ring.size(); ++i) {
    const Ring corner{ring[i], ring[(i + 1) % ring.size()], ring[(i + 2) % ring.size()]};
    const Int128 turn = doubledArea(corner);
    left += turn > 0 ? 1 : 0;
    right += turn < 0 ? 1 : 0;
  }
  return {left, right};
}

TEST(Shapes, CountsAreExact) {
  Random random(9);
  for (int round = 0; round < 200; ++round) {
    const auto corners = static_cast<int>(random.between(3, 60));
    const auto dents = static_cast<int>(random.between(0, 4 * corners));
    EXPECT_EQ(turns(placed(dented(corners, dents, 2, 1.5), {0, 0})), std::pair(corners, dents));
    const auto arms = static_cast<int>(random.between(2, 12));
    const auto convex = static_cast<int>(random.between(3 * arms, 40 * arms));
    const auto concave = static_cast<int>(random.between(arms, 20 * arms));
    const Figure star = figure(arms, convex, concave, 10, 40, random);
    EXPECT_EQ(turns(placed(star.shape, {0, 0})), std::pair(convex, concave));
    EXPECT_TRUE(findPolygonFaults(std::vector<Polygon>{{placed(star.shape, {0, 0}), {}}}).empty());
    const auto vertices = static_cast<int>(2 * random.between(2, 40));
    const Ring house = placed(building(vertices, 20, 18, random), {0, 0});
    EXPECT_EQ(turns(house), std::pair(vertices / 2 + 2, vertices / 2 - 2));
    EXPECT_TRUE(findPolygonFaults(std::vector<Polygon>{{house, {}}}).empty());
    const auto round4 = static_cast<int>(random.between(4, 80));
    EXPECT_EQ(turns(placed(roundedBox(round4, 20, 10, 2), {0, 0})), std::pair(round4, 0));
  }
}

TEST(Scatter, SettleMeetsTheAreaAndStaysInItsSlots) {
  Random random(4);
  std::vector<Slot> slots = slotGrid(0, 0, 40, 40, 4, 4);
  slots[0].shape = boxShape(5, 5);
  for (size_t i = 1; i < slots.size(); ++i) slots[i].shape = rock(7, 3, 3, 0.4, random);
  const std::vector<Ring> rings = settle(slots, 300, 0.5, random);
  Int128 sum = 0;
  for (size_t i = 0; i < rings.size(); ++i) {
    sum += doubledArea(rings[i]);
    const Box box = boundingBox(rings[i]);
    EXPECT_GE(box.min.x, units(slots[i].centre.x - 5));
    EXPECT_LE(box.max.x, units(slots[i].centre.x + 5));
  }
  EXPECT_NEAR(static_cast<double>(sum) / 2 * kUnit * kUnit, 300, 1e-3);
}

}  // namespace
}  // namespace wend::make
