#include "generators/drawn/drawn.h"

#include <wend/generate.h>
#include <wend/metrics.h>

#include <gtest/gtest.h>

#include "tests/generators/random_worlds.h"

namespace wend {
namespace {

Polygon box(int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
  return {{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, {}};
}

// A flat with two rooms and a corridor that bends around one of them.
Environment flat() {
  Environment world = oneLayer({box(0, 0, 100000, 60000)});
  Polygon corridor{{{0, 0}, {100000, 0}, {100000, 60000}, {60000, 60000}, {60000, 20000}, {0, 20000}}, {}};
  world.layers[0].regions = {{"kitchen", {box(0, 20000, 30000, 60000)}},
                             {"bedroom", {box(30000, 20000, 60000, 60000)}},
                             {"corridor", {corridor}}};
  return world;
}

TEST(Drawn, RegionsAreCellsAndAreMeasured) {
  const Environment world = flat();
  const auto mesh = drawn::generate(world);
  ASSERT_TRUE(mesh.ok()) << mesh.error().message;
  ASSERT_EQ(mesh->cellCount(), 3U);
  EXPECT_FALSE(mesh->info().traits.convex);
  EXPECT_TRUE(checkMesh(*mesh, &world, 1).empty());
  const auto metrics = measureMesh(*mesh, world);
  ASSERT_TRUE(metrics.ok()) << metrics.error().message;
  EXPECT_NEAR(metrics->coverage.coveredShare(), 1, 1e-12);
  EXPECT_EQ(metrics->shape.degree.count, 3U);
  EXPECT_NEAR(metrics->shape.degree.mean, 2, 1e-12);
  EXPECT_EQ(metrics->shape.degreeGroups, (std::vector<uint64_t>{0, 0, 3}));
  EXPECT_EQ(metrics->graph.diameterAtLeast, 1U);
}

TEST(Drawn, WhatOverlapsOrLiesOutsideIsCut) {
  Environment world = oneLayer({box(0, 0, 1000, 1000)});
  world.layers[0].regions = {{"a", {box(-500, 0, 600, 1000)}}, {"b", {box(400, 0, 800, 1000)}}};
  const auto mesh = drawn::generate(world);
  ASSERT_TRUE(mesh.ok());
  ASSERT_EQ(mesh->cellCount(), 2U);
  EXPECT_TRUE(mesh->info().traits.convex);
  EXPECT_TRUE(checkMesh(*mesh, &world, 1).empty());
  EXPECT_NEAR(measureMesh(*mesh, world)->coverage.coveredShare(), 0.8, 1e-12);
}

TEST(Drawn, ARegionAroundAPillarIsCutIntoTriangles) {
  Environment world = oneLayer({{box(0, 0, 1000, 1000).outer, {{{400, 400}, {400, 600}, {600, 600}, {600, 400}}}}});
  world.layers[0].regions = {{"hall", {box(0, 0, 1000, 1000)}}};
  const auto mesh = drawn::generate(world);
  ASSERT_TRUE(mesh.ok());
  EXPECT_EQ(mesh->cellCount(), 8U);
  EXPECT_TRUE(checkMesh(*mesh, &world, 1).empty());
}

TEST(Drawn, WithoutLabelsTheFreeSpaceIsTheRegion) {
  const Environment world = oneLayer({box(0, 0, 1000, 1000), box(2000, 0, 3000, 1000)});
  const auto mesh = drawn::generate(world);
  ASSERT_TRUE(mesh.ok());
  EXPECT_EQ(mesh->cellCount(), 2U);
  EXPECT_TRUE(checkMesh(*mesh, &world, 1).empty());
}

// Labels that lie nowhere on free space leave nothing.
TEST(Drawn, NothingDrawnIsOneSentence) {
  Environment world = oneLayer({box(0, 0, 1000, 1000)});
  world.layers[0].regions = {{"moon", {box(5000, 0, 6000, 1000)}}};
  const auto mesh = generate(world, {.generator = "drawn"});
  ASSERT_FALSE(mesh.ok());
  EXPECT_EQ(mesh.error().code, ErrorCode::kEmpty);
}

}  // namespace
}  // namespace wend
