#include "generators/delaunay/delaunay.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/environment/hand_made.h"
#include "tests/generators/laws.h"
#include "tests/generators/random_worlds.h"

namespace wend {
namespace {

TEST(Delaunay, ASquareIsTwoTriangles) {
  const Environment environment = oneLayer({{box(0, 0, 10, 10), {}}});
  const NavMesh mesh = bake(environment, "delaunay");
  EXPECT_EQ(mesh.cellCount(), 2U);
  EXPECT_EQ(mesh.portalCount(), 1U);
  expectTruth(mesh, environment);
}

// Five bodies with 19 vertices in a box: n + 2h - 2C.
TEST(Delaunay, FiveBodiesInABoxGiveThirtyOneTriangles) {
  std::vector<Ring> holes;
  for (int32_t i = 0; i < 4; ++i) holes.push_back(hole(20 * i + 5, 5, 20 * i + 15, 15));
  holes.push_back({{5, 30}, {15, 45}, {35, 31}});
  const Environment environment = oneLayer({{box(0, 0, 100, 50), holes}});
  const NavMesh mesh = bake(environment, "delaunay");
  EXPECT_EQ(mesh.cellCount(), 31U);
  expectTruth(mesh, environment);
}

TEST(Delaunay, LayersOfTheSameGroundStayApart) {
  Environment environment = oneLayer({{box(0, 0, 10, 10), {}}});
  environment.layers.push_back(environment.layers[0]);
  environment.layers[1].id = 1;
  environment.layers[1].heights.base = 4;
  const NavMesh mesh = bake(environment, "delaunay");
  EXPECT_EQ(mesh.cellCount(), 4U);
  EXPECT_EQ(topology(mesh).components, 2U);
  EXPECT_EQ(mesh.position(mesh.startVertex(mesh.firstSide(3))).z, 4);
}

TEST(RandomWorlds, AreValid) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    for (const Violation& violation : validate(anyWorld(seed))) ADD_FAILURE() << "seed " << seed << violation.message;
  }
}

// E2: R = V_b + 2 V_i - 2 chi and P = V_b + 3 V_i - 3 chi, with vertices counted in the environment alone.
TEST(Delaunay, TrianglesAndPortalsFollowFromTheBoundary) {
  for (uint64_t seed = 0; seed < 400; ++seed) {
    const Environment environment = anyWorld(seed);
    if (vertexCount(environment) == 0) continue;
    // A vertex inside a connection is met by both layers and is one inner vertex; an end is met twice and is one
    // boundary vertex.
    int64_t inner = 0;
    int64_t boundary = static_cast<int64_t>(vertexCount(environment));
    for (const Connection& connection : environment.connections) {
      const int64_t between = static_cast<int64_t>(connection.line.size()) - 2;
      inner += between;
      boundary -= 2 * between + 2;
    }
    const int64_t chi = topology(environment).euler();
    const NavMesh mesh = bake(environment, "delaunay");
    EXPECT_EQ(static_cast<int64_t>(mesh.cellCount()), boundary + 2 * inner - 2 * chi) << "seed " << seed;
    EXPECT_EQ(static_cast<int64_t>(mesh.portalCount()), boundary + 3 * inner - 3 * chi) << "seed " << seed;
    EXPECT_EQ(innerVertices(mesh), inner) << "seed " << seed;
    expectPortalLaw(mesh, environment);
    expectTruth(mesh, environment);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST(Delaunay, TheOrderOfTheInputDoesNotMatter) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    Environment environment = anyWorld(seed);
    if (vertexCount(environment) == 0) continue;
    const NavMesh mesh = bake(environment, "delaunay");
    for (Layer& layer : environment.layers) {
      std::reverse(layer.free.begin(), layer.free.end());
      for (Polygon& polygon : layer.free) {
        std::rotate(polygon.outer.begin(), polygon.outer.begin() + 1, polygon.outer.end());
        std::reverse(polygon.holes.begin(), polygon.holes.end());
      }
    }
    const NavMesh again = bake(environment, "delaunay");
    EXPECT_TRUE(std::ranges::equal(mesh.views().vertices, again.views().vertices)) << "seed " << seed;
    EXPECT_TRUE(std::ranges::equal(mesh.views().sideVertex, again.views().sideVertex)) << "seed " << seed;
    EXPECT_TRUE(std::ranges::equal(mesh.views().sideTwin, again.views().sideTwin)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace wend
