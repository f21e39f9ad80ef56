#include <algorithm>

#include <wend/make_scene.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "data.h"
#include "extract/hand_made.h"
#include "extract/perimeter.h"

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

double areaOf(const Environment& e) {
  return e.lattice.area(topology(e).doubledArea);
}

// Buildings and landscapes by both methods: the same area but for a pixel along the borders, and the same parts.
TEST(VoxelMadeScenes, AgreeWithTheExactMethod) {
  for (const SceneKind& kind : sceneKinds()) {
    if (kind.name == "city-block" || kind.name == "stadium" || kind.name.size() == 3) continue;
    const Result<MadeScene> made = makeScene({kind.name, {}, 1});
    ASSERT_TRUE(made.ok()) << kind.name;
    const Scene scene = testing::rotated(made->scene, 28);
    const Result<Extraction> exact = extract(scene, settingsOf(ExtractMethod::kExact));
    const Result<Extraction> voxel = extract(scene, settingsOf(ExtractMethod::kVoxel));
    ASSERT_TRUE(exact.ok() && voxel.ok()) << kind.name;
    for (const Violation& v : validate(voxel->environment, 3)) ADD_FAILURE() << kind.name << ": " << v.message;
    for (const ExtractSpot& spot : voxel->report.spots) ADD_FAILURE() << kind.name << ": " << spot.reason;
    EXPECT_NEAR(areaOf(voxel->environment), areaOf(exact->environment),
                kResolution * testing::perimeterOf(exact->environment))
        << kind.name;
    EXPECT_EQ(voxel->report.components, exact->report.components) << kind.name;
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
    const double area = areaOf(exact->environment);
    EXPECT_NEAR(areaOf(voxel->environment), area, 0.01 * area) << name;
  }
}

bool covers(const Environment& environment, const Vec3& spot) {
  const Result<Point> p = environment.lattice.snap({spot.x, spot.y});
  return std::any_of(environment.layers.begin(), environment.layers.end(), [&](const Layer& layer) {
    return locate(layer.free, *p) != Side::kOutside && std::abs(layer.heights.at(toVec2(*p)) - spot.z) < 0.3;
  });
}

TEST(VoxelMadeScenes, CanBeWalkedFromGroundToTop) {
  for (const SceneKind& kind : sceneKinds()) {
    if (kind.name == "city-block" || kind.name == "stadium" || kind.name.size() == 3) continue;
    const Result<MadeScene> made = makeScene({kind.name, {}, 1});
    ASSERT_TRUE(made.ok()) << kind.name;
    const std::vector<SceneSpot>& spots = made->truth.spots;
    std::vector<uint32_t> done;
    for (const SceneSpot& from : spots) {
      if (std::find(done.begin(), done.end(), from.part) != done.end()) continue;
      done.push_back(from.part);
      ExtractSettings settings = settingsOf(ExtractMethod::kVoxel);
      settings.seedPoints = {from.position};
      const Result<Extraction> result = extract(made->scene, settings);
      ASSERT_TRUE(result.ok()) << kind.name << ", " << from.name << ": " << result.error().message;
      EXPECT_EQ(topology(result->environment).components, 1U) << kind.name << ", " << from.name;
      for (const SceneSpot& to : spots) {
        EXPECT_EQ(covers(result->environment, to.position), to.part == from.part)
            << kind.name << ": from " << from.name << " to " << to.name;
      }
    }
  }
}

}  // namespace
}  // namespace wend
