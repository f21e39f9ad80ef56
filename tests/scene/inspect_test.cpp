#include <cmath>

#include <wend/make_scene.h>
#include <wend/scene.h>

#include <gtest/gtest.h>

namespace wend {
namespace {

Scene made(const std::string& kind) {
  MakeSceneSettings settings;
  settings.kind = kind;
  return makeScene(settings)->scene;
}

size_t count(const Scene& scene, SceneDefectKind kind) {
  return inspectScene(scene)->count(kind);
}

size_t allDefects(const Scene& scene) {
  size_t sum = 0;
  const Result<SceneReport> report = inspectScene(scene);
  for (const size_t n : report->defects) sum += n;
  return sum;
}

TEST(InspectScene, EmptyAndBrokenScenes) {
  EXPECT_EQ(inspectScene(Scene{})->area, 0);
  EXPECT_EQ(inspectScene({{{0, 0, 0}}, {{{0, 0, 1}, 0}}, {""}}).error().code, ErrorCode::kInvalidGeometry);
  EXPECT_EQ(inspectScene({{{0, 0, NAN}}, {}, {""}}).error().code, ErrorCode::kInvalidGeometry);
  EXPECT_EQ(inspectScene(Scene{}, Lattice{0}).error().code, ErrorCode::kInvalidSettings);
}

TEST(InspectScene, FloorHasFourOpenEdges) {
  const Result<SceneReport> report = inspectScene(made("s01"));
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->count(SceneDefectKind::kOpenEdge), 4U);
  EXPECT_EQ(allDefects(made("s01")), 4U);
  EXPECT_DOUBLE_EQ(report->area, 100);
  EXPECT_DOUBLE_EQ(report->floorArea, 100);
  EXPECT_EQ(report->high, (Vec3{10, 10, 0}));
  EXPECT_EQ(report->trianglesByLabel, std::vector<size_t>{2});
  EXPECT_EQ(report->examples.size(), 3U);
}

TEST(InspectScene, NamesEveryKind) {
  using enum SceneDefectKind;
  Scene scene{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 0, 0}, {9, 9, 9}}, {{{0, 1, 2}, 0}}, {""}};
  EXPECT_EQ(count(scene, kOpenEdge), 3U);
  EXPECT_EQ(inspectScene(scene)->unusedVertices, 3U);
  scene.triangles.push_back({{1, 2, 0}, 0});
  EXPECT_EQ(count(scene, kDuplicate), 1U);
  scene.triangles.push_back({{2, 1, 0}, 0});
  EXPECT_EQ(count(scene, kFlippedTwin), 1U);
  EXPECT_EQ(count(scene, kOpenEdge), 3U);
  scene.triangles.push_back({{0, 1, 4}, 0});
  scene.triangles.push_back({{3, 3, 1}, 0});
  EXPECT_EQ(count(scene, kDegenerate), 2U);
  scene.triangles.push_back({{0, 1, 3}, 0});
  EXPECT_EQ(count(scene, kMisoriented), 1U);
  scene.vertices.push_back({0, 0, -1});
  scene.triangles.push_back({{1, 0, 6}, 0});
  EXPECT_EQ(count(scene, kNonManifold), 1U);
}

// A house stands on its ground with open edges only where the ground ends; stairs and furniture are closed solids.
TEST(InspectScene, MadeSolidsAreClosed) {
  for (const char* kind : {"house", "station", "office"}) {
    const Result<SceneReport> report = inspectScene(made(kind));
    EXPECT_EQ(report->count(SceneDefectKind::kOpenEdge), 4U) << kind;
    EXPECT_EQ(report->count(SceneDefectKind::kDegenerate), 0U) << kind;
    EXPECT_EQ(report->count(SceneDefectKind::kDuplicate), 0U) << kind;
    EXPECT_EQ(report->count(SceneDefectKind::kMisoriented), 0U) << kind;
  }
}

TEST(DamageScene, DoesWhatItSays) {
  using enum DamageKind;
  const Scene house = made("house");
  const size_t n = house.triangles.size();
  const double all = static_cast<double>(n);
  const auto damaged = [&](DamageKind kind, double amount, uint64_t seed = 1) {
    return *damageScene(house, {kind, amount}, seed);
  };
  for (const DamageKind kind : {kJitter, kCrack, kDuplicate, kDelete, kSplit, kFlip, kIntersect}) {
    SCOPED_TRACE(damageName(kind));
    const Scene once = damaged(kind, 0.01);
    EXPECT_EQ(once, damaged(kind, 0.01));
    EXPECT_FALSE(once == damaged(kind, 0.01, 2));
    EXPECT_TRUE(inspectScene(once).ok());
    EXPECT_EQ(damageScene(house, {kind, -1}, 1).error().code, ErrorCode::kInvalidSettings);
    EXPECT_EQ(damageScene(house, {kind, NAN}, 1).error().code, ErrorCode::kInvalidSettings);
  }
  EXPECT_EQ(damaged(kJitter, 0), house);
  EXPECT_EQ(damaged(kCrack, 0.01).vertices.size(), 3 * n);
  EXPECT_NEAR(static_cast<double>(count(damaged(kDuplicate, 0.1), SceneDefectKind::kDuplicate)), 0.1 * all, 0.01 * all);
  EXPECT_NEAR(static_cast<double>(damaged(kDelete, 0.1).triangles.size()), 0.9 * all, 0.01 * all);
  EXPECT_TRUE(damaged(kDelete, 1).triangles.empty());
  EXPECT_NEAR(static_cast<double>(damaged(kSplit, 0.1).triangles.size()), 1.1 * all, 0.01 * all);
  EXPECT_NEAR(inspectScene(damaged(kSplit, 0.5))->area, inspectScene(house)->area, 1e-6);
  EXPECT_GT(count(damaged(kFlip, 0.1), SceneDefectKind::kMisoriented), n / 10);
  EXPECT_NEAR(static_cast<double>(damaged(kIntersect, 0.1).triangles.size()), 1.1 * all, 0.01 * all);
}

}  // namespace
}  // namespace wend
