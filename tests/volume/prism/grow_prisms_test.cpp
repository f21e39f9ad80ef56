#include <queue>
#include <set>

#include <wend/volume/prism_grid.h>

#include <gtest/gtest.h>

#include "base/random.h"

namespace wend {
namespace {

VoxelGrid noise(Random& random, uint32_t x, uint32_t y, uint32_t z, double share) {
  VoxelGrid grid;
  grid.size = {x, y, z};
  for (uint32_t i = 0; i < x * y * z; ++i) grid.free.push_back(random.chance(share) ? 1 : 0);
  return grid;
}

TEST(PrismGrid, OpenSpaceIsOnePrism) {
  VoxelGrid grid{{4, 3, 5}, std::vector<uint8_t>(60, 1), 0.5, {1, 2, 3}};
  const auto prisms = growPrisms(grid, {.period = 0});
  ASSERT_TRUE(prisms.ok());
  ASSERT_EQ(prisms->prisms.size(), 1U);
  EXPECT_EQ(prisms->prisms[0].voxels(), 60U);
  EXPECT_EQ(prisms->locate({1.1, 2.1, 3.1}), 0U);
  EXPECT_EQ(prisms->locate({0.9, 2.1, 3.1}), kNone);
  EXPECT_EQ(sliceOf(*prisms, 0).size(), 12U);
  EXPECT_TRUE(passagesOf(*prisms).empty());
}

TEST(PrismGrid, RandomVoxelsArePartitioned) {
  Random random(1);
  for (int i = 0; i < 150; ++i) {
    const VoxelGrid grid =
        noise(random, 1 + static_cast<uint32_t>(random.below(8)), 1 + static_cast<uint32_t>(random.below(8)),
              1 + static_cast<uint32_t>(random.below(6)), random.real(0.4, 0.95));
    PrismSettings settings;
    settings.period = static_cast<uint32_t>(random.below(5));
    settings.memory = random.chance(0.5);
    if (random.chance(0.3)) settings.maxVoxels = 1 + random.below(12);
    const auto prisms = growPrisms(grid, settings);
    ASSERT_TRUE(prisms.ok());
    std::vector<uint64_t> count(prisms->prisms.size(), 0);
    for (size_t v = 0; v < grid.free.size(); ++v) {
      ASSERT_EQ(prisms->ids[v] != 0, grid.free[v] != 0);
      if (prisms->ids[v] != 0) ++count[prisms->ids[v] - 1];
    }
    for (size_t p = 0; p < count.size(); ++p) {
      ASSERT_EQ(count[p], prisms->prisms[p].voxels());
      if (settings.maxVoxels > 0) {
        ASSERT_LE(count[p], settings.maxVoxels);
      }
    }
    // Every pair of touching prisms is one passage, and no other.
    std::set<std::pair<uint32_t, uint32_t>> wanted;
    const auto [w, d, h] = grid.size;
    for (uint32_t z = 0; z < h; ++z) {
      for (uint32_t y = 0; y < d; ++y) {
        for (uint32_t x = 0; x < w; ++x) {
          const uint32_t here = prisms->ids[grid.index(x, y, z)];
          const auto add = [&](uint32_t other) {
            if (here != 0 && other != 0 && here != other) wanted.insert(std::minmax(here - 1, other - 1));
          };
          if (x + 1 < w) add(prisms->ids[grid.index(x + 1, y, z)]);
          if (y + 1 < d) add(prisms->ids[grid.index(x, y + 1, z)]);
          if (z + 1 < h) add(prisms->ids[grid.index(x, y, z + 1)]);
        }
      }
    }
    std::set<std::pair<uint32_t, uint32_t>> found;
    for (const PrismPassage& p : passagesOf(*prisms)) {
      ASSERT_TRUE(p.low[0] < p.high[0] && p.low[1] < p.high[1]);
      ASSERT_TRUE(found.insert(std::minmax(p.from, p.to)).second);
    }
    ASSERT_EQ(found, wanted);
  }
}

// A wall with a window in the upper storey: the only way is over it.
TEST(PrismGrid, PathGoesThroughTheWindow) {
  VoxelGrid grid{{9, 3, 3}, std::vector<uint8_t>(81, 1), 1, {}};
  for (uint32_t z = 0; z < 3; ++z) {
    for (uint32_t y = 0; y < 3; ++y) grid.free[grid.index(4, y, z)] = y == 1 && z == 2 ? 1 : 0;
  }
  const auto prisms = growPrisms(grid, {.period = 3});
  ASSERT_TRUE(prisms.ok());
  const auto passages = passagesOf(*prisms);
  const auto path = pathOf(*prisms, passages, {0.5, 0.5, 0.5}, {8.5, 2.5, 0.5});
  ASSERT_GE(path.size(), 3U);
  const uint32_t window = prisms->locate({4.5, 1.5, 2.5});
  EXPECT_NE(std::find(path.begin(), path.end(), window), path.end());
  EXPECT_TRUE(pathOf(*prisms, passages, {0.5, 0.5, 0.5}, {4.5, 0.5, 0.5}).empty());
  EXPECT_EQ(growPrisms({}).error().code, ErrorCode::kLimit);
}

}  // namespace
}  // namespace wend
