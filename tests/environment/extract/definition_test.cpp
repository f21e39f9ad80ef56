#include "tests/environment/extract/definition.h"

#include <wend/make_scene.h>

#include "tests/data.h"
#include "tests/environment/extract/hand_made.h"
#include "tests/environment/extract/random_soup.h"

namespace wend {
namespace {

// Turned and moved by amounts that the seed tells; 0 leaves the scene as it is.
Scene moved(const Scene& scene, uint64_t seed) {
  if (seed == 0) return scene;
  Random random(seed);
  const double angle = random.real(0, 360);
  return testing::rotated(scene, angle, {random.real(-50, 50), random.real(-50, 50), random.real(-10, 10)});
}

TEST(ExtractDefinition, HoldsInMadeScenes) {
  for (const SceneKind& kind : sceneKinds()) {
    if (kind.name == "city-block" || kind.name == "stadium") continue;  // as office, and slow
    const Result<MadeScene> made = makeScene({kind.name, {}, 1});
    ASSERT_TRUE(made.ok());
    for (const uint64_t seed : {0, 1}) {
      SCOPED_TRACE(kind.name + ", seed " + std::to_string(seed));
      const auto tally = testing::expectPlacesOf(moved(made->scene, seed), {}, seed, 500);
      EXPECT_GT(tally.free + tally.blocked, 0);
    }
  }
}

// One of its stairs stands on the edge of a floor, and rounding crosses the two here.
TEST(ExtractDefinition, HoldsInAStationWithAStairOnTheEdge) {
  const Scene station = makeScene({"station", {}, 1}).value().scene;
  const auto tally = testing::expectPlacesOf(moved(station, 3), {}, 3, 4000);
  EXPECT_GT(tally.free, 1000);
  EXPECT_GT(tally.blocked, 500);
}

TEST(ExtractDefinition, HoldsInRealScenes) {
  for (const char* name : {"nav_test.obj", "dungeon.obj"}) {
    SCOPED_TRACE(name);
    const std::string file = dataFile(std::string("scenes/") + name);
    if (file.empty()) GTEST_SKIP() << "skipped: no data";
    const Result<Scene> scene = readScene(file);
    ASSERT_TRUE(scene.ok());
    for (uint64_t seed = 0; seed < 3; ++seed) {
      const auto tally = testing::expectPlacesOf(moved(*scene, seed), {}, seed, 2000);
      EXPECT_GT(tally.free, 500);
      EXPECT_GT(tally.blocked, 20);
    }
  }
}

TEST(ExtractDefinition, HoldsInSoups) {
  testing::PlaceTally sum;
  for (uint64_t seed = 1; seed <= 100 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const auto [scene, settings] = testing::randomSoupCase(seed, 77, [](Random&, ExtractSettings&) {});
    const auto tally = testing::expectPlacesOf(scene, settings, seed, 500);
    sum.free += tally.free;
    sum.blocked += tally.blocked;
  }
  EXPECT_GT(sum.free, 2000);
  EXPECT_GT(sum.blocked, 3000);
}

}  // namespace
}  // namespace wend
