#include <cmath>

#include <wend/generate.h>
#include <wend/make.h>
#include <wend/metrics.h>

#include <gtest/gtest.h>

#include "tests/metrics/picture_world.h"

namespace wend {
namespace {

NavMesh bake(const Environment& world, const char* generator) {
  GenerateSettings settings;
  settings.generator = generator;
  auto mesh = generate(world, settings);
  EXPECT_TRUE(mesh.ok()) << mesh.error().message;
  return mesh.ok() ? *mesh : NavMesh{};
}

NavMesh meshOfPaths(const std::vector<LooseCell>& cells, MeshTraits traits = {}) {
  MeshArrays arrays = joinCells(cells);
  arrays.traits = traits;
  return NavMesh(std::move(arrays));
}

TEST(Paths, ExactMeshesLoseNothing) {
  for (const MakeSettings& settings : {MakeSettings{"military", {}, 1, {}}, MakeSettings{"parking-lot", {}, 1, {}}}) {
    const Environment world = *makeEnvironment(settings);
    const NavMesh truth = bake(world, "delaunay");
    for (const char* generator : {"delaunay", "hertel-mehlhorn", "neogen", "ecm"}) {
      PathSettings paths;
      paths.queries = 60;
      const auto m = measurePaths(bake(world, generator), truth, paths);
      ASSERT_TRUE(m.ok()) << m.error().message;
      SCOPED_TRACE(settings.kind + " " + generator);
      EXPECT_TRUE(m->supported);
      EXPECT_EQ(m->asked, 60U);
      EXPECT_EQ(m->missed, 0U);
      EXPECT_EQ(m->wrong, 0U);
      if (m->shortest.count > 0) {
        EXPECT_NEAR(m->shortest.min, 1, 1e-6);
        EXPECT_NEAR(m->shortest.max, 1, 1e-6);
      }
      EXPECT_GE(m->searched.min, 1 - 1e-6);
      EXPECT_LT(m->searched.mean, 1.3);
      for (const RadiusMetrics& r : m->radii) {
        EXPECT_GT(r.asked, 0U);
        EXPECT_EQ(r.missed, 0U) << r.radius;
        EXPECT_EQ(r.wrong, 0U) << r.radius;
        if (r.possible == 0) continue;
        EXPECT_GE(r.lengthRatio, 1 - 1e-6) << r.radius;
      }
    }
  }
}

// A ring of squares around a pillar with one square left out: the short way is gone for some pairs.
TEST(Paths, AMissingCellMakesLongWaysAndMissedOnes) {
  const Picture picture{"...", ".#.", "..."};
  const Environment world = worldOf(picture);
  const NavMesh truth = bake(world, "delaunay");
  std::vector<LooseCell> cells = gridCells(picture);
  cells.erase(cells.begin() + 1);
  PathSettings settings;
  settings.queries = 400;
  settings.radii = {0.2};
  const PathMetrics m = *measurePaths(meshOfPaths(cells), truth, settings);
  EXPECT_GT(m.missed, 0U) << "ends on the missing square";
  EXPECT_GT(m.shortest.max, 1.5) << "ways around the long side";
  EXPECT_NEAR(m.shortest.min, 1, 1e-9);
  EXPECT_GT(m.radii[0].missed, 0U);
  EXPECT_EQ(m.radii[0].wrong, 0U);
  EXPECT_GT(m.turns.mean, 0);
}

TEST(Paths, ACellThroughAWallClaimsFalseWays) {
  const Environment world = worldOf({"..#.."});
  const PathMetrics m = *measurePaths(meshOfPaths(gridCells({"....."})), bake(world, "delaunay"));
  EXPECT_GT(m.possible, 0U);
  EXPECT_EQ(m.missed, 0U);
  EXPECT_GT(m.wrong, 0U);
  EXPECT_EQ(m.wrong, m.asked - m.possible);
  EXPECT_GT(m.radii[0].wrong, 0U);
}

TEST(Paths, WhatCannotBeMeasuredIsSaid) {
  const Environment world = worldOf({"..", ".."});
  const NavMesh truth = bake(world, "delaunay");
  const NavMesh overlapping = meshOfPaths(gridCells({"..", ".."}), {true, false, false});
  const auto m = measurePaths(overlapping, truth);
  ASSERT_TRUE(m.ok());
  EXPECT_TRUE(m->supported || metricValues(*m).empty());
  PathSettings wrong;
  wrong.radii = {-1};
  EXPECT_EQ(measurePaths(truth, truth, wrong).error().code, ErrorCode::kInvalidSettings);
  wrong = {};
  wrong.queries = 0;
  EXPECT_EQ(measurePaths(truth, truth, wrong).error().code, ErrorCode::kInvalidSettings);
  EXPECT_EQ(measurePaths(truth, overlapping).error().code, ErrorCode::kInvalidSettings);
  EXPECT_EQ(measurePaths(NavMesh(joinCells({})), NavMesh(joinCells({})))->asked, 0U);
}

// A corridor of 5 x 1 squares: the graph's distances are those of the pixels where pixels and squares coincide.
TEST(DistanceMapTest, SquaresAreTheirOwnMap) {
  const Environment world = worldOf({"....."});
  const NavMesh truth = bake(world, "delaunay");
  DistanceMapSettings settings;
  settings.pixels = 5;
  const DistanceMapMetrics m = *measureDistanceMap(meshOfPaths(gridCells({"....."})), truth, settings);
  EXPECT_EQ(m.pixels, 5U);
  EXPECT_EQ(m.navigable, 5U);
  EXPECT_EQ(m.missed, 0U);
  EXPECT_DOUBLE_EQ(m.pixel, 1);
  EXPECT_NEAR(m.error, 0, 1e-18);
  EXPECT_NEAR(m.offsetError, 0, 1e-18);
  // One cell for all: the graph says 0 everywhere, the truth 2, 1, 0, 1, 2.
  const NavMesh one = meshOfPaths({{0, {{0, 0}, {50000, 0}, {50000, 10000}, {0, 10000}}}});
  const DistanceMapMetrics coarse = *measureDistanceMap(one, truth, settings);
  EXPECT_NEAR(coarse.error, 10.0 / 5, 1e-12);
  EXPECT_NEAR(coarse.navigableError, 2, 1e-12);
  EXPECT_NEAR(coarse.offsetError, 0, 1e-12);
}

TEST(DistanceMapTest, ObstaclesCountInTheImageAndCornersAreNotCut) {
  const Picture picture{"...", ".#.", "..."};
  const Environment world = worldOf(picture);
  const NavMesh truth = bake(world, "delaunay");
  DistanceMapSettings settings;
  settings.pixels = 3;
  const DistanceMapMetrics m = *measureDistanceMap(meshOfPaths(gridCells(picture)), truth, settings);
  EXPECT_EQ(m.pixels, 9U);
  EXPECT_EQ(m.navigable, 8U);
  EXPECT_NEAR(m.error, 0, 1e-18) << "every way goes around by straight steps";
  settings.reference = DistanceReference::kGeodesic;
  const DistanceMapMetrics geodesic = *measureDistanceMap(meshOfPaths(gridCells(picture)), truth, settings);
  EXPECT_GT(geodesic.error, 0) << "the true way cuts inside the squares";
  settings.pixels = 1;
  EXPECT_EQ(measureDistanceMap(truth, truth, settings).error().code, ErrorCode::kInvalidSettings);
}

TEST(DistanceMapTest, GoesThroughConnections) {
  const Environment world = *makeEnvironment({"parking-lot", {}, 1, {}});
  const NavMesh truth = bake(world, "delaunay");
  const DistanceMapMetrics m = *measureDistanceMap(bake(world, "hertel-mehlhorn"), truth);
  EXPECT_EQ(m.missed, 0U);
  // All decks are joined, so all their pixels are reached.
  const double area = truth.lattice().area(topology(world).doubledArea);
  EXPECT_NEAR(static_cast<double>(m.navigable) * m.pixel * m.pixel, area, 0.05 * area);
}

}  // namespace
}  // namespace wend
