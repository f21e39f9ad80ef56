#include <cmath>
#include <string>

#include <wend/extract.h>
#include <wend/make_scene.h>

#include <gtest/gtest.h>

#include "tests/environment/extract/hand_made.h"

namespace wend {
namespace {

Scene jitteredStation(double metres) {
  return damageScene(makeScene({"station", {}, 1}).value().scene, {DamageKind::kJitter, metres}, 1).value();
}

Result<Extraction> extractWith(int threads, const Scene& scene) {
  Context context;
  context.threads = threads;
  return extract(scene, {}, context);
}

bool isTangled(const ExtractSpot& spot) {
  return spot.reason.find("cross each other too often") != std::string::npos;
}

// Walls that all cross each other, on a floor that begins at x.
void addTangle(testing::SceneMaker& m, double x, int walls) {
  m.floor(x, 0, x + 20, 20, 0);
  for (int i = 0; i < walls; ++i) {
    const double at = 19.0 * (i + 1) / (walls + 1);
    m.wall(x + at, 0.5, x + 19.5 - at, 19.5, 0, 1.5);
  }
}

TEST(Tangles, HopelessScenesEndWithTheLimit) {
  const Scene scene = jitteredStation(100);
  for (const int threads : {1, 2}) {
    const Result<Extraction> result = extractWith(threads, scene);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::kLimit);
    EXPECT_NE(result.error().message.find("--method voxel"), std::string::npos) << result.error().message;
  }
}

TEST(Tangles, ADisorderlySceneIsNoTangle) {
  const Result<Extraction> result = extractWith(2, jitteredStation(5));
  ASSERT_TRUE(result.ok()) << result.error().message;
  for (const ExtractSpot& spot : result->report.spots) EXPECT_FALSE(isTangled(spot)) << spot.reason;
}

// One floor that is too tangled goes, with the triangles to blame; all others stay as they are.
TEST(Tangles, AFloorIsGivenUpAlone) {
  testing::SceneMaker m;
  m.floor(0, 0, 20, 20, 0);
  addTangle(m, 50, 1200);
  for (const int threads : {1, 2}) {
    const Result<Extraction> result = extractWith(threads, m.scene);
    ASSERT_TRUE(result.ok()) << result.error().message;
    EXPECT_NEAR(testing::areaOf(*result), 400, 1e-6);
    ASSERT_EQ(result->report.spots.size(), 1U);
    EXPECT_TRUE(isTangled(result->report.spots[0])) << result->report.spots[0].reason;
    EXPECT_EQ(result->report.spots[0].triangles.size(), ExtractSpot::kMaxBlamed);
    EXPECT_NEAR(result->report.spots[0].place.x, 60, 10.001);
  }
}

// If nothing else is left, the tangle is the reason, not the up axis.
TEST(Tangles, NothingButATangleIsTheLimit) {
  testing::SceneMaker m;
  addTangle(m, 0, 1200);
  const Result<Extraction> result = extractWith(1, m.scene);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kLimit);
}

// Many walls that meet in one line: a star, open between its rays.
TEST(Tangles, AStarOfWallsIsNone) {
  testing::SceneMaker m;
  m.floor(-10, -10, 10, 10, 0);
  constexpr int kRays = 40;
  for (int i = 0; i < kRays; ++i) {
    const double angle = 2 * 3.14159265358979 * i / kRays;
    m.wall(0, 0, 8 * std::cos(angle), 8 * std::sin(angle), 0, 2.5);
  }
  const Result<Extraction> result = extractWith(1, m.scene);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_TRUE(result->report.spots.empty());
  EXPECT_EQ(result->report.components, 1U);
  EXPECT_NEAR(testing::areaOf(*result), 400, kRays * 8 * 0.0011);
  EXPECT_LT(testing::areaOf(*result), 400 - kRays * 7 * 0.001);
}

}  // namespace
}  // namespace wend
