#include <wend/environment.h>

#include <gtest/gtest.h>

#include "geometry/area.h"
#include "tests/environment/hand_made.h"

namespace wend {
namespace {

void expectTopology(const Environment& environment, uint32_t components, uint32_t boundaries, uint32_t genus) {
  const Topology found = topology(environment);
  EXPECT_EQ(found.components, components);
  EXPECT_EQ(found.boundaries, boundaries);
  EXPECT_EQ(found.genus, genus);
}

TEST(TopologyTest, NothingAtAll) {
  EXPECT_EQ(topology(Environment{}), Topology{});
  expectTopology(environmentOf({layerOf(0, {})}), 0, 0, 0);
  expectTopology(environmentOf({layerOf(0, {Polygon{}})}), 0, 0, 0);
}

TEST(TopologyTest, SurvivesConnectionsToNowhere) {
  Environment world = environmentOf({layerOf(0, {{box(0, 0, 9, 9), {}}})});
  world.connections = {{0, 7, {{0, 0}, {9, 0}}}, {5, 6, {{0, 0}, {9, 0}}}, {0, 0, {{0, 0}, {9, 0}}}, {0, 1, {}}};
  expectTopology(world, 1, 1, 0);
}

TEST(TopologyTest, AreaIsExact) {
  const int32_t far = kMaxCoordinate;
  const Environment world = environmentOf(
      {layerOf(0, {{box(-far, -far, far, far), {hole(-1, -1, 1, 2)}}}), layerOf(1, {{box(-far, -far, far, far), {}}})});
  const Int128 side = static_cast<Int128>(2) * far;
  EXPECT_TRUE(toInt128(topology(world).doubledArea) == 4 * side * side - 2 * 2 * 3);
}

TEST(TopologyTest, HolesAreBoundaries) {
  expectTopology(environmentOf({layerOf(0, {{box(0, 0, 30, 30), {hole(3, 3, 6, 6), hole(12, 12, 15, 15)}}})}), 1, 3, 0);
}

TEST(TopologyTest, TouchingPolygonsStayApart) {
  expectTopology(environmentOf({layerOf(0, {{box(0, 0, 9, 9), {}}, {box(9, 9, 18, 18), {}}})}), 2, 2, 0);
}

TEST(TopologyTest, TwoRoomsAndAConnection) {
  expectTopology(twoRooms(), 1, 1, 0);
  Environment closed = twoRooms();
  closed.connections.clear();
  expectTopology(closed, 2, 2, 0);
}

TEST(TopologyTest, ASegmentOfOneLayerOnlyStaysClosed) {
  Environment world = twoRooms();
  world.connections[0].line = {{10, 0}, {10, 4}};
  world.layers[1].free[0].outer.pop_back();
  expectTopology(world, 2, 2, 0);
}

TEST(TopologyTest, ASegmentIsOpenedOnce) {
  Environment world = twoRooms();
  world.connections.push_back(world.connections[0]);
  expectTopology(world, 1, 1, 0);
}

TEST(TopologyTest, TwoConnectionsMakeARing) {
  Environment world =
      environmentOf({layerOf(0, {{{{0, 0}, {10, 0}, {10, 2}, {10, 4}, {10, 6}, {10, 8}, {10, 10}, {0, 10}}, {}}}),
                     layerOf(1, {{{{10, 0}, {20, 0}, {20, 10}, {10, 10}, {10, 8}, {10, 6}, {10, 4}, {10, 2}}, {}}})},
                    {{0, 1, {{10, 2}, {10, 4}}}, {0, 1, {{10, 6}, {10, 8}}}});
  expectTopology(world, 1, 2, 0);
}

TEST(TopologyTest, ConnectionsThatShareAnEndEncloseOnlyAPoint) {
  Environment world =
      environmentOf({layerOf(0, {{{{0, 0}, {10, 0}, {10, 2}, {10, 4}, {10, 6}, {10, 10}, {0, 10}}, {}}}),
                     layerOf(1, {{{{10, 0}, {20, 0}, {20, 10}, {10, 10}, {10, 6}, {10, 4}, {10, 2}}, {}}})},
                    {{0, 1, {{10, 2}, {10, 4}}}, {0, 1, {{10, 4}, {10, 6}}}});
  expectTopology(world, 1, 1, 0);
  world.connections = {{0, 1, {{10, 2}, {10, 4}, {10, 6}}}};
  expectTopology(world, 1, 1, 0);
}

// Four layers around a block, joined by full-width connections.
TEST(TopologyTest, RingOfFourLayers) {
  const Environment world = environmentOf(
      {layerOf(0, {{{{-9, -9}, {9, -9}, {3, -3}, {-3, -3}}, {}}}),
       layerOf(1, {{{{9, -9}, {9, 9}, {3, 3}, {3, -3}}, {}}}), layerOf(2, {{{{9, 9}, {-9, 9}, {-3, 3}, {3, 3}}, {}}}),
       layerOf(3, {{{{-9, 9}, {-9, -9}, {-3, -3}, {-3, 3}}, {}}})},
      {{0, 1, {{9, -9}, {3, -3}}}, {1, 2, {{9, 9}, {3, 3}}}, {2, 3, {{-9, 9}, {-3, 3}}}, {0, 3, {{-3, -3}, {-9, -9}}}});
  expectTopology(world, 1, 2, 0);
}

TEST(TopologyTest, QuadrantsMakeASquare) {
  expectTopology(quadrants(true), 1, 1, 0);
  expectTopology(quadrants(false), 1, 1, 0);
}

TEST(TopologyTest, SpiralIsADisk) {
  expectTopology(spiral(1), 1, 1, 0);
  expectTopology(spiral(25), 1, 1, 0);
}

TEST(TopologyTest, BridgeAndTunnelHaveGenusOne) {
  Environment world = bridgeAndTunnel();
  EXPECT_EQ(doubledArea(world.layers[1].free) > 0, true);
  expectTopology(world, 1, 1, 1);
  EXPECT_EQ(topology(world).euler(), -1);
  world.connections.pop_back();
  expectTopology(world, 1, 2, 0);
}

TEST(TopologyTest, PlatformJoinedAllAround) {
  expectTopology(platform(), 1, 1, 0);
}

TEST(TopologyTest, PlatformWithTwoGaps) {
  Environment world = platform();
  world.connections = {{0, 1, {{10, 10}, {10, 20}}}, {0, 1, {{20, 20}, {20, 10}}}};
  expectTopology(world, 1, 3, 0);
  world.connections = {{0, 1, {{10, 10}, {10, 20}, {20, 20}, {20, 10}}}};
  expectTopology(world, 1, 2, 0);
}

// The hole touches the connection's inner point, so the point belongs to the hole's boundary.
TEST(TopologyTest, HoleThatTouchesTheConnection) {
  const Environment world =
      environmentOf({layerOf(0, {{{{0, 0}, {10, 0}, {10, 5}, {10, 10}, {0, 10}}, {}}}),
                     layerOf(1, {{{{10, 0}, {20, 0}, {20, 10}, {10, 10}, {10, 5}, {13, 7}, {13, 3}, {10, 5}}, {}}})},
                    {{0, 1, {{10, 0}, {10, 5}}}, {0, 1, {{10, 5}, {10, 10}}}});
  expectTopology(world, 1, 2, 0);
}

}  // namespace
}  // namespace wend
