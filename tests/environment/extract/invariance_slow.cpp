#include <cstdio>
#include <set>

#include <wend/make_scene.h>

#include "tests/data.h"
#include "tests/environment/extract/invariance.h"
#include "tests/environment/extract/random_bridge.h"
#include "tests/environment/extract/random_yard.h"

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

// How many of some random scenes, each turned, moved and triangulated anew in so many ways, do not come out the same.
template <typename Make>
void expectFewDiffer(const Make& make, uint64_t scenes, uint64_t ways, int oneIn, std::set<uint64_t> without) {
  int runs = 0;
  int different = 0;
  for (uint64_t seed = 0; seed < scenes; ++seed) {
    if (without.contains(seed)) continue;
    SCOPED_TRACE(seed);
    const Scene scene = make(seed);
    const testing::Outcome before = testing::outcomeOf(scene, 0.1);
    for (uint64_t way = 0; way < ways; ++way) {
      const testing::Outcome after = testing::outcomeOf(testing::elsewhere(scene, 50, way), 0.1);
      ++runs;
      different += testing::same(before, after) ? 0 : 1;
    }
  }
  std::printf("%d of %d differ\n", different, runs);
  EXPECT_LE(different * oneIn, runs);
}

// Where ground and deck cross within millimetres of each other, tolerances meet: one run in 500 differs. Two scenes
// have places that are given up and reported.
TEST(ExtractSoak, BridgesOverBumpsAreInvariant) {
  expectFewDiffer(testing::bridgeOverBumps, 800, 30, 300, {578, 776});
}

// One run in 480 has another number of boundaries; areas agree within 1e-7, and components always. These are places
// where the end of a filled crack meets a floor beside which nothing may be crossed (docs/notes/extraction.md, Known
// flaw).
TEST(ExtractSoak, YardsAreInvariant) {
  expectFewDiffer(testing::randomYard, 400, 12, 400, {109});
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
