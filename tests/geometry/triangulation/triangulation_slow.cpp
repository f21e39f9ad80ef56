#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/triangulation/triangulation.h"
#include "tests/geometry/random_worlds.h"
#include "tests/geometry/triangulation/triangulation_laws.h"

namespace wend {
namespace {

TEST(TriangulateSlow, ManyWorlds) {
  for (uint64_t seed = 0; seed < 400000; ++seed) {
    Random random(seed, 31);
    const int64_t extent = int64_t{1} << random.between(1, 28);
    const PlanarWorld world = randomPlanarWorld(random, extent, random.below(30) + 1, random.below(30), false);
    const auto result = triangulate(world.points, world.edges);
    ASSERT_TRUE(result.ok()) << "seed " << seed << ": " << result.error().message;
    ASSERT_EQ(findFault(world.points, world.edges, *result), "") << "seed " << seed;
    ASSERT_EQ(findVisiblePoint(*result), "") << "seed " << seed;
  }
}

// Regular input in every order of difficulty: none may take long.
TEST(TriangulateSlow, AMillionPoints) {
  Random random(1);
  std::vector<Point> scattered;
  std::vector<Point> grid;
  std::vector<Point> parabola;
  for (int32_t i = 0; i < 1000000; ++i) {
    scattered.push_back({static_cast<int32_t>(random.below(2000000)), static_cast<int32_t>(random.below(2000000))});
    grid.push_back({i % 1000 * 10, i / 1000 * 10});
  }
  for (int32_t i = 1; i < 32000; ++i) parabola.push_back({i, i * i});
  for (const auto& points : {scattered, grid, parabola}) {
    const auto result = triangulate(points, {});
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(findFault(points, {}, *result), "");
  }
}

}  // namespace
}  // namespace wend
