#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/voronoi/voronoi.h"
#include "tests/geometry/random_worlds.h"
#include "tests/geometry/voronoi/inside_laws.h"
#include "tests/geometry/voronoi/voronoi_laws.h"

namespace wend {
namespace {

TEST(VoronoiSlow, ManyWorlds) {
  size_t turned = 0;
  for (uint64_t seed = 0; seed < 50000; ++seed) {
    Random random(seed, 41);
    const int64_t extent = int64_t{1} << random.between(1, 30);
    const SiteWorld world = randomSites(random, extent, random.below(60) + 1);
    const auto result = voronoi(world.segments, world.points);
    ASSERT_TRUE(result.ok()) << "seed " << seed << ": " << result.error().message;
    ASSERT_EQ(findNearerSite(*result), "") << "seed " << seed;
    turned += result->attempts > 1;
  }
  RecordProperty("turned", static_cast<int>(turned));
}

TEST(VoronoiSlow, ManyRooms) {
  EXPECT_GT(testing::expectPartsLikeTheWhole(10000, 60000), 25000U);
}

}  // namespace
}  // namespace wend
