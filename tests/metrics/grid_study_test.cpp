#include <set>

#include <wend/generate.h>
#include <wend/image/grid_study.h>
#include <wend/image/range_image.h>
#include <wend/make.h>
#include <wend/mesh_builder.h>

#include <gtest/gtest.h>

namespace wend {
namespace {

NavMesh meshOfGrid(const NavigableGrid& mask, const GridSettings& settings) {
  const auto environment = gridEnvironment(mask);
  const auto grid = growGrid(mask, settings);
  EXPECT_TRUE(environment.ok() && grid.ok());
  MeshBuilder builder(*environment);
  for (const GridCluster& box : grid->clusters) {
    const auto corner = [&](uint32_t column, uint32_t line) {
      return *environment->lattice.snap({column * mask.pixel, (mask.height - line) * mask.pixel});
    };
    const std::array<Point, 4> loop{corner(box.left, box.bottom + 1), corner(box.right + 1, box.bottom + 1),
                                    corner(box.right + 1, box.top), corner(box.left, box.top)};
    builder.addCell(0, std::span<const Point>(loop));
  }
  auto mesh = builder.build("adaptive-grid", 0, {}, {});
  EXPECT_TRUE(mesh.ok()) << (mesh.ok() ? "" : mesh.error().message);
  return mesh.ok() ? *mesh : NavMesh();
}

GridSettings named(const std::string& name) {
  for (const auto& [each, settings] : gridSweep()) {
    if (each == name) return settings;
  }
  ADD_FAILURE() << name;
  return {};
}

RangeCity cityOf(uint64_t seed, uint32_t pixels = 256) {
  RangeCitySettings settings;
  settings.seed = seed;
  settings.pixels = pixels;
  auto city = makeRangeCity(settings);
  EXPECT_TRUE(city.ok());
  return *city;
}

TEST(GridStudy, SweepHas132Grids) {
  const auto sweep = gridSweep();
  EXPECT_EQ(sweep.size(), 132U);
  std::set<std::string> names;
  for (const auto& [name, settings] : sweep) names.insert(name);
  EXPECT_EQ(names.size(), 132U);
}

TEST(GridStudy, DistancesOfAnOpenPicture) {
  NavigableGrid open{9, 7, std::vector<uint8_t>(63, 1), 1, {}};
  const auto truth = RasterDistances::make(open);
  ASSERT_TRUE(truth.ok());
  EXPECT_EQ(truth->middle() % 9, 4U);
  EXPECT_EQ(truth->distances()[truth->middle()], 0);
  EXPECT_NEAR(truth->distances()[0], 3 * std::sqrt(2.0) + 1, 1e-9);
  // Squares of one pixel: the graph of centres is the four-neighbourhood.
  GridSettings pixels;
  pixels.maxSide = 1;
  const std::vector<double> over = truth->over(meshOfGrid(open, pixels), HopMetric::kShortest);
  EXPECT_NEAR(over[0], 7, 1e-9);
  // Corners are not cut.
  NavigableGrid diagonal{2, 2, {1, 0, 0, 1}, 1, {}};
  const auto split = RasterDistances::make(diagonal);
  ASSERT_TRUE(split.ok());
  EXPECT_EQ(
      std::count_if(split->distances().begin(), split->distances().end(), [](double d) { return std::isfinite(d); }),
      1);
  // A blocked middle gives way to the nearest free pixel.
  NavigableGrid ring{5, 5, std::vector<uint8_t>(25, 1), 1, {}};
  ring.free[12] = 0;
  const auto around = RasterDistances::make(ring);
  ASSERT_TRUE(around.ok());
  EXPECT_EQ(around->middle(), 7U);
  NavigableGrid blocked{2, 2, {0, 0, 0, 0}, 1, {}};
  EXPECT_EQ(RasterDistances::make(blocked).error().code, ErrorCode::kEmpty);
}

// A picture that is not square: rows and columns are not confused.
TEST(GridStudy, WidthIsNotHeight) {
  NavigableGrid wide{40, 10, std::vector<uint8_t>(400, 1), 1, {}};
  GridSettings single;
  single.seeds = GridSeeds::kSingle;
  const auto grid = growGrid(wide, single);
  ASSERT_TRUE(grid.ok());
  const GridStatistics s = statisticsOf(*grid);
  EXPECT_EQ(s.clusters, 1U);
  EXPECT_EQ(s.meanAspect, 4);
  EXPECT_EQ(s.aspectFactor, 4);
  const auto truth = RasterDistances::make(wide);
  EXPECT_EQ(truth->compare(meshOfGrid(wide, single), HopMetric::kShortest).missed, 0U);
}

// Checks 6, 7 and 15 of the source on several cities: the signs that hold on all of them.
TEST(GridStudy, FineGridsAreMoreExactThanCoarseOnes) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    const RangeCity city = cityOf(seed);
    const auto truth = RasterDistances::make(city.truth);
    ASSERT_TRUE(truth.ok());
    const NavMesh coarse = meshOfGrid(city.truth, named("Sng stack 1d"));
    const NavMesh fine = meshOfGrid(city.truth, named("S16 queue 1d"));
    EXPECT_LT(coarse.cellCount(), fine.cellCount());
    const RasterError coarseError = truth->compare(coarse, HopMetric::kShortest);
    const RasterError fineError = truth->compare(fine, HopMetric::kShortest);
    EXPECT_EQ(coarseError.missed + fineError.missed, 0U);
    EXPECT_LT(fineError.error * 5, coarseError.error) << seed;
    EXPECT_GT(truth->compare(fine, HopMetric::kManhattan).error, fineError.error);
    EXPECT_GT(truth->compare(fine, HopMetric::kManhattan).error, truth->compare(fine, HopMetric::kEuclid).error);
    // Fewer, larger cells with a longer period; and a limit holds.
    uint32_t last = 0;
    for (const char* name : {"S128 queue 1d", "S64 queue 1d", "S32 queue 1d", "S16 queue 1d", "S8 queue 1d"}) {
      const uint32_t cells = meshOfGrid(city.truth, named(name)).cellCount();
      EXPECT_GT(cells, last) << name;
      last = cells;
    }
  }
}

