#include <wend/make_scene.h>

#include "data.h"
#include "extract/invariance.h"
#include "extract/random_bridge.h"

namespace wend {
namespace {

TEST(ExtractSoak, SmallScenesAreInvariant) {
  for (const testing::Expected& expected : testing::smallScenes()) {
    SCOPED_TRACE(expected.name);
    testing::expectSameAnywhere(expected.scene, 1e-4, 200, 1000);
  }
}

TEST(ExtractSoak, MadeScenesAreInvariant) {
  for (const auto& [kind, seeds] : {std::pair("station", 200),
                                    {"spiral", 200},
                                    {"terrain", 300},
                                    {"office", 60},
                                    {"house", 30},
                                    {"stadium", 6},
                                    {"city-block", 6}}) {
    SCOPED_TRACE(kind);
    testing::expectSameAnywhere(makeScene({kind, {}, 1}).value().scene, 0.1, 50, static_cast<uint64_t>(seeds));
  }
}

// Where ground and deck cross within millimetres of each other, tolerances meet: one run in 500 differs. Two scenes
// have places that are given up and reported.
TEST(ExtractSoak, BridgesOverBumpsAreInvariant) {
  int runs = 0;
  int different = 0;
  for (uint64_t scene = 0; scene < 800; ++scene) {
    if (scene == 578 || scene == 776) continue;
    const Scene bridge = testing::bridgeOverBumps(scene);
    const testing::Outcome before = testing::outcomeOf(bridge, 0.1);
    for (uint64_t seed = 0; seed < 12; ++seed) {
      const testing::Outcome after = testing::outcomeOf(testing::elsewhere(bridge, 50, seed), 0.1);
      ++runs;
      different += testing::same(before, after) ? 0 : 1;
    }
  }
  EXPECT_LE(different * 200, runs) << different << " of " << runs;
}

TEST(ExtractSoak, RealScenesAreInvariant) {
  for (const char* name : {"nav_test.obj", "dungeon.obj"}) {
    SCOPED_TRACE(name);
    const std::string file = dataFile(std::string("scenes/") + name);
    if (file.empty()) GTEST_SKIP() << "skipped: no data";
    const Result<Scene> scene = readScene(file);
    ASSERT_TRUE(scene.ok());
    testing::expectSameAnywhere(*scene, 0.25, 100, 200);
  }
}

}  // namespace
}  // namespace wend
