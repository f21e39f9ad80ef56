#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/environment/extract/hand_made.h"

namespace wend {
namespace {

using testing::areaOf;
using testing::SceneMaker;

// What both methods owe their callers: bad input is a typed error, and plain input comes out as plain geometry.
class BothMethods : public ::testing::TestWithParam<ExtractMethod> {
 protected:
  static constexpr double kPixel = 0.05;

  static Result<Extraction> run(const Scene& scene, const std::function<void(ExtractSettings&)>& change = {}) {
    ExtractSettings settings;
    settings.method = GetParam();
    settings.voxel.resolution = kPixel;
    settings.minArea = 0.001;
    if (change) change(settings);
    Result<Extraction> result = extract(scene, settings);
    if (result.ok()) {
      for (const Violation& v : validate(result->environment, 3)) ADD_FAILURE() << v.message;
    }
    return result;
  }
  // Voxels are right within a pixel along the border.
  static double slack(double perimeter) { return GetParam() == ExtractMethod::kExact ? 1e-6 : kPixel * perimeter; }
  static double heightSlack() { return GetParam() == ExtractMethod::kExact ? 1e-4 : 0.02; }
};

TEST_P(BothMethods, NothingWalkableIsAnError) {
  EXPECT_EQ(run(Scene{}).error().code, ErrorCode::kEmpty);
  SceneMaker walls;
  walls.wall(0, 0, 5, 0, 0, 3);
  EXPECT_EQ(run(walls.scene).error().code, ErrorCode::kEmpty);
  SceneMaker below;
  below.quad({0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0});
  EXPECT_EQ(run(below.scene).error().code, ErrorCode::kEmpty);
  EXPECT_TRUE(run(below.scene, [](ExtractSettings& s) { s.twoSided = true; }).ok());
}

TEST_P(BothMethods, OneTriangle) {
  SceneMaker m;
  m.triangle({0, 0, 0}, {2, 0, 0}, {0, 2, 1});
  const auto result = run(m.scene);
  ASSERT_TRUE(result.ok());
  EXPECT_NEAR(areaOf(*result), 2, slack(6.9));
  const Vec2 at = result->environment.lattice.toUnits({0.3, 1});
  EXPECT_NEAR(result->environment.layers[0].heights.at(at), 0.5, heightSlack());
}

TEST_P(BothMethods, BadVerticesAreTypedErrors) {
  SceneMaker m;
  m.floor(0, 0, 1, 1, 0);
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    m.scene.vertices[2].z = bad;
    EXPECT_EQ(run(m.scene).error().code, ErrorCode::kInvalidGeometry);
  }
  m.scene.vertices[2].z = 2e5;
  EXPECT_EQ(run(m.scene).error().code, ErrorCode::kOutsideLattice);
  m.scene.vertices[2] = {107374.19, 1, 0};
  EXPECT_EQ(run(m.scene).error().code, ErrorCode::kOutsideLattice);
  m.scene.vertices[2] = {1, 1, 0};
  m.scene.triangles[0].vertices[1] = 99;
  EXPECT_EQ(run(m.scene).error().code, ErrorCode::kInvalidGeometry);
}

// Of several bad vertices the first is named, whichever thread comes upon it.
TEST_P(BothMethods, TheFirstBadVertexIsNamed) {
  SceneMaker m;
  for (int i = 0; i < 5000; ++i) m.floor(i, 0, i + 1, 1, 0);
  m.scene.vertices[29000].x = 1e9;
  m.scene.vertices[777].y = std::nan("");
  m.scene.vertices[15000].z = -1e9;
  const auto result = run(m.scene);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kInvalidGeometry);
  EXPECT_NE(result.error().message.find("vertex 777 "), std::string::npos) << result.error().message;
}

TEST_P(BothMethods, SettingsAreChecked) {
  SceneMaker m;
  m.floor(0, 0, 1, 1, 0);
  for (const auto& change : std::vector<std::function<void(ExtractSettings&)>>{
           [](ExtractSettings& s) { s.height = 0; }, [](ExtractSettings& s) { s.step = 2; },
           [](ExtractSettings& s) { s.step = -1; }, [](ExtractSettings& s) { s.slope = 90; },
           [](ExtractSettings& s) { s.gap = std::nan(""); }, [](ExtractSettings& s) { s.minArea = -1; },
           [](ExtractSettings& s) { s.lattice.unit = 1e-7; }}) {
    EXPECT_EQ(run(m.scene, change).error().code, ErrorCode::kInvalidSettings);
  }
}

TEST_P(BothMethods, FarFromTheOrigin) {
  SceneMaker m;
  m.floor(0, 0, 10, 10, 0);
  m.box(4, 4, 6, 6, 0, 1);
  const auto result = run(testing::rotated(m.scene, 0, {100000, -100000, 1000}));
  ASSERT_TRUE(result.ok());
  EXPECT_NEAR(areaOf(*result), 100, slack(56));
}

