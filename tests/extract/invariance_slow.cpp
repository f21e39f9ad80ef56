#include "data.h"
#include "extract/invariance.h"

namespace wend {
namespace {

TEST(ExtractSoak, SmallScenesAreInvariant) {
  for (const testing::Expected& expected : testing::smallScenes()) {
    SCOPED_TRACE(expected.name);
    testing::expectSameAnywhere(expected.scene, 1e-4, 200, 1000);
  }
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
