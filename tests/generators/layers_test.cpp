#include <gtest/gtest.h>

#include "tests/environment/hand_made.h"
#include "tests/generators/laws.h"

// Worlds of several layers in which connections meet, wind and close.
namespace wend {
namespace {

void expectTopology(const Environment& environment, uint32_t components, uint32_t boundaries, uint32_t genus) {
  for (const GeneratorInfo& generator : exactGenerators()) {
    SCOPED_TRACE(generator.name);
    const NavMesh mesh = bake(environment, generator.name);
    const Topology found = topology(mesh);
    EXPECT_EQ(found.components, components);
    EXPECT_EQ(found.boundaries, boundaries);
    EXPECT_EQ(found.genus, genus);
    expectConvex(mesh);
    expectPortalLaw(mesh, environment);
    expectTruth(mesh, environment);
  }
}

TEST(Layers, RoomsWithADoor) {
  expectTopology(twoRooms(), 1, 1, 0);
}

TEST(Layers, FourLayersAroundAPointJoinedByThree) {
  expectTopology(quadrants(false), 1, 1, 0);
}

TEST(Layers, FourLayersAroundAPointJoinedByFourHaveAnInnerVertex) {
  expectTopology(quadrants(true), 1, 1, 0);
  EXPECT_EQ(innerVertices(bake(quadrants(true), "hertel-mehlhorn")), 1U);
}

TEST(Layers, AStairThatWindsAboveItself) {
  for (const uint32_t turns : {1U, 2U, 5U}) expectTopology(spiral(turns), 1, 1, 0);
}

TEST(Layers, ABridgeOverATunnelIsATorus) {
  expectTopology(bridgeAndTunnel(), 1, 1, 1);
}

TEST(Layers, APlatformJoinedAllAround) {
  expectTopology(platform(), 1, 1, 0);
}

}  // namespace
}  // namespace wend
