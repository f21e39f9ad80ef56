#include "generators/ecm/ecm.h"

#include <cmath>
#include <numbers>

#include <wend/corridor_map.h>
#include <wend/make.h>

#include <gtest/gtest.h>

#include "ecm_laws.h"
#include "generators/layered_worlds.h"
#include "laws.h"
#include "random_worlds.h"

namespace wend::ecm {
namespace {

void expectMesh(const Environment& world) {
  const auto mesh = wend::generate(world, {"ecm", {}, 1});
  ASSERT_TRUE(mesh.ok()) << mesh.error().message;
  for (const MeshFault& fault : checkMesh(*mesh, &world, 3)) {
    ADD_FAILURE() << faultName(fault.kind) << ": " << fault.message;
  }
  ASSERT_NE(mesh->corridorMap(), nullptr);
  const CorridorMap& map = *mesh->corridorMap();
  // The axis is what the surface shrinks to.
  EXPECT_EQ(static_cast<int64_t>(map.vertices.size()) - static_cast<int64_t>(map.edges.size()),
            topology(world).euler());
  ASSERT_EQ(map.cellArc.size(), mesh->cellCount());
  for (CellId cell = 0; cell < mesh->cellCount(); ++cell) {
    ASSERT_LT(map.cellArc[cell], map.arcs.size());
    ASSERT_NE(map.arcs[map.cellArc[cell]].left, kNone);
  }
}

TEST(Ecm, CellsOfARectangle) {
  const Environment world = oneLayer({{{{0, 0}, {20, 0}, {20, 10}, {0, 10}}, {}}});
  expectMesh(world);
  EXPECT_EQ(bake(world, "ecm").cellCount(), 5U);
}

// Both ends of the room are needles with a bend in the lower wall where they are less than a thousandth of a unit wide.
TEST(Ecm, NeedlesNarrowerThanAThousandthOfAUnit) {
  expectMesh(oneLayer({{{{0, 0}, {500, 0}, {1000000, -1}, {1000000, 1}}, {}}}));
  expectMesh(oneLayer({{{{0, 0}, {50, 0}, {1000000, -30}, {1999950, 0}, {2000000, 0}, {1000000, 1}}, {}}}));
}

TEST(Ecm, RandomSquares) {
  for (uint64_t seed = 0; seed < 250 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    SquaresSettings settings;
    settings.columns = static_cast<int32_t>(random.between(1, 9));
    settings.rows = static_cast<int32_t>(random.between(1, 9));
    settings.density = random.real(0.3, 1.0);
    settings.jitter = random.chance(0.5) ? 24 : 0;
    const Environment world = SquaresWorld(random, settings).environment();
    if (!world.layers.front().free.empty()) expectMesh(world);
  }
}

TEST(Ecm, RandomLayers) {
  for (uint64_t seed = 0; seed < 250 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const Environment world = anyWorld(seed);
    if (topology(world).components > 0) expectMesh(world);
  }
}

TEST(Ecm, MadeWorlds) {
  for (const char* kind : {"military", "zelda", "maze", "donut", "two-floor-ramp", "ramps", "library", "spiral",
                           "overlap-side", "sliced-ramp", "neogen1", "neogen2", "station"}) {
    SCOPED_TRACE(kind);
    const auto world = makeWorld({kind, {}, 1, {}});
    ASSERT_TRUE(world.ok()) << world.error().message;
    expectMesh(*world);
  }
}

// Spirals with a vertex of the axis less than 0.01 units beyond the connection where its layer ends.
TEST(Ecm, VertexBesideAConnection) {
  for (const uint64_t seed : {1012033U, 1015210U}) {
    SCOPED_TRACE(seed);
    const auto world = overlappingWorld(seed);
    ASSERT_TRUE(world);
    expectMesh(*world);
  }
}

// An arc that runs along a connection's line past its end, which is the nearest obstacle point on one side: that half
// of its cell has no width but what rounding gives it.
TEST(Ecm, ArcAlongAConnection) {
  const auto world = overlappingWorld(50005807);
  ASSERT_TRUE(world);
  expectMesh(*world);
}

// Two rooms with a door, the wall beside it without thickness: the arc around the tip of the wall goes half around it,
// and its chord passes the tip on either side. The door has a bend that only rounding makes.
TEST(Ecm, TipsOfWallsWithoutThickness) {
  for (const uint64_t seed : {0U, 4U, 7U, 11U, 13U, 14U, 15U, 16U, 17U, 23U, 26U, 30U, 33U, 35U, 40U, 43U, 45U, 47U}) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const double angle = random.real(0, 2 * std::numbers::pi);
    const double size = std::pow(10, random.real(4, 7.5));
    const auto at = [&](double x, double y) {
      return Point{static_cast<int32_t>(std::lround(size * (std::cos(angle) * x - std::sin(angle) * y))),
                   static_cast<int32_t>(std::lround(size * (std::sin(angle) * x + std::cos(angle) * y)))};
    };
    const std::vector<Point> door{at(0, -2), at(0, 0.3), at(0, 1)};
    Environment world;
    world.layers.resize(2);
    world.layers[1].id = 1;
    world.layers[0].free = {{{at(-5, -2), door[0], door[1], door[2], at(0, 3), at(-5, 3)}, {}}};
    world.layers[1].free = {{{at(4, -2), at(4, 3), at(0, 3), door[2], door[1], door[0]}, {}}};
    world.connections = {{0, 1, door}};
    ASSERT_TRUE(validate(world).empty());
    expectMesh(world);
  }
}

TEST(Ecm, RandomPolygons) {
  for (uint64_t seed = 0; seed < 250 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto n = static_cast<size_t>(random.between(3, 24));
    expectMesh(oneLayer({{simplePolygon(random, n, seed % 2 == 0 ? 12 : 100000), {}}}));
  }
}

}  // namespace
}  // namespace wend::ecm
