#include <cmath>

#include <wend/make_scene.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "extract/component_areas.h"
#include "extract/hand_made.h"
#include "extract/walk_check.h"

namespace wend {
namespace {

// A city block takes seconds; the seats of a stadium are as many parts.
MakeSceneSettings smallVersion(const SceneKind& kind) {
  if (kind.name == "city-block") return {kind.name, {{"columns", 1}, {"rows", 1}, {"storeys", 2}}, 1};
  if (kind.name == "stadium") return {kind.name, {{"rows", 2}}, 1};
  return {kind.name, {}, 1};
}

// Buildings and landscapes that know their walkable parts.
TEST(MadeScenes, HaveThePartsTheyWereBuiltFrom) {
  for (const SceneKind& kind : sceneKinds()) {
    const Result<MadeScene> made = makeScene(smallVersion(kind));
    ASSERT_TRUE(made.ok()) << kind.name;
    for (const double angle : {0.0, 28.0}) {
      ExtractSettings settings;
      settings.regions = false;
      settings.minArea = 0.01;
      const Result<Extraction> result = extract(testing::rotated(made->scene, angle), settings);
      ASSERT_TRUE(result.ok()) << kind.name << ": " << result.error().message;
      for (const Violation& v : validate(result->environment, 3)) ADD_FAILURE() << kind.name << ": " << v.message;
      for (const ExtractSpot& spot : result->report.spots) ADD_FAILURE() << kind.name << ": " << spot.reason;
      std::vector<double> areas = testing::areasOf(result->environment);
      std::string text;
      for (size_t i = 0; i < std::min<size_t>(areas.size(), 8); ++i) text += fmt::format("{:.4f} ", areas[i]);
      const SceneTruth& truth = made->truth;
      for (const SceneTruth::Part& part : truth.parts) {
        if (part.area == SceneTruth::kUnknown) continue;
        const auto nearest = std::min_element(areas.begin(), areas.end(), [&](double a, double b) {
          return std::abs(a - part.area) < std::abs(b - part.area);
        });
        ASSERT_NE(nearest, areas.end()) << kind.name;
        EXPECT_NEAR(*nearest, part.area, std::max(part.tolerance, 0.015))
            << kind.name << " at " << angle << ": " << text;
        areas.erase(nearest);
      }
      if (truth.complete) {
        EXPECT_TRUE(areas.empty()) << kind.name << " at " << angle << ": " << text;
      }
      if (truth.layersMax > 0) {
        EXPECT_LE(result->environment.layers.size(), truth.layersMax) << kind.name << " at " << angle;
        EXPECT_GE(result->environment.layers.size(), truth.layersMin) << kind.name << " at " << angle;
      }
    }
  }
}

// Large enough for every loop to be shared between threads.
TEST(MadeScenes, DoNotDependOnThreads) {
  for (const MakeSceneSettings& make :
       {MakeSceneSettings{"house", {}, 1}, MakeSceneSettings{"stadium", {{"rows", 6}}, 1},
        MakeSceneSettings{"terrain", {{"cells", 100}}, 1}}) {
    const Result<MadeScene> made = makeScene(make);
    ASSERT_TRUE(made.ok()) << make.kind;
    const Scene scene = testing::rotated(made->scene, 12);
    std::vector<uint64_t> hashes;
    for (const int threads : {1, 2, 7}) {
      Context context;
      context.threads = threads;
      const Result<Extraction> result = extract(scene, {}, context);
      ASSERT_TRUE(result.ok()) << make.kind << ": " << result.error().message;
      hashes.push_back(hash(result->environment));
    }
    EXPECT_EQ(hashes[0], hashes[1]) << make.kind;
    EXPECT_EQ(hashes[0], hashes[2]) << make.kind;
  }
}

TEST(MadeScenes, CanBeWalkedFromGroundToTop) {
  for (const SceneKind& kind : sceneKinds()) {
    const Result<MadeScene> made = makeScene(smallVersion(kind));
    ASSERT_TRUE(made.ok()) << kind.name;
    ExtractSettings settings;
    settings.regions = false;
    testing::checkWalks(kind.name, *made, settings);
  }
}

}  // namespace
}  // namespace wend
