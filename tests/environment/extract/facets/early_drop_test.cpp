#include <string>

#include <wend/make_scene.h>

#include <gtest/gtest.h>

#include "environment/extract/exact/exact.h"
#include "tests/data.h"
#include "tests/environment/extract/furniture.h"
#include "tests/environment/extract/hand_made.h"
#include "tests/environment/extract/random_bridge.h"
#include "tests/environment/extract/random_soup.h"
#include "tests/environment/extract/random_yard.h"

// Faces that cannot belong to what is wanted are dropped before they are looked at closely. The slow way, which
// looks at all of them and drops afterwards, must give the same environment.
namespace wend {
namespace {

void expectSame(const Scene& scene, ExtractSettings settings, const std::string& name) {
  if (settings.lattice.unit == 0) settings.lattice.unit = 1e-6;
  const auto early = exact::extract(scene, settings, {});
  const auto late = exact::extract(scene, settings, {}, exact::Look::kAll);
  ASSERT_EQ(early.ok(), late.ok()) << name << ", from " << settings.minArea << " m2";
  if (!early.ok()) {
    EXPECT_EQ(early.error().message, late.error().message) << name;
    return;
  }
  EXPECT_EQ(hash(early->environment), hash(late->environment)) << name << ", from " << settings.minArea << " m2";
  EXPECT_EQ(early->report.components, late->report.components) << name;
  if (settings.seedPoints.empty()) {
    EXPECT_GE(early->report.droppedArea, late->report.droppedArea - 1e-9) << name << ", at most";
  }
}

constexpr double kAreas[] = {0.001, 0.03, 0.3, 1, 4, 20, 60};

TEST(EarlyDrop, SmallScenes) {
  for (const testing::Expected& expected : testing::smallScenes()) {
    for (const double area : kAreas) {
      ExtractSettings settings;
      settings.minArea = area;
      expectSame(testing::rotated(expected.scene, 17), settings, expected.name);
    }
  }
}

TEST(EarlyDrop, MadeScenes) {
  for (const char* name : {"office", "spiral", "station"}) {
    const auto made = makeScene({name, {}, 1});
    ASSERT_TRUE(made.ok()) << name;
    for (const double area : {0.1, 3.0}) {
      ExtractSettings settings;
      settings.minArea = area;
      expectSame(made->scene, settings, name);
    }
  }
}

TEST(EarlyDrop, RealScenes) {
  for (const char* name : {"scenes/nav_test.obj", "scenes/dungeon.obj"}) {
    const std::string file = dataFile(name);
    if (file.empty()) GTEST_SKIP() << "skipped: no data";
    const Result<Scene> scene = readScene(file);
    ASSERT_TRUE(scene.ok());
    for (const double area : {0.01, 0.1, 0.5, 2.0, 5.76, 50.0}) {
      ExtractSettings settings;
      settings.minArea = area;
      expectSame(*scene, settings, name);
    }
  }
}

TEST(EarlyDrop, RandomSoups) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    const auto [scene, settings] = testing::randomSoupCase(seed, 5, [](Random& random, ExtractSettings& s) {
      s.minArea = random.real(0, 1) * random.real(0, 4);
      if (random.chance(0.3)) s.lattice.unit = 1e-4;
      if (random.chance(0.3)) s.seedPoints = {{random.real(-2, 2), random.real(-2, 2), random.real(0, 5)}};
    });
    expectSame(scene, settings, "soup " + std::to_string(seed));
  }
}

// From areas on, and from any place on.
void expectSameOfParts(const Scene& scene, uint64_t seed, const std::string& name) {
  Random random(seed, 11);
  ExtractSettings settings;
  settings.minArea = random.real(0, 1) * random.real(0, 8);
  expectSame(scene, settings, name);
  settings.seedPoints = {{random.real(-9, 9), random.real(-9, 9), random.real(0, 2)}};
  expectSame(scene, settings, name + " from a point");
}

TEST(EarlyDrop, RandomYardsAndBridges) {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    const std::string number = std::to_string(seed);
    expectSameOfParts(testing::randomYard(seed), seed, "yard " + number);
    if (seed % 3 == 0) expectSameOfParts(testing::bridgeOverBumps(seed), seed, "bridge " + number);
  }
}

// Most of it stands under or on something else.
TEST(EarlyDrop, Furniture) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    const auto furniture = testing::randomFurniture(seed, 4 + static_cast<int>(seed % 30));
    const double angle = 17 * static_cast<double>(seed % 5);
    expectSameOfParts(testing::rotated(furniture.scene(), angle), seed, "furniture " + std::to_string(seed));
  }
}

// Two slabs too small by themselves, and one where only a riser makes enough.
TEST(EarlyDrop, PartsHangTogetherOverCracksStepsAndRisers) {
  testing::SceneMaker m;
  m.floor(0, 0, 0.5, 1, 0);
  m.floor(0.51, 0, 1, 1, 0.3);
  m.floor(5, 0, 5.5, 1, 0);
  m.quad({5.5, 0, 0}, {5.6, 0, 0.3}, {5.6, 1, 0.3}, {5.5, 1, 0});
  m.floor(5.6, 0, 6, 1, 0.3);
  m.floor(9, 0, 9.5, 1, 0);
  m.floor(9.6, 0, 10, 1, 0);
  ExtractSettings settings;
  settings.minArea = 0.95;
  const auto result = extract(m.scene, settings);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->report.components, 2U);
  EXPECT_EQ(result->report.droppedComponents, 2U);
  EXPECT_NEAR(result->report.droppedArea, 0.9, 1e-4);
  expectSame(m.scene, settings, "slabs");
}

// Nothing is cut out of this riser, so that it is no sliver.
TEST(EarlyDrop, ThinRisersStayIfTheyAreWhole) {
  testing::SceneMaker m;
  m.floor(0, 0, 1, 1, 0);
  m.quad({1, 0, 0}, {1.0004, 0, 0.015}, {1.0004, 1, 0.015}, {1, 1, 0});
  m.floor(1.0004, 0, 2, 1, 0.015);
  expectSame(m.scene, {}, "thin riser");
}

// A slab that two table tops cover together is near both of them and near the floor, but nothing of it is free. With
// seed points the tops are not cut.
TEST(EarlyDrop, LinksAreFollowedFromTheSeedPoints) {
  testing::SceneMaker m;
  m.floor(0, 0, 20, 20, 0);
  for (int i = 0; i < 16; ++i) {
    const double x = 2 + 4 * (i % 4);
    const double y = 2 + 4 * (i / 4);
    m.box(x, y, x + 1, y + 1, 0.6, 0.62);
    m.box(x + 1, y, x + 2, y + 1, 0.6, 0.63);
    m.box(x + 0.1, y + 0.1, x + 1.9, y + 0.9, 0.28, 0.3);
  }
  for (const double angle : {0.0, 17.0}) {
    const Scene scene = testing::rotated(m.scene, angle);
    ExtractSettings settings;
    settings.lattice.unit = 1e-6;
    settings.seedPoints = {{0.1, 0.3, 0}};
    expectSame(scene, settings, "tables");
    const auto early = exact::extract(scene, settings, {});
    ASSERT_TRUE(early.ok());
    EXPECT_EQ(early->report.components, 1U);
    EXPECT_LE(early->report.patches, 1U);
  }
}

}  // namespace
}  // namespace wend
