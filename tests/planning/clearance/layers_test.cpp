#include <gtest/gtest.h>

#include "planning/disk/disk_navigator.h"
#include "tests/mesh/grid_mesh.h"
#include "tests/planning/clearance/layers_check.h"

namespace wend {
namespace {

// A floor wound around a column of 1 m x 1 m. The wall at x = -3 below is in sight from the east part of the northern
// cell, past the column; its west part lies above that wall, around the column from it, and must not know it.
class AroundAColumn : public ::testing::Test {
 protected:
  static NavMesh mesh() {
    // Half metres. The northern cell leads east down to the wall, and west down to the floor above that wall.
    MeshArrays arrays = joinCells({{0, {{-60, 1}, {-1, 1}, {1, 1}, {60, 1}, {60, 60}, {-60, 60}}},
                                   {1, {{1, -1}, {60, -1}, {60, 1}, {1, 1}}},
                                   {1, {{-6, -60}, {60, -60}, {60, -1}, {1, -1}, {-6, -1}}},
                                   {2, {{-60, -1}, {-1, -1}, {-1, 1}, {-60, 1}}},
                                   {3, {{-60, -60}, {60, -60}, {60, -1}, {-1, -1}, {-60, -1}}}},
                                  {{0, 1}, {0, 2}, {2, 3}});
    arrays.lattice.unit = 0.5;
    for (size_t i = 0; i < arrays.layerHeights.size(); ++i) arrays.layerHeights[i].base = 3.0 * static_cast<double>(i);
    return NavMesh(std::move(arrays));
  }
  PathQuery query(Vec3 from, Vec3 to, double r) const {
    PathQuery q;
    q.from = from;
    q.to = to;
    q.radius = r;
    return q;
  }
  DiskNavigator navigator{mesh()};
  PlanScratch scratch;
  Route route;
};

TEST_F(AroundAColumn, AWallBelowBlocksNothingAbove) {
  ASSERT_EQ(navigator.plan(query({-6, 3, 0}, {-6, -8, 9}, 5), scratch, route), PathStatus::kFound);
  EXPECT_NEAR(route.length, 11, 1e-9);
}
TEST_F(AroundAColumn, TheWallBlocksWhereItIsInReach) {
  // Past the column's south side the wall is 3 m away.
  EXPECT_EQ(navigator.reachable(query({0, -6, 3}, {20, -10, 3}, 3.1), scratch), PathStatus::kStartTooNear);
  EXPECT_EQ(navigator.reachable(query({0, -6, 3}, {20, -10, 3}, 2.9), scratch), PathStatus::kFound);
}
TEST_F(AroundAColumn, TheColumnBlocksOnBothStoreys) {
  EXPECT_EQ(navigator.reachable(query({-4, 0, 6}, {-20, 10, 0}, 3.6), scratch), PathStatus::kStartTooNear);
  EXPECT_EQ(navigator.reachable(query({0, 4, 0}, {-20, 10, 0}, 3.6), scratch), PathStatus::kStartTooNear);
  EXPECT_EQ(navigator.reachable(query({-4, 0, 6}, {-20, 10, 0}, 3.4), scratch), PathStatus::kFound);
}

TEST(ClearanceLayers, EqualTheWidestWayOfTheMedialAxis) {
  LayerCount count;
  for (const LayerWorld& world : std::vector<LayerWorld>{{"spiral", {}},
                                                         {"two-floor-ramp", {}},
                                                         {"overlap-side", {}},
                                                         {"ramps", {}},
                                                         {"parking-lot", {}},
                                                         {"sliced-ramp", {{"obstacles", 10}}}}) {
    checkLayers(world, 1, 40, count);
  }
  EXPECT_GT(count.asked, 160U);
  EXPECT_GT(count.otherLayer, 100U);
  EXPECT_GT(count.narrow, 20U);
}

}  // namespace
}  // namespace wend
