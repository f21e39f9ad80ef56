#include <wend/environment.h>
#include <wend/image/range_image.h>

#include <gtest/gtest.h>

namespace wend {
namespace {

NavigableSettings lidarSettings() {
  NavigableSettings settings;
  settings.lidar = true;
  settings.median = 5;
  settings.window = 101;
  return settings;
}

// Check 17: a noisy range image has the topology of the city it was made from.
TEST(Lidar, TopologyOfTheCitySurvivesNoise) {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    RangeCitySettings made;
    made.pixels = 384;
    made.fill = 0.28;  // streets of at least seven pixels: the filters close what is narrower than three
    made.lidar = true;
    made.seed = seed;
    const auto city = makeRangeCity(made);
    ASSERT_TRUE(city.ok());
    // Larger than the largest roof, 2 * 0.28 * 1.2 * 64 pixels and a little for its turn, and no more: the ground rises
    // by 0.9 m over half of it, less than the tolerance of 1.5 m.
    NavigableSettings settings = lidarSettings();
    settings.window = 61;
    const auto report = extractNavigable(city->image, settings);
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_GT(report->noReturn, 0U);
    const auto found = gridEnvironment(report->grid);
    const auto truth = gridEnvironment(city->truth);
    ASSERT_TRUE(found.ok() && truth.ok());
    EXPECT_EQ(topology(*found).components, topology(*truth).components) << seed;
    EXPECT_EQ(topology(*found).boundaries, topology(*truth).boundaries) << seed;
    // Streets are streets, roofs are roofs, but for a seam of two pixels.
    uint64_t wrong = 0;
    for (uint32_t row = 3; row + 3 < 384; ++row) {
      for (uint32_t column = 3; column + 3 < 384; ++column) {
        bool allFree = true;
        bool allBlocked = true;
        for (int dy = -3; dy <= 3; ++dy) {
          for (int dx = -3; dx <= 3; ++dx) {
            const bool free = city->truth.isFree(row + static_cast<uint32_t>(dy), column + static_cast<uint32_t>(dx));
            allFree = allFree && free;
            allBlocked = allBlocked && !free;
          }
        }
        if (allFree && !report->grid.isFree(row, column)) ++wrong;
        if (allBlocked && report->grid.isFree(row, column)) ++wrong;
      }
    }
    EXPECT_LE(wrong, 384U * 384U / 500) << seed;
  }
}

// A plain threshold cannot tell a street on a hill from a roof in the valley; a window smaller than a roof cannot
// either.
TEST(Lidar, WindowMustBeLargerThanARoof) {
  RangeCitySettings made;
  made.pixels = 384;
  made.lidar = true;
  const auto city = makeRangeCity(made);
  ASSERT_TRUE(city.ok());
  NavigableSettings settings = lidarSettings();
  const auto good = extractNavigable(city->image, settings);
  ASSERT_TRUE(good.ok());
  settings.window = 9;
  settings.tolerance = 1;
  const auto small = extractNavigable(city->image, settings);
  ASSERT_TRUE(small.ok());
  const auto count = [](const NavigableGrid& grid) { return std::count(grid.free.begin(), grid.free.end(), 1); };
  EXPECT_GT(count(small->grid), count(good->grid) * 5 / 4);  // roofs are taken for ground
}

// Closing by more than half of a street closes the street.
TEST(Lidar, ClosingMustBeSmallerThanAStreet) {
  RangeImage image{60, 40, 1, {}, false, std::vector<int32_t>(2400, 0)};
  for (uint32_t row = 0; row < 40; ++row) {
    for (uint32_t column = 0; column < 60; ++column) {
      const bool street = column >= 27 && column < 33;
      if (row >= 10 && row < 30 && !street && column > 5 && column < 55) image.heights[row * 60 + column] = 9000;
    }
  }
  NavigableSettings settings;
  settings.minArea = 1;
  const auto open = extractNavigable(image, settings);
  ASSERT_TRUE(open.ok());
  EXPECT_TRUE(open->grid.isFree(20, 30));
  settings.closing = 9;
  const auto shut = extractNavigable(image, settings);
  ASSERT_TRUE(shut.ok());
  EXPECT_FALSE(shut->grid.isFree(20, 30));
}

}  // namespace
}  // namespace wend
