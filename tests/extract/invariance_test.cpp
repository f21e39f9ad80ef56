#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "data.h"
#include "extract/hand_made.h"

namespace wend {
namespace {

using testing::rotated;

struct Outcome {
  double area = 0;
  uint32_t components = 0;
  uint32_t boundaries = 0;
  uint32_t genus = 0;
};

Outcome outcomeOf(const Scene& scene, double minArea) {
  ExtractSettings settings;
  settings.minArea = minArea;
  settings.regions = false;
  const Result<Extraction> result = extract(scene, settings);
  EXPECT_TRUE(result.ok());
  if (!result.ok()) return {};
  for (const Violation& v : validate(result->environment, 3)) ADD_FAILURE() << v.message;
  for (const ExtractSpot& spot : result->report.spots) ADD_FAILURE() << spot.reason;
  const Topology t = topology(result->environment);
  EXPECT_EQ(t.components, result->report.components);
  return {result->environment.lattice.area(t.doubledArea), t.components, t.boundaries, t.genus};
}

// Every triangle becomes four, by the middles of its sides.
Scene subdivided(const Scene& scene) {
  Scene result;
  result.labels = scene.labels;
  for (const Scene::Triangle& t : scene.triangles) {
    std::array<Vec3, 6> p;
    for (size_t i = 0; i < 3; ++i) p[i] = scene.vertices[t.vertices[i]];
    for (size_t i = 0; i < 3; ++i) {
      const Vec3 a = p[i];
      const Vec3 b = p[(i + 1) % 3];
      p[3 + i] = {(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2};
    }
    const auto first = static_cast<uint32_t>(result.vertices.size());
    for (const Vec3& v : p) result.vertices.push_back(v);
    for (const std::array<uint32_t, 3> ids : {std::array<uint32_t, 3>{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}}) {
      result.triangles.push_back({{first + ids[0], first + ids[1], first + ids[2]}, t.label});
    }
  }
  return result;
}

Scene shuffled(Scene scene, uint64_t seed) {
  Random random(seed);
  random.shuffle(scene.triangles);
  for (Scene::Triangle& t : scene.triangles) {
    const std::array<uint32_t, 3> v = t.vertices;
    const auto turn = random.below(3);
    for (size_t i = 0; i < 3; ++i) t.vertices[i] = v[(i + turn) % 3];
  }
  return scene;
}

// `share` of the area may differ: rounding to the lattice along borders.
void expectSame(const Outcome& a, const Outcome& b, double share, const std::string& what) {
  EXPECT_NEAR(a.area, b.area, share * a.area) << what;
  EXPECT_EQ(a.components, b.components) << what;
  EXPECT_EQ(a.boundaries, b.boundaries) << what;
  EXPECT_EQ(a.genus, b.genus) << what;
}

TEST(Invariance, OfSmallScenes) {
  for (const testing::Expected& expected : testing::smallScenes()) {
    const Outcome before = outcomeOf(expected.scene, 1e-4);
    for (const double angle : {90.0, 180.0, 270.0}) {
      expectSame(before, outcomeOf(rotated(expected.scene, angle), 1e-4), 1e-6,
                 fmt::format("{} {}", expected.name, angle));
    }
    expectSame(before, outcomeOf(rotated(expected.scene, 0, {1234.5, -777.25, 33}), 1e-4), 1e-6,
               expected.name + " moved");
    expectSame(before, outcomeOf(shuffled(expected.scene, 3), 1e-4), 1e-6, expected.name + " shuffled");
    expectSame(before, outcomeOf(subdivided(expected.scene), 1e-4), 3e-6, expected.name + " subdivided");
    expectSame(before, outcomeOf(rotated(expected.scene, 41.7, {0.12345, 5.4321, 0}), 1e-4), 1e-5,
               expected.name + " turned");
  }
}

struct RealScene {
  std::string name;
  double area;
  uint32_t components;
};
class RealScenes : public ::testing::TestWithParam<RealScene> {};

TEST_P(RealScenes, AreKnownAndInvariant) {
  const auto& [name, area, components] = GetParam();
  constexpr double kShare = 1e-6;
  const std::string file = dataFile("scenes/" + name);
  if (file.empty()) GTEST_SKIP() << "skipped: no data";
  const Result<Scene> scene = readScene(file);
  ASSERT_TRUE(scene.ok());
  const Outcome before = outcomeOf(*scene, 0.25);
  EXPECT_NEAR(before.area, area, 0.01);
  EXPECT_EQ(before.components, components);
  for (const double angle : {17.0, 33.3, 45.0, 61.7, 90.0, 123.4, 180.0, 200.1, 311.9}) {
    expectSame(before, outcomeOf(rotated(*scene, angle, {10.03, -25.07, 3.01}), 0.25), kShare,
               fmt::format("turned by {} degrees", angle));
  }
  expectSame(before, outcomeOf(rotated(*scene, 0, {100.03, -250.07, 3.01}), 0.25), kShare, "moved");
  expectSame(before, outcomeOf(shuffled(*scene, 1), 0.25), kShare, "shuffled");
}

TEST(Invariance, TheSceneChoosesTheLattice) {
  const Scene scene = testing::smallScenes()[1].scene;
  for (const auto& [far, unit] : {std::pair(0.0, 1e-5), {2600.0, 1e-5}, {2700.0, 1e-4}, {-100000.0, 1e-4}}) {
    const Result<Extraction> result = extract(rotated(scene, 0, {far, 0, 0}), {});
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->environment.lattice.unit, unit) << far;
  }
  ExtractSettings settings;
  settings.lattice.unit = 0.001;
  EXPECT_EQ(extract(scene, settings)->environment.lattice.unit, 0.001);
}

INSTANTIATE_TEST_SUITE_P(Data, RealScenes,
                         ::testing::Values(RealScene{"nav_test.obj", 5359.195, 58},
                                           RealScene{"dungeon.obj", 2097.028, 40}),
                         [](const auto& scene) { return scene.param.name.substr(0, scene.param.name.find('.')); });

}  // namespace
}  // namespace wend