TEST_P(BothMethods, SeedPointsKeepWhatIsReached) {
  const Scene scene = testing::smallScenes()[3].scene;  // a tall box: floor, roof, and floor inside
  const auto reached = run(scene, [](ExtractSettings& s) { s.seedPoints = {{1, 1, 0.2}}; });
  ASSERT_TRUE(reached.ok());
  EXPECT_NEAR(areaOf(*reached), 96, slack(48));
  EXPECT_EQ(reached->report.components, 1U);
  const auto roof = run(scene, [](ExtractSettings& s) { s.seedPoints = {{5, 5, 5.1}}; });
  ASSERT_TRUE(roof.ok());
  EXPECT_NEAR(areaOf(*roof), 4, slack(8));
  EXPECT_LT(roof->report.pixels, 2000U);  // the floor was not even drawn
  EXPECT_EQ(run(scene, [](ExtractSettings& s) { s.seedPoints = {{50, 5, 0}}; }).error().code, ErrorCode::kNotOnMesh);
  EXPECT_EQ(run(scene, [](ExtractSettings& s) { s.seedPoints = {{1, 1, 9}}; }).error().code, ErrorCode::kNotOnMesh);
}

TEST_P(BothMethods, HeightsFollowTheScene) {
  const Scene scene = testing::smallScenes()[24].scene;  // a ramp from the floor to a box
  const auto result = run(scene);
  ASSERT_TRUE(result.ok());
  const HeightField& heights = result->environment.layers[0].heights;
  const Lattice lattice = result->environment.lattice;
  EXPECT_NEAR(heights.at(lattice.toUnits({1, 1})), 0, 1e-4);
  EXPECT_NEAR(heights.at(lattice.toUnits({4, 5})), 0.5, heightSlack());
  EXPECT_NEAR(heights.at(lattice.toUnits({7, 5})), 1, 1e-4);
}

TEST_P(BothMethods, LabelsBecomeRegions) {
  SceneMaker m;
  m.floor(0, 0, 5, 10, 0);
  m.floor(5, 0, 10, 10, 0);
  m.scene.labels = {"", "grass"};
  m.scene.triangles[2].label = m.scene.triangles[3].label = 1;
  const auto result = run(m.scene);
  ASSERT_TRUE(result.ok());
  ASSERT_EQ(result->environment.layers.size(), 1U);
  const Layer& layer = result->environment.layers[0];
  ASSERT_EQ(layer.regions.size(), 1U);
  EXPECT_EQ(layer.regions[0].label, "grass");
  EXPECT_NEAR(polygonArea(layer.regions[0].area, result->environment.lattice), 50, slack(30));
  EXPECT_EQ(layer.free.size(), 1U);
}

// A bridge over a path, both reached from one ground: the surface overlaps itself, and connections join its layers.
TEST_P(BothMethods, BridgeOverAPath) {
  SceneMaker m;
  m.floor(0, 0, 30, 10, 0);
  m.quad({2, 4, 0}, {12, 4, 3}, {12, 6, 3}, {2, 6, 0});
  m.floor(12, 4, 18, 6, 3);
  m.quad({18, 4, 3}, {28, 4, 0}, {28, 6, 0}, {18, 6, 3});
  for (const double angle : {0.0, 23.0}) {
    const auto result = run(testing::rotated(m.scene, angle));
    ASSERT_TRUE(result.ok());
    EXPECT_TRUE(result->report.spots.empty());
    EXPECT_EQ(result->environment.layers.size(), 2U);
    EXPECT_EQ(result->environment.connections.size(), 2U);  // at the foot of either ramp
    EXPECT_EQ(topology(result->environment).components, 1U);
    // Ground without the ramps' feet up to head room, and the bridge from end to end.
    EXPECT_NEAR(areaOf(*result), 300 + 2 * (26 - 2 * 6.67), 0.05 + slack(150));
  }
}

TEST_P(BothMethods, CancelStopsAtEveryStage) {
  SceneMaker m;
  m.floor(0, 0, 10, 10, 0);
  m.box(4, 4, 6, 6, 0, 1);
  const int stages = GetParam() == ExtractMethod::kExact ? 6 : 8;
  for (int stage = 0; stage <= stages; ++stage) {
    Context context;
    int calls = 0;
    context.onProgress = [&](std::string_view, double) {
      if (++calls == stage) context.cancel();
    };
    if (stage == 0) context.cancel();
    ExtractSettings settings;
    settings.method = GetParam();
    const auto result = extract(m.scene, settings, context);
    ASSERT_FALSE(result.ok()) << stage;
    EXPECT_EQ(result.error().code, ErrorCode::kCancelled) << stage;
  }
}

INSTANTIATE_TEST_SUITE_P(Extract, BothMethods, ::testing::Values(ExtractMethod::kExact, ExtractMethod::kVoxel),
                         [](const auto& method) { return method.param == ExtractMethod::kExact ? "exact" : "voxel"; });

}  // namespace
}  // namespace wend
