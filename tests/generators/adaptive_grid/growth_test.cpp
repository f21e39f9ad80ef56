#include "generators/adaptive_grid/growth.h"

#include <set>

#include "tests/generators/adaptive_grid/masks.h"

namespace wend {
namespace {

AdaptiveGrid grown(const NavigableGrid& mask, const GridSettings& settings, int threads = 1) {
  Context context;
  context.threads = threads;
  auto grid = growGrid(mask, settings, context);
  EXPECT_TRUE(grid.ok()) << (grid.ok() ? "" : grid.error().message);
  return grid.ok() ? *grid : AdaptiveGrid{};
}

GridSettings single() {
  GridSettings settings;
  settings.seeds = GridSeeds::kSingle;
  return settings;
}

TEST(AdaptiveGridGrowth, EmptyAndBlockedPictures) {
  EXPECT_EQ(growGrid({}).error().code, ErrorCode::kEmpty);
  const AdaptiveGrid blocked = grown(maskOf({"##", "##"}), single());
  EXPECT_TRUE(blocked.clusters.empty());
  EXPECT_TRUE(passagesOf(blocked).empty());
  for (const GridSeeds seeds : {GridSeeds::kBorder, GridSeeds::kRandom, GridSeeds::kSampled}) {
    GridSettings settings;
    settings.seeds = seeds;
    EXPECT_TRUE(grown(maskOf({"#"}), settings).clusters.empty());
  }
}

TEST(AdaptiveGridGrowth, AllFreeIsOneCluster) {
  const AdaptiveGrid grid = grown(maskOf({"...", "..."}), single());
  ASSERT_EQ(grid.clusters.size(), 1U);
  EXPECT_EQ(grid.clusters[0], (GridCluster{0, 0, 1, 2}));
  EXPECT_TRUE(passagesOf(grid).empty());
}

TEST(AdaptiveGridGrowth, OnePixelAndCorridors) {
  EXPECT_EQ(grown(maskOf({"."}), single()).clusters.size(), 1U);
  EXPECT_EQ(grown(maskOf({"........"}), single()).clusters.size(), 1U);
  EXPECT_EQ(grown(maskOf({".", ".", "."}), single()).clusters.size(), 1U);
  EXPECT_EQ(grown(maskOf({"...#...."}), single()).clusters.size(), 2U);
}

TEST(AdaptiveGridGrowth, CornersJoinNothing) {
  GridSettings settings = single();
  settings.coverAll = false;
  const NavigableGrid mask = maskOf({".#", "#."});
  const AdaptiveGrid grid = grown(mask, settings);
  EXPECT_EQ(grid.clusters.size(), 1U);
  EXPECT_EQ(grid.ids[3], 0U);
  settings.coverAll = true;
  const AdaptiveGrid all = grown(mask, settings);
  EXPECT_EQ(all.clusters.size(), 2U);
  EXPECT_TRUE(passagesOf(all).empty());
}

// A run that went on around the blocked corner would leave the pixels below without a seed.
TEST(AdaptiveGridGrowth, EachSideOfTheRingBeginsAnew) {
  GridSettings settings = single();
  settings.coverAll = false;
  settings.maxSide = 2;
  const NavigableGrid mask = maskOf({"..#", "..#", "#.#", "#.."});
  for (const GridContainer container : {GridContainer::kQueue, GridContainer::kStack, GridContainer::kMinHeap,
                                        GridContainer::kMaxHeap, GridContainer::kRounds}) {
    settings.container = container;
    const AdaptiveGrid grid = grown(mask, settings);
    expectCovered(grid, reachable(mask, {0}));
  }
  // The ring of a finished cluster: free pixels on two sides of a corner that is blocked.
  const NavigableGrid ring = maskOf({"....", "...#", ".##.", "...."});
  GridSettings two = single();
  two.coverAll = false;
  two.maxSide = 3;
  expectCovered(grown(ring, two), reachable(ring, {0}));
}

// The shape of the source's figure 4: a finished cluster gives the first free pixel of each run a seed, clockwise.
TEST(AdaptiveGridGrowth, PerimeterSeedsComeClockwise) {
  const NavigableGrid mask = maskOf({
      "#.#.#",  // two runs in the north
      "#...#",  //
      "....#",  // one in the west
      "#....",  // one in the east
      "##.##",  // one in the south
  });
  Context context;
  GridSettings settings = single();
  settings.maxPixels = 9;
  adaptive_grid::Growth growth(5, 5, adaptive_grid::TakenBits(5, 5, mask.free), settings, context);
  growth.addSeed({1, 1});
  ASSERT_TRUE(growth.run());
  ASSERT_EQ(growth.clusters().size(), 6U);
  EXPECT_EQ(growth.clusters()[0].box, (GridCluster{1, 1, 3, 3}));
  const std::vector<std::pair<uint32_t, uint32_t>> wanted{{0, 1}, {0, 3}, {3, 4}, {4, 2}, {2, 0}};
  for (size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_EQ(growth.clusters()[i + 1].box.top, wanted[i].first) << i;
    EXPECT_EQ(growth.clusters()[i + 1].box.left, wanted[i].second) << i;
  }
}

TEST(AdaptiveGridGrowth, DepthFirstIsWideAndBreadthFirstIsCompact) {
  NavigableGrid mask;
  mask.width = 9;
  mask.height = 9;
  mask.free.assign(81, 1);
  GridSettings settings;
  settings.seeds = GridSeeds::kSampled;
  settings.period = 9;
  settings.stopAfter = 5;
  settings.order = {GridDirection::kEast, GridDirection::kSouth, GridDirection::kWest, GridDirection::kNorth};
  EXPECT_EQ(grown(mask, settings).clusters[0], (GridCluster{0, 0, 0, 5}));
  settings.memory = true;
  EXPECT_EQ(grown(mask, settings).clusters[0], (GridCluster{0, 0, 2, 3}));
  settings.memory = false;
  settings.expander = GridExpander::kDiagonal;
  EXPECT_EQ(grown(mask, settings).clusters[0], (GridCluster{0, 0, 5, 5}));
}

TEST(AdaptiveGridGrowth, SeedsOfEachKind) {
  const NavigableGrid mask = maskOf({"#..#.", ".....", "#...#", "....."});
  const auto seeds = [&](GridSettings settings) {
    const adaptive_grid::TakenBits taken(mask.width, mask.height, mask.free);
    std::vector<std::pair<uint32_t, uint32_t>> list;
    for (const auto& p : adaptive_grid::initialSeeds(taken, mask.width, mask.height, settings)) {
      list.emplace_back(p.row, p.column);
    }
    return list;
  };
  using List = std::vector<std::pair<uint32_t, uint32_t>>;
  EXPECT_EQ(seeds(single()), (List{{0, 1}}));
  GridSettings settings;
  settings.seeds =
      GridSeeds::kBorder;  // runs: top 1-2, top right 4 to right 1, right 3 over the bottom to left 3, left 1
  EXPECT_EQ(seeds(settings), (List{{0, 1}, {0, 4}, {3, 4}, {1, 0}}));
  settings.seeds = GridSeeds::kBorderAll;
  EXPECT_EQ(seeds(settings).size(), 10U);
  settings.seeds = GridSeeds::kSampled;
  settings.period = 2;
  EXPECT_EQ(seeds(settings), (List{{0, 2}, {0, 4}, {2, 2}}));
  settings.seeds = GridSeeds::kRandom;
  settings.count = 5;
  const List drawn = seeds(settings);
  EXPECT_EQ(std::set(drawn.begin(), drawn.end()).size(), 5U);
  EXPECT_EQ(seeds(settings), drawn);
  settings.count = 1000;
  EXPECT_EQ(seeds(settings).size(), 16U);
}

TEST(AdaptiveGridGrowth, FreeBorderIsOneSeed) {
  GridSettings border;
  border.seeds = GridSeeds::kBorder;
  const NavigableGrid mask = maskOf({".....", ".###.", ".#.#.", "....."});
  EXPECT_EQ(grown(mask, border).ids, grown(mask, single()).ids);
}

TEST(AdaptiveGridGrowth, LimitsHold) {
  Random random(7);
  for (int i = 0; i < 20; ++i) {
    const NavigableGrid mask = randomMask(random, 40, 30, 0.9);
    GridSettings settings = randomSettings(random);
    settings.maxPixels = 12;
    settings.maxSide = 5;
    settings.merge = true;
    for (const GridCluster& box : grown(mask, settings).clusters) {
      ASSERT_LE(box.pixels(), 12U);
      ASSERT_LE(std::max(box.width(), box.height()), 5U);
    }
  }
}

TEST(AdaptiveGridGrowth, RandomMasksArePartitioned) {
  Random random(1);
  for (int i = 0; i < 600; ++i) {
    const auto width = static_cast<uint32_t>(1 + random.below(20));
    const auto height = static_cast<uint32_t>(1 + random.below(14));
    const NavigableGrid mask = randomMask(random, width, height, random.real(0.3, 0.95));
    const GridSettings settings = randomSettings(random);
    const AdaptiveGrid grid = grown(mask, settings);
    expectPartition(grid, mask);
    std::vector<size_t> from;
    if (settings.coverAll) {
      for (size_t k = 0; k < mask.free.size(); ++k) from.push_back(k);
    } else {
      const adaptive_grid::TakenBits taken(width, height, mask.free);
      for (const auto& p : adaptive_grid::initialSeeds(taken, width, height, settings)) {
        from.push_back(static_cast<size_t>(p.row) * width + p.column);
      }
    }
    expectCovered(grid, reachable(mask, from));
    const std::vector<GridPassage> passages = passagesOf(grid);
    EXPECT_EQ(passages.size(), touchingPairs(grid));
    if (grid.clusters.size() >= 3) {
      EXPECT_LE(passages.size(), 3 * grid.clusters.size() - 6);
    }
    if (HasFailure()) FAIL() << "mask " << i;
  }
}

TEST(AdaptiveGridGrowth, RoundsDoNotDependOnThreads) {
  Random random(3);
  for (int i = 0; i < 10; ++i) {
    const NavigableGrid mask = randomMask(random, 200, 150, 0.97);
    GridSettings settings;
    settings.container = GridContainer::kRounds;
    settings.period = 5;
    settings.memory = i % 2 == 0;
    EXPECT_EQ(grown(mask, settings, 1), grown(mask, settings, 4));
  }
}

TEST(AdaptiveGridGrowth, MergeOnlyJoinsWholeSides) {
  GridSettings settings;
  settings.period = 2;
  settings.merge = true;
  NavigableGrid mask;
  mask.width = 16;
  mask.height = 8;
  mask.free.assign(128, 1);
  EXPECT_EQ(grown(mask, settings).clusters.size(), 1U);
  settings.merge = false;
  EXPECT_GT(grown(mask, settings).clusters.size(), 8U);
}

TEST(AdaptiveGridGrowth, TestsPerPixelStayBounded) {
  Random random(5);
  for (const uint32_t side : {128U, 256U, 512U, 1024U}) {
    const NavigableGrid mask = randomMask(random, side, side, 0.999);
    for (const bool memory : {false, true}) {
      for (const GridSeeds seeds : {GridSeeds::kSingle, GridSeeds::kSampled}) {
        GridSettings settings;
        settings.seeds = seeds;
        settings.memory = memory;
        const AdaptiveGrid grid = grown(mask, settings);
        EXPECT_LE(static_cast<double>(grid.tests), 2.0 * side * side);
      }
    }
  }
}

TEST(AdaptiveGridGrowth, WrongSettingsAreErrors) {
  const NavigableGrid mask = maskOf({"."});
  const auto code = [&](auto change) {
    GridSettings settings;
    change(settings);
    const auto grid = growGrid(mask, settings);
    return grid.ok() ? ErrorCode::kInternal : grid.error().code;
  };
  EXPECT_EQ(code([](GridSettings& s) { s.count = 0; }), ErrorCode::kInvalidSettings);
  EXPECT_EQ(code([](GridSettings& s) { s.period = 0; }), ErrorCode::kInvalidSettings);
  EXPECT_EQ(code([](GridSettings& s) { s.order[1] = GridDirection::kEast; }), ErrorCode::kInvalidSettings);
  EXPECT_EQ(code([](GridSettings& s) {
              s.memory = true;
              s.expander = GridExpander::kSquare;
            }),
            ErrorCode::kInvalidSettings);
  NavigableGrid wrong = mask;
  wrong.width = 2;
  EXPECT_EQ(growGrid(wrong).error().code, ErrorCode::kInvalidSettings);
  wrong.width = kMaxGridSide + 1;
  EXPECT_EQ(growGrid(wrong).error().code, ErrorCode::kLimit);
}

TEST(AdaptiveGridGrowth, RepairKeepsWhatIsNotHit) {
  Random random(11);
  for (int i = 0; i < 200; ++i) {
    NavigableGrid mask = randomMask(random, 24, 18, 0.9);
    GridSettings settings = randomSettings(random);
    settings.coverAll = true;
    settings.merge = false;
    const AdaptiveGrid before = grown(mask, settings);
    const auto top = static_cast<uint32_t>(random.below(18));
    const auto left = static_cast<uint32_t>(random.below(24));
    const GridCluster changed{top, left, std::min(17U, top + 3), std::min(23U, left + 4)};
    for (uint32_t row = changed.top; row <= changed.bottom; ++row) {
      for (uint32_t column = changed.left; column <= changed.right; ++column) {
        mask.free[row * 24 + column] = random.chance(0.5) ? 1 : 0;
      }
    }
    const auto repair = repairGrid(before, mask, changed, settings);
    ASSERT_TRUE(repair.ok());
    expectPartition(repair->grid, mask);
    expectCovered(repair->grid, mask.free);
    ASSERT_EQ(repair->grid.clusters.size(), before.clusters.size() - repair->removed + repair->added);
    uint32_t last = 0;
    for (size_t k = 0; k < before.clusters.size(); ++k) {
      const uint32_t now = repair->newOfOld[k];
      if (now == kNone) continue;
      ASSERT_EQ(repair->grid.clusters[now], before.clusters[k]);
      ASSERT_TRUE(k == 0 || now >= last);
      last = now;
    }
  }
}

}  // namespace
}  // namespace wend
