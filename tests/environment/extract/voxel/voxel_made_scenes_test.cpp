#include <algorithm>

#include <wend/make_scene.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/data.h"
#include "tests/environment/extract/hand_made.h"
#include "tests/environment/extract/perimeter.h"
#include "tests/environment/extract/walk_check.h"

namespace wend {
namespace {

constexpr double kResolution = 0.1;

ExtractSettings settingsOf(ExtractMethod method) {
  ExtractSettings settings;
  settings.method = method;
  settings.regions = false;
  settings.voxel.resolution = kResolution;
  settings.minArea = 0.5;
  return settings;
}

// All of a city block or of a stadium takes seconds.
MakeSceneSettings smallVersion(const SceneKind& kind) {
  if (kind.name == "city-block") return {kind.name, {{"columns", 1}, {"rows", 1}, {"storeys", 2}}, 1};
  if (kind.name == "stadium") return {kind.name, {{"rows", 2}}, 1};
  return {kind.name, {}, 1};
}

// Buildings and landscapes by both methods: the same area but for a pixel along the borders, and the same parts.
TEST(VoxelMadeScenes, AgreeWithTheExactMethod) {
  for (const SceneKind& kind : sceneKinds()) {
    if (kind.name.size() == 3) continue;
    const Result<MadeScene> made = makeScene(smallVersion(kind));
    ASSERT_TRUE(made.ok()) << kind.name;
    for (const double angle : {0.0, 17.0, 45.0, 203.7}) {
      const std::string where = fmt::format("{} at {} degrees", kind.name, angle);
      const Scene scene = testing::rotated(made->scene, angle);
      const Result<Extraction> exact = extract(scene, settingsOf(ExtractMethod::kExact));
      const Result<Extraction> voxel = extract(scene, settingsOf(ExtractMethod::kVoxel));
      ASSERT_TRUE(exact.ok() && voxel.ok()) << where;
      for (const Violation& v : validate(voxel->environment, 3)) ADD_FAILURE() << where << ": " << v.message;
      for (const ExtractSpot& spot : voxel->report.spots) ADD_FAILURE() << where << ": " << spot.reason;
      EXPECT_NEAR(testing::areaOf(*voxel), testing::areaOf(*exact),
                  kResolution * testing::perimeterOf(exact->environment))
          << where;
      // Sides of furniture along rows of pixels make tops larger or smaller than the least area.
      if (angle != 0) {
        EXPECT_EQ(voxel->report.components, exact->report.components) << where;
      }
    }
  }
}

TEST(VoxelRealScenes, AgreeWithTheExactMethod) {
  for (const char* name : {"scenes/nav_test.obj", "scenes/dungeon.obj"}) {
    const std::string file = dataFile(name);
    if (file.empty()) GTEST_SKIP() << "skipped: no data";
    const Result<Scene> scene = readScene(file);
    ASSERT_TRUE(scene.ok()) << name;
    ExtractSettings settings = settingsOf(ExtractMethod::kExact);
    const Result<Extraction> exact = extract(*scene, settings);
    settings.method = ExtractMethod::kVoxel;
    const Result<Extraction> voxel = extract(*scene, settings);
    ASSERT_TRUE(exact.ok() && voxel.ok()) << name;
    for (const Violation& v : validate(voxel->environment, 3)) ADD_FAILURE() << name << ": " << v.message;
    const double area = testing::areaOf(*exact);
    EXPECT_NEAR(testing::areaOf(*voxel), area, 0.01 * area) << name;
  }
}

TEST(VoxelMadeScenes, CanBeWalkedFromGroundToTop) {
  for (const SceneKind& kind : sceneKinds()) {
    if (kind.name == "city-block" || kind.name == "stadium" || kind.name.size() == 3) continue;
    const Result<MadeScene> made = makeScene({kind.name, {}, 1});
    ASSERT_TRUE(made.ok()) << kind.name;
    testing::checkWalks(kind.name, *made, settingsOf(ExtractMethod::kVoxel));
  }
}

}  // namespace
}  // namespace wend
