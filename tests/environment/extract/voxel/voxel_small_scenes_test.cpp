#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "tests/environment/extract/component_areas.h"
#include "tests/environment/extract/hand_made.h"
#include "tests/environment/extract/perimeter.h"

namespace wend {
namespace {

using testing::areasOf;
using testing::Expected;
using testing::perimeterOf;

constexpr double kSmallResolution = 0.025;

// Columns of voxels that a turn of the spiral ends within belong to one layer: what is left of the last turn may need
// one more.
uint32_t mostLayers(const Expected& expected) {
  return expected.mostLayers + (expected.name == "S23 spiral" ? 1 : 0);
}

class VoxelSmallScenes : public ::testing::TestWithParam<size_t> {};

// The scenes of the exact method, with the same areas but for a pixel along the borders.
TEST_P(VoxelSmallScenes, AreHandComputed) {
  const Expected expected = testing::smallScenes()[GetParam()];
  Random random(GetParam());
  for (const double angle : {0.0, 17.0, 45.0, random.real(0, 360)}) {
    const std::string where = fmt::format("{} at {} degrees", expected.name, angle);
    ExtractSettings settings;
    settings.method = ExtractMethod::kVoxel;
    settings.voxel.resolution = kSmallResolution;
    settings.minArea = 0.1;
    settings.insides = true;
    const Result<Extraction> result = extract(testing::rotated(expected.scene, angle), settings);
    ASSERT_TRUE(result.ok()) << where << ": " << result.error().message;
    const Environment& environment = result->environment;
    testing::checkAreas(*result, expected.areas, perimeterOf(environment) * kSmallResolution, where);
    EXPECT_GE(environment.layers.size(), expected.leastLayers) << where;
    EXPECT_LE(environment.layers.size(), mostLayers(expected)) << where;
    const size_t connections = expected.connections == 0 ? 0 : environment.layers.size() - 1;
    EXPECT_EQ(environment.connections.size(), connections) << where;
  }
}

INSTANTIATE_TEST_SUITE_P(Spec, VoxelSmallScenes, ::testing::Range<size_t>(0, 32),
                         [](const auto& scene) { return testing::testName(testing::smallScenes()[scene.param]); });

}  // namespace
}  // namespace wend