// Tiles multiply triangles, and the mesh stays one.
TEST(GridStudy, TilesAreJoined) {
  const auto environment = makeEnvironment({"grid-city", {{"size", 256}}, 2, {}});
  ASSERT_TRUE(environment.ok());
  const auto truth = RasterDistances::make(cityOf(2).truth);
  ASSERT_TRUE(truth.ok());
  uint32_t last = 0;
  const double area = environment->lattice.area(topology(*environment).doubledArea);
  for (const uint32_t tiles : {1U, 6U, 12U}) {
    const auto mesh = tiledMesh(*environment, {.generator = "delaunay"}, tiles);
    ASSERT_TRUE(mesh.ok()) << mesh.error().message;
    EXPECT_GT(mesh->cellCount(), last);
    last = mesh->cellCount();
    double covered = 0;
    for (CellId cell = 0; cell < mesh->cellCount(); ++cell) covered += cellArea(*mesh, cell);
    EXPECT_NEAR(covered, area, 1e-3);
    EXPECT_EQ(truth->compare(*mesh, HopMetric::kShortest).missed, 0U) << tiles;
  }
  EXPECT_EQ(tiledMesh(*environment, {.generator = "delaunay"}, 0).error().code, ErrorCode::kInvalidSettings);
}

TEST(RangeCity, TruthAndPolygonsAgree) {
  const RangeCity city = cityOf(4, 200);
  EXPECT_EQ(city.buildings.size(), 33U);
  const auto environment = makeEnvironment({"grid-city", {{"size", 200}}, 4, {}});
  ASSERT_TRUE(environment.ok()) << environment.error().message;
  EXPECT_TRUE(validate(*environment).empty());
  EXPECT_EQ(topology(*environment).boundaries, 34U);
  const double free = static_cast<double>(std::count(city.truth.free.begin(), city.truth.free.end(), 1));
  EXPECT_NEAR(free, environment->lattice.area(topology(*environment).doubledArea), 0.02 * free);
}

}  // namespace
}  // namespace wend
