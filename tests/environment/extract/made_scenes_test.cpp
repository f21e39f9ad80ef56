#include <cmath>

#include <wend/make_scene.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/environment/extract/component_areas.h"
#include "tests/environment/extract/hand_made.h"
#include "tests/environment/extract/walk_check.h"

namespace wend {
namespace {

// A city block takes seconds; the seats of a stadium are as many parts.
MakeSceneSettings smallVersion(const SceneKind& kind) {
  if (kind.name == "city-block") return {kind.name, {{"columns", 1}, {"rows", 1}, {"storeys", 2}}, 1};
  if (kind.name == "stadium") return {kind.name, {{"rows", 2}}, 1};
  return {kind.name, {}, 1};
}

// Buildings and landscapes that know their walkable components.
TEST(MadeScenes, HaveThePartsTheyWereBuiltFrom) {
  for (const SceneKind& kind : sceneKinds()) {
    const Result<MadeScene> made = makeScene(smallVersion(kind));
    ASSERT_TRUE(made.ok()) << kind.name;
    for (const double angle : {0.0, 17.0, 45.0, 203.7}) {
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
      for (const SceneTruth::Component& component : truth.components) {
        if (component.area == SceneTruth::kUnknown) continue;
        const auto nearest = std::min_element(areas.begin(), areas.end(), [&](double a, double b) {
          return std::abs(a - component.area) < std::abs(b - component.area);
        });
        ASSERT_NE(nearest, areas.end()) << kind.name;
        EXPECT_NEAR(*nearest, component.area, std::max(component.tolerance, 0.015))
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

// Higher than conflicts are listed.
TEST(MadeScenes, MayBeHigh) {
  const Result<MadeScene> made = makeScene({"house", {{"storeys", 30}, {"rooms", 1}}, 1});
  ASSERT_TRUE(made.ok());
  std::vector<Topology> found;
  for (const double angle : {0.0, 17.0}) {
    const Result<Extraction> result = extract(testing::rotated(made->scene, angle), {});
    ASSERT_TRUE(result.ok()) << result.error().message;
    for (const Violation& v : validate(result->environment, 3)) ADD_FAILURE() << v.message;
    EXPECT_TRUE(result->report.spots.empty());
    found.push_back(topology(result->environment));
  }
  EXPECT_EQ(found[0].components, found[1].components);
  EXPECT_EQ(found[0].boundaries, found[1].boundaries);
  EXPECT_EQ(found[0].genus, found[1].genus);
}

// Two floors, and two more 40 m above: each has a conflict nearby, so those of the lower pair with the upper are not
// listed. A long way that overlaps nothing leads from one pair to the other.
TEST(MadeScenes, DoNotOverlapFarAbove) {
  testing::SceneMaker maker;
  maker.floor(0, 0, 20, 20, 0);
  maker.quad({20, 0, 0}, {24, 0, 0}, {24, 20, 3}, {20, 20, 3});
  maker.floor(0, 0, 20, 20, 3);
  maker.quad({-4, -40, 21.5}, {0, -40, 21.5}, {0, 20, 3}, {-4, 20, 3});
  maker.quad({-8, -40, 21.5}, {-4, -40, 21.5}, {-4, 20, 40}, {-8, 20, 40});
  maker.floor(-8, 20, 0, 24, 40);
  maker.floor(0, 0, 20, 24, 40);
  maker.quad({0, -4, 40}, {20, -4, 43}, {20, 0, 43}, {0, 0, 40});
  maker.floor(0, 0, 20, 20, 43);
  for (const double angle : {0.0, 17.0}) {
    const Result<Extraction> result = extract(testing::rotated(maker.scene, angle), {});
    ASSERT_TRUE(result.ok()) << result.error().message;
    for (const Violation& v : validate(result->environment, 3)) ADD_FAILURE() << v.message;
    const Environment& e = result->environment;
    EXPECT_EQ(e.layers.size(), 4U) << angle;
    EXPECT_EQ(topology(e).components, 1U) << angle;
    // Less 1 mm where borders touch that may not be crossed.
    EXPECT_NEAR(e.lattice.area(topology(e).doubledArea), 2352, 0.2) << angle;
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
