#include "generators/trapezoid/trapezoid.h"

#include <wend/make.h>

#include <gtest/gtest.h>

#include "tests/generators/laws.h"
#include "tests/generators/random_worlds.h"

namespace wend {
namespace {

NavMesh bakeTrapezoids(const Environment& environment, trapezoid::Axis axis = trapezoid::Axis::kX) {
  auto mesh = trapezoid::generate(environment, {axis});
  EXPECT_TRUE(mesh.ok()) << (mesh.ok() ? "" : mesh.error().message);
  return mesh.ok() ? *mesh : NavMesh();
}

TEST(Trapezoid, ASquareIsOneCell) {
  const Environment environment = oneLayer({{{{0, 0}, {10, 0}, {10, 10}, {0, 10}}, {}}});
  EXPECT_EQ(bakeTrapezoids(environment).cellCount(), 1U);
  EXPECT_EQ(bakeTrapezoids(environment, trapezoid::Axis::kY).cellCount(), 1U);
}

TEST(Trapezoid, ATriangleInGeneralPositionIsTwo) {
  const Environment environment = oneLayer({{{{0, 0}, {10, 3}, {4, 20}}, {}}});
  const NavMesh mesh = bakeTrapezoids(environment);
  EXPECT_EQ(mesh.cellCount(), 2U);
  expectTruth(mesh, environment);
}

TEST(Trapezoid, LinesStopAtTheFirstWall) {
  // Sideways L: by x the notch cuts once, by y too, in the other direction.
  const Environment environment = oneLayer({{{{0, 0}, {20, 0}, {20, 10}, {10, 10}, {10, 20}, {0, 20}}, {}}});
  for (const auto axis : {trapezoid::Axis::kX, trapezoid::Axis::kY}) {
    const NavMesh mesh = bakeTrapezoids(environment, axis);
    EXPECT_EQ(mesh.cellCount(), 2U);
    EXPECT_EQ(mesh.portalCount(), 1U);
    expectTruth(mesh, environment);
  }
}

// A box with h boxes inside whose vertical walls all have different x: 3 h + 1 cells.
TEST(Trapezoid, BoxesWithDifferentX) {
  Polygon polygon{{{0, 0}, {1000, 0}, {1000, 1000}, {0, 1000}}, {}};
  for (int32_t i = 0; i < 12; ++i) {
    const int32_t x = 10 + 71 * i;
    const int32_t y = 37 + (i * 389) % 880;
    polygon.holes.push_back({{x, y}, {x, y + 50}, {x + 40 + i, y + 50}, {x + 40 + i, y}});
    const Environment environment = oneLayer({polygon});
    const NavMesh mesh = bakeTrapezoids(environment);
    EXPECT_EQ(mesh.cellCount(), 3 * polygon.holes.size() + 1);
    expectTruth(mesh, environment);
  }
}

// R = n + h - C, and P = R - C + h, if all x differ.
TEST(Trapezoid, CountsInGeneralPosition) {
  int seen = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const Ring ring = simplePolygon(random, static_cast<size_t>(random.between(3, 40)), 1000000);
    std::set<int32_t> xs;
    for (const Point p : ring) xs.insert(p.x);
    if (xs.size() != ring.size()) continue;
    ++seen;
    const Environment environment = oneLayer({{ring, {}}});
    const NavMesh mesh = bakeTrapezoids(environment);
    EXPECT_EQ(mesh.cellCount(), ring.size() - 1) << "seed " << seed;
    EXPECT_EQ(mesh.portalCount(), mesh.cellCount() - 1) << "seed " << seed;
    expectConvex(mesh);
    expectTruth(mesh, environment);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GT(seen, 150);
}

TEST(Trapezoid, ObeysTheLawsOnManyLayers) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const Environment environment = anyWorld(seed);
    if (vertexCount(environment) == 0) continue;
    const NavMesh mesh = bakeTrapezoids(environment, seed % 2 == 0 ? trapezoid::Axis::kX : trapezoid::Axis::kY);
    EXPECT_LE(mesh.cellCount(), bake(environment, "delaunay").cellCount() + 2 * vertexCount(environment));
    expectPortalLaw(mesh, environment);
    expectTruth(mesh, environment);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST(Trapezoid, MadeWorlds) {
  for (const MakeSettings& settings : {MakeSettings{"military", {}, 1, {}},
                                       {"zelda", {}, 1, {}},
                                       {"maze", {{"size", 16}}, 1, {}},
                                       {"station", {}, 1, {}},
                                       {"library", {}, 1, {}}}) {
    const auto world = makeEnvironment(settings);
    ASSERT_TRUE(world.ok()) << world.error().message;
    SCOPED_TRACE(settings.kind);
    const NavMesh mesh = bakeTrapezoids(*world);
    expectSame(mesh, *world->truth);
    expectPortalLaw(mesh, *world);
    expectTruth(mesh, *world);
  }
}

}  // namespace
}  // namespace wend
