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

Outcome outcomeOf(const Scene& scene, double minArea, double unit = Lattice().unit) {
  ExtractSettings settings;
  settings.lattice.unit = unit;
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

// `share` of the area may differ: rounding to the lattice, 0.1 mm along borders.
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
    expectSame(before, outcomeOf(subdivided(expected.scene), 1e-4), 3e-5, expected.name + " subdivided");
    expectSame(before, outcomeOf(rotated(expected.scene, 41.7, {0.12345, 5.4321, 0}), 1e-4), 1e-4,
               expected.name + " turned");
  }
}

struct RealScene {
  std::string name;
  double area;
  uint32_t components;
  double share;  // of the area that may change
};
class RealScenes : public ::testing::TestWithParam<RealScene> {};

TEST_P(RealScenes, AreKnownAndInvariant) {
  const auto& [name, area, components, share] = GetParam();
  const std::string file = dataFile("scenes/" + name);
  if (file.empty()) GTEST_SKIP() << "skipped: no data";
  const Result<Scene> scene = readScene(file);
  ASSERT_TRUE(scene.ok());
  const Outcome before = outcomeOf(*scene, 0.25);
  EXPECT_NEAR(before.area, area, 0.01);
  EXPECT_EQ(before.components, components);
  const auto same = [&](const Scene& other, const std::string& what) {
    const Outcome after = outcomeOf(other, 0.25);
    EXPECT_NEAR(before.area, after.area, share * before.area) << what;
    EXPECT_EQ(before.components, after.components) << what;
    EXPECT_NEAR(before.boundaries, after.boundaries, share > 3e-6 ? 1 : 0) << what;
  };
  same(rotated(*scene, 90), "turned by 90 degrees");
  same(rotated(*scene, 180), "turned by 180 degrees");
  same(rotated(*scene, 17), "turned by 17 degrees");
  same(rotated(*scene, 45), "turned by 45 degrees");
  same(rotated(*scene, 0, {100.03, -250.07, 3.01}), "moved");
  same(shuffled(*scene, 1), "shuffled");
}

// What is left of the difference is the lattice: with units of 0.01 mm it is a tenth.
TEST(Invariance, GrowsWithTheLattice) {
  const std::string file = dataFile("scenes/nav_test.obj");
  if (file.empty()) GTEST_SKIP() << "skipped: no data";
  const Result<Scene> scene = readScene(file);
  ASSERT_TRUE(scene.ok());
  const Outcome before = outcomeOf(*scene, 0.25, 1e-5);
  for (const double angle : {17.0, 33.3, 45.0, 90.0, 123.4}) {
    const Outcome after = outcomeOf(rotated(*scene, angle, {10.03, -25.07, 3.01}), 0.25, 1e-5);
    EXPECT_NEAR(before.area, after.area, 1e-6 * before.area) << angle;
    EXPECT_EQ(before.components, after.components) << angle;
    EXPECT_EQ(before.genus, after.genus) << angle;
  }
}

// In the dungeon one steep triangle between two rocks is a riser or not by a hair: 0.16 m2.
INSTANTIATE_TEST_SUITE_P(Data, RealScenes,
                         ::testing::Values(RealScene{"nav_test.obj", 5359.187, 58, 3e-6},
                                           RealScene{"dungeon.obj", 2095.641, 41, 1e-4}),
                         [](const auto& scene) { return scene.param.name.substr(0, scene.param.name.find('.')); });

}  // namespace
}  // namespace wend
