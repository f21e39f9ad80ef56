#include <set>

#include "generators/adaptive_grid/growth.h"
#include "tests/generators/adaptive_grid/masks.h"
#include "tests/generators/laws.h"

namespace wend {
namespace {

// 20,000 random masks: the partition is exact, everything reachable is covered, the graph is planar, the mesh is exact.
TEST(AdaptiveGridMasks, TwentyThousand) {
  Random random(20);
  for (int i = 0; i < 20000; ++i) {
    const auto width = static_cast<uint32_t>(1 + random.below(14));
    const auto height = static_cast<uint32_t>(1 + random.below(14));
    const NavigableGrid mask = randomMask(random, width, height, random.real(0.3, 0.95));
    GridSettings settings = randomSettings(random);
    settings.coverAll = false;
    const auto grid = growGrid(mask, settings);
    ASSERT_TRUE(grid.ok());
    expectPartition(*grid, mask);
    std::vector<size_t> from;
    const adaptive_grid::TakenBits taken(width, height, mask.free);
    for (const auto& p : adaptive_grid::initialSeeds(taken, width, height, settings)) {
      from.push_back(static_cast<size_t>(p.row) * width + p.column);
    }
    expectCovered(*grid, reachable(mask, from));
    const std::vector<GridPassage> passages = passagesOf(*grid);
    ASSERT_EQ(passages.size(), touchingPairs(*grid));
    if (grid->clusters.size() >= 3) {
      ASSERT_LE(passages.size(), 3 * grid->clusters.size() - 6);
    }
    if (i % 10 == 0 && std::count(mask.free.begin(), mask.free.end(), 1) > 0) {
      const auto environment = gridEnvironment(mask);
      ASSERT_TRUE(environment.ok());
      GenerateSettings generateSettings;
      generateSettings.generator = "adaptive-grid";
      generateSettings.options = {{"pixel", "1"}, {"seed-period", "3"}};
      const auto mesh = generate(*environment, generateSettings);
      ASSERT_TRUE(mesh.ok()) << mesh.error().message;
      expectTruth(*mesh, *environment);
    }
    if (HasFailure()) FAIL() << "mask " << i;
  }
}

}  // namespace
}  // namespace wend
