#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/environment/extract/component_areas.h"
#include "tests/environment/extract/hand_made.h"

namespace wend {
namespace {

using testing::areasOf;
using testing::Expected;
using testing::holesOf;

ExtractSettings keepAll() {
  ExtractSettings settings;
  settings.minArea = 0.0001;
  settings.insides = true;
  return settings;
}

class SmallScenes : public ::testing::TestWithParam<size_t> {};

TEST_P(SmallScenes, AreHandComputed) {
  const Expected expected = testing::smallScenes()[GetParam()];
  for (const double angle : {0.0, 17.0, 33.3, 61.7, 90.0, 123.4}) {
    const std::string where = fmt::format("{} at {} degrees", expected.name, angle);
    const Result<Extraction> result = extract(testing::rotated(expected.scene, angle), keepAll());
    ASSERT_TRUE(result.ok()) << where << ": " << result.error().message;
    testing::checkAreas(*result, expected.areas, expected.tolerance, where);
    const Environment& environment = result->environment;
    EXPECT_GE(environment.layers.size(), expected.leastLayers) << where;
    EXPECT_LE(environment.layers.size(), expected.mostLayers) << where;
    EXPECT_EQ(environment.connections.size(), expected.connections) << where;
    EXPECT_EQ(holesOf(environment), expected.holes) << where;
  }
}

// Closing the neck beside an edge that was cut along another one leaves a jag of a few units, by the angle.
TEST(Extract, JagsPartNothing) {
  for (const size_t scene : {14U, 21U, 29U}) {
    const Expected expected = testing::smallScenes()[scene];
    for (int k = 0; k < 100; ++k) {
      const double angle = std::fmod(137.50776405 * k, 360);
      const Result<Extraction> result =
          extract(testing::rotated(expected.scene, angle, {0.001 * k, 0.0017 * k, 0}), keepAll());
      ASSERT_TRUE(result.ok());
      EXPECT_EQ(areasOf(result->environment).size(), expected.areas.size()) << expected.name << " at " << angle;
      EXPECT_TRUE(result->report.spots.empty()) << expected.name << " at " << angle;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Spec, SmallScenes, ::testing::Range<size_t>(0, 32),
                         [](const auto& scene) { return testing::testName(testing::smallScenes()[scene.param]); });

}  // namespace
}  // namespace wend
