#include <wend/scene.h>

#include <gtest/gtest.h>

#include "tests/data.h"
#include "tests/volume/check_grown.h"

namespace wend {
namespace {

// 2,000 scenes of boxes, ramps and stairs; every fourth is turned.
TEST(VolumeWorldsLongest, TwoThousandScenesAreFilledExactly) {
  for (uint64_t seed = 1000; seed < 3000; ++seed) {
    test::checkRandomScene(seed, seed % 4 == 0 ? 17 : 0);
    if (HasFailure()) return;
  }
}

TEST(VolumeWorldsLongest, ARealSceneIsFilledExactly) {
  const std::string file = dataFile("scenes/nav_test.obj");
  if (file.empty()) GTEST_SKIP() << "skipped: no data";
  const auto scene = readScene(file);
  ASSERT_TRUE(scene.ok());
  const auto grown = growVolumes(*scene);
  ASSERT_TRUE(grown.ok()) << grown.error().message;
  EXPECT_TRUE(checkVolumes(grown->mesh, 3).empty());
  EXPECT_GT(grown->mesh.cellCount(), 100U);
}

}  // namespace
}  // namespace wend
