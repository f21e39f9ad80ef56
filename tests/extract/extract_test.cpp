#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "extract/hand_made.h"

namespace wend {
namespace {

using testing::SceneMaker;

Result<Extraction> run(const Scene& scene, const std::function<void(ExtractSettings&)>& change = {}) {
  ExtractSettings settings;
  settings.minArea = 0.001;
  if (change) change(settings);
  Result<Extraction> result = extract(scene, settings);
  if (result.ok()) {
    for (const Violation& v : validate(result->environment, 3)) ADD_FAILURE() << v.message;
  }
  return result;
}

double areaOf(const Extraction& extraction) {
  return extraction.environment.lattice.area(topology(extraction.environment).doubledArea);
}

TEST(Extract, NothingWalkableIsAnError) {
  EXPECT_EQ(run(Scene{}).error().code, ErrorCode::kEmpty);
  SceneMaker walls;
  walls.wall(0, 0, 5, 0, 0, 3);
  EXPECT_EQ(run(walls.scene).error().code, ErrorCode::kEmpty);
  SceneMaker below;
  below.quad({0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0});
  EXPECT_EQ(run(below.scene).error().code, ErrorCode::kEmpty);
  EXPECT_TRUE(run(below.scene, [](ExtractSettings& s) { s.twoSided = true; }).ok());
}

TEST(Extract, OneTriangle) {
  SceneMaker m;
  m.triangle({0, 0, 0}, {2, 0, 0}, {0, 2, 1});
  const auto result = run(m.scene);
  ASSERT_TRUE(result.ok());
  EXPECT_NEAR(areaOf(*result), 2, 1e-9);
  const Layer& layer = result->environment.layers[0];
  EXPECT_NEAR(layer.heights.at({0, 10000}), 0.5, 1e-6);
}

TEST(Extract, BadVerticesAreTypedErrors) {
  SceneMaker m;
  m.floor(0, 0, 1, 1, 0);
  m.scene.vertices[2].z = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(run(m.scene).error().code, ErrorCode::kInvalidGeometry);
  m.scene.vertices[2].z = 2e5;
  EXPECT_EQ(run(m.scene).error().code, ErrorCode::kOutsideLattice);
  m.scene.vertices[2].z = 0;
  m.scene.triangles[0].vertices[1] = 99;
  EXPECT_EQ(run(m.scene).error().code, ErrorCode::kInvalidGeometry);
}

TEST(Extract, SettingsAreChecked) {
  SceneMaker m;
  m.floor(0, 0, 1, 1, 0);
  for (const auto& change : std::vector<std::function<void(ExtractSettings&)>>{
           [](ExtractSettings& s) { s.height = 0; }, [](ExtractSettings& s) { s.step = 2; },
           [](ExtractSettings& s) { s.step = -1; }, [](ExtractSettings& s) { s.slope = 90; },
           [](ExtractSettings& s) { s.gap = std::nan(""); }, [](ExtractSettings& s) { s.minArea = -1; },
           [](ExtractSettings& s) { s.lattice.unit = 0; }}) {
    EXPECT_EQ(run(m.scene, change).error().code, ErrorCode::kInvalidSettings);
  }
}

TEST(Extract, FarFromTheOrigin) {
  SceneMaker m;
  m.floor(0, 0, 10, 10, 0);
  m.box(4, 4, 6, 6, 0, 1);
  const auto result = run(testing::rotated(m.scene, 0, {100000, -100000, 1000}));
  ASSERT_TRUE(result.ok());
  EXPECT_NEAR(areaOf(*result), 100, 1e-6);
}

TEST(Extract, ManyCopiesOfOneFloor) {
  SceneMaker m;
  for (int i = 0; i < 20000; ++i) m.floor(0, 0, 10, 10, 0);
  const auto result = run(m.scene);
  ASSERT_TRUE(result.ok());
  EXPECT_NEAR(areaOf(*result), 100, 1e-9);
  EXPECT_EQ(result->report.duplicate, 2U * 19999U);
}

TEST(Extract, SeedPointsKeepWhatIsReached) {
  const Scene scene = testing::smallScenes()[3].scene;  // a tall box: floor, roof, and floor inside
  const auto reached = run(scene, [](ExtractSettings& s) { s.seedPoints = {{1, 1, 0.2}}; });
  ASSERT_TRUE(reached.ok());
  EXPECT_NEAR(areaOf(*reached), 96, 0.01);
  EXPECT_EQ(reached->report.components, 1U);
  const auto roof = run(scene, [](ExtractSettings& s) { s.seedPoints = {{5, 5, 5.1}}; });
  ASSERT_TRUE(roof.ok());
  EXPECT_NEAR(areaOf(*roof), 4, 0.01);
  EXPECT_EQ(run(scene, [](ExtractSettings& s) { s.seedPoints = {{50, 5, 0}}; }).error().code, ErrorCode::kNotOnMesh);
}

// What seed points leave out from the start must not be missed in the end.
TEST(Extract, SeedPointsReachWholeComponents) {
  for (const testing::Expected& expected : testing::smallScenes()) {
    if (expected.areas.size() != 1) continue;
    const auto all = run(expected.scene);
    ASSERT_TRUE(all.ok()) << expected.name;
    const Layer& layer = all->environment.layers[0];
    // A place inside, beside the first corner of a height triangle or anywhere on a flat floor.
    Vec3 seed{0.05, 0.05, layer.heights.base};
    if (!layer.heights.flat()) {
      const auto& t = layer.heights.triangles[0];
      Vec2 centre;
      for (const uint32_t id : t) {
        centre.x += layer.heights.points[id].x / 3.0;
        centre.y += layer.heights.points[id].y / 3.0;
      }
      const Vec2 metres = all->environment.lattice.toMetres(centre);
      seed = {metres.x, metres.y, layer.heights.at(centre)};
    }
    const auto reached = run(expected.scene, [&](ExtractSettings& s) { s.seedPoints = {seed}; });
    ASSERT_TRUE(reached.ok()) << expected.name << ": " << reached.error().message;
    EXPECT_NEAR(areaOf(*all), areaOf(*reached), 1e-6) << expected.name;
  }
}

TEST(Extract, SmallPartsAreDropped) {
  SceneMaker m;
  m.floor(0, 0, 10, 10, 0);
  m.floor(20, 0, 20.3, 0.3, 0);
  const auto result = run(m.scene, [](ExtractSettings& s) { s.minArea = 0.1; });
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->report.droppedComponents, 1U);
  EXPECT_NEAR(result->report.droppedArea, 0.09, 1e-6);
}

TEST(Extract, StrictBlocksWhatIsSteppedOver) {
  const auto scenes = testing::smallScenes();
  const auto pyramid = run(scenes[23].scene, [](ExtractSettings& s) { s.strict = true; });
  ASSERT_TRUE(pyramid.ok());
  EXPECT_NEAR(areaOf(*pyramid), 99, 0.01);
  const auto curb = run(scenes[29].scene, [](ExtractSettings& s) { s.strict = true; });
  ASSERT_TRUE(curb.ok());
  EXPECT_NEAR(areaOf(*curb), 50.005 + 49, 0.01);
  EXPECT_EQ(curb->report.components, 2U);
}

TEST(Extract, MoreHeadRoomNeverAddsArea) {
  for (const testing::Expected& expected : testing::smallScenes()) {
    double before = 1e9;
    for (const double height : {1.0, 1.6, 2.0, 2.3, 3.0}) {
      const auto result = run(expected.scene, [&](ExtractSettings& s) { s.height = height; });
      ASSERT_TRUE(result.ok()) << expected.name;
      EXPECT_LE(areaOf(*result), before + 0.02) << expected.name << " with " << height << " m";
      before = areaOf(*result);
    }
  }
}

TEST(Extract, LabelsBecomeRegions) {
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
  EXPECT_EQ(doubledArea(layer.regions[0].area), Int128{100000} * 50000 * 2);
  EXPECT_EQ(layer.free.size(), 1U);
}

TEST(Extract, HeightsFollowTheScene) {
  const Scene scene = testing::smallScenes()[24].scene;  // a ramp from the floor to a box
  const auto result = run(scene);
  ASSERT_TRUE(result.ok());
  const HeightField& heights = result->environment.layers[0].heights;
  EXPECT_NEAR(heights.at({10000, 10000}), 0, 1e-6);
  EXPECT_NEAR(heights.at({40000, 50000}), 0.5, 1e-4);
  EXPECT_NEAR(heights.at({70000, 50000}), 1, 1e-6);
}

// A bridge over a path, both reached from one ground: the surface overlaps itself, and connections join its layers.
TEST(Extract, BridgeOverAPath) {
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
    const Topology t = topology(result->environment);
    EXPECT_EQ(t.components, 1U);
    // Ground without the ramps' feet up to head room, and the bridge from end to end.
    EXPECT_NEAR(areaOf(*result), 300 + 2 * (26 - 2 * 6.67), 0.05);
  }
}

TEST(Extract, CancelStops) {
  SceneMaker m;
  m.floor(0, 0, 10, 10, 0);
  Context context;
  context.cancel();
  EXPECT_EQ(extract(m.scene, {}, context).error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace wend
