#include <algorithm>
#include <cmath>

#include <wend/make_scene.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "geometry/area.h"
#include "tests/environment/extract/component_areas.h"
#include "tests/environment/extract/hand_made.h"
#include "tests/environment/extract/random_soup.h"

namespace wend {
namespace {

using testing::areaOf;
using testing::SceneMaker;

ExtractSettings voxelSettings(double resolution = 0.05) {
  ExtractSettings settings;
  settings.method = ExtractMethod::kVoxel;
  settings.voxel.resolution = resolution;
  return settings;
}

Result<Extraction> run(const Scene& scene, const std::function<void(ExtractSettings&)>& change = {}) {
  ExtractSettings settings = voxelSettings();
  if (change) change(settings);
  Result<Extraction> result = extract(scene, settings);
  if (result.ok()) {
    for (const Violation& v : validate(result->environment, 3)) ADD_FAILURE() << v.message;
  }
  return result;
}

TEST(Voxel, SettingsAreChecked) {
  SceneMaker m;
  m.floor(0, 0, 1, 1, 0);
  for (const auto& change : std::vector<std::function<void(ExtractSettings&)>>{
           [](ExtractSettings& s) { s.voxel.resolution = 0; }, [](ExtractSettings& s) { s.voxel.resolution = 11; },
           [](ExtractSettings& s) { s.voxel.resolution = std::nan(""); },
           [](ExtractSettings& s) { s.voxel.width = 0.01; }, [](ExtractSettings& s) { s.voxel.width = 100; },
           [](ExtractSettings& s) { s.voxel.simplify = -1; }, [](ExtractSettings& s) { s.voxel.turn = 200; }}) {
    EXPECT_EQ(run(m.scene, change).error().code, ErrorCode::kInvalidSettings);
  }
}

// Too much is an error that says what would do, not a machine without memory.
TEST(Voxel, TooFineIsAnError) {
  SceneMaker m;
  m.floor(-50000, -50000, 50000, 50000, 0);
  const auto vast = run(m.scene);
  ASSERT_FALSE(vast.ok());
  EXPECT_EQ(vast.error().code, ErrorCode::kLimit);
  EXPECT_NE(vast.error().message.find("choose at least 10 m"), std::string::npos) << vast.error().message;
  SceneMaker thin;
  for (int i = 0; i < 1000; ++i) thin.floor(-100000, i, 100000, i + 0.001, 0);
  EXPECT_EQ(run(thin.scene, [](ExtractSettings& s) { s.voxel.resolution = 0.001; }).error().code, ErrorCode::kLimit);
  SceneMaker scattered;
  for (int i = 0; i < 200000; ++i) {
    const double x = 100.0 * (i % 500);
    const double y = 100.0 * (i / 500);
    scattered.triangle({x, y, 0}, {x + 0.1, y, 0}, {x, y + 0.1, 0});
  }
  EXPECT_EQ(run(scattered.scene).error().code, ErrorCode::kLimit);
}

TEST(Voxel, DoesNotDependOnThreadsOrOrder) {
  for (const char* kind : {"station", "spiral"}) {
    const Result<MadeScene> made = makeScene({kind, {}, 1});
    ASSERT_TRUE(made.ok());
    ExtractSettings settings = voxelSettings(0.1);
    Scene turned = testing::rotated(made->scene, 20);
    Context one;
    one.threads = 1;
    Context three;
    three.threads = 3;
    const auto a = extract(turned, settings, one);
    const auto b = extract(turned, settings, three);
    std::reverse(turned.triangles.begin(), turned.triangles.end());
    const auto c = extract(turned, settings, three);
    ASSERT_TRUE(a.ok() && b.ok() && c.ok());
    EXPECT_EQ(hash(a->environment), hash(b->environment)) << kind;
    EXPECT_EQ(hash(a->environment), hash(c->environment)) << kind;
  }
}

// The voxel filter may leave out only what cannot be reached.
TEST(Voxel, SeedPointsLoseNothing) {
  for (const testing::Expected& expected : testing::smallScenes()) {
    if (expected.areas.size() != 1) continue;
    const auto all = run(expected.scene);
    ASSERT_TRUE(all.ok()) << expected.name;
    const Layer& layer = all->environment.layers[0];
    const Point corner = layer.free[0].outer[0];
    const Vec2 inside{corner.x + 100.0, corner.y + 100.0};
    const Vec2 metres = all->environment.lattice.toMetres(inside);
    const Vec3 seed{metres.x, metres.y, layer.heights.at(inside)};
    const auto reached = run(expected.scene, [&](ExtractSettings& s) { s.seedPoints = {seed}; });
    ASSERT_TRUE(reached.ok()) << expected.name << ": " << reached.error().message;
    EXPECT_EQ(areaOf(*all), areaOf(*reached)) << expected.name;
  }
}

// Heights lie over the free space, all of it and nothing else, but for rounding and the pixels at its inner border.
TEST(Voxel, HeightsCoverTheFreeSpace) {
  for (const double angle : {0.0, 17.0}) {
    const auto result = run(testing::rotated(testing::smallScenes()[24].scene, angle));
    ASSERT_TRUE(result.ok());
    const Layer& layer = result->environment.layers[0];
    double sum = 0;
    for (const auto& t : layer.heights.triangles) {
      const std::array<Point, 3> ring{layer.heights.points[t[0]], layer.heights.points[t[1]],
                                      layer.heights.points[t[2]]};
      sum += result->environment.lattice.area(toDoubledArea(doubledArea(ring)));
    }
    EXPECT_NEAR(sum, areaOf(*result), 0.002 * areaOf(*result)) << angle;
    // The corners of the box, where heights jump.
    const Scene corners =
        testing::rotated(Scene{{{7.9, 5.9, 1}, {8.1, 5.9, 0}, {8.1, 6.1, 0}, {6.1, 4.1, 1}}, {}, {}}, angle);
    for (const Vec3& v : corners.vertices) {
      EXPECT_NEAR(layer.heights.at(result->environment.lattice.toUnits({v.x, v.y})), v.z, 1e-3) << angle;
    }
  }
}

// A spiral stair around a post, tighter than a column of voxels.
TEST(Voxel, TightSpiral) {
  SceneMaker m;
  for (int i = 0; i < 48; ++i) {
    const auto at = [](double r, int k, double z) {
      return Vec3{r * std::cos(k * std::numbers::pi / 8), r * std::sin(k * std::numbers::pi / 8), z};
    };
    m.quad(at(0.1, i, 0.2 * i), at(1.2, i, 0.2 * i), at(1.2, i + 1, 0.2 * i), at(0.1, i + 1, 0.2 * i));
  }
  const auto result = run(m.scene, [](ExtractSettings& s) {
    s.voxel.resolution = 0.02;
    s.voxel.width = 0.64;
  });
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(topology(result->environment).components, 1U);
  EXPECT_NEAR(areaOf(*result), 3 * 16 * 0.5 * (1.44 - 0.01) * std::sin(std::numbers::pi / 8), 1.0);
}

// What lies under something else is not there: seen from above a torus is a disk.
TEST(Voxel, SingleLayerSeesTheTopOnly) {
  SceneMaker m;
  m.floor(0, 0, 10, 10, 0);
  m.box(4, 0, 6, 10, 3, 3.2);  // a bridge high above
  const auto layers = run(m.scene);
  ASSERT_TRUE(layers.ok());
  EXPECT_NEAR(areaOf(*layers), 120, 3);
  const auto top = run(m.scene, [](ExtractSettings& s) { s.voxel.singleLayer = true; });
  ASSERT_TRUE(top.ok());
  EXPECT_EQ(top->environment.layers.size(), 1U);
  EXPECT_NEAR(areaOf(*top), 100, 3);
  EXPECT_EQ(topology(top->environment).components, 3U);
  const auto reached = run(m.scene, [](ExtractSettings& s) {
    s.voxel.singleLayer = true;
    s.seedPoints = {{1, 1, 0}};
  });
  ASSERT_TRUE(reached.ok());
  EXPECT_NEAR(areaOf(*reached), 40, 2);
}

TEST(Voxel, SingleLayerStopsAtTurns) {
  SceneMaker m;  // a roof of 40 degrees on either side
  m.quad({0, 0, 0}, {5, 0, 4.2}, {5, 10, 4.2}, {0, 10, 0});
  m.quad({5, 0, 4.2}, {10, 0, 0}, {10, 10, 0}, {5, 10, 4.2});
  for (const bool sharp : {false, true}) {
    const auto result = run(m.scene, [&](ExtractSettings& s) {
      s.voxel.singleLayer = true;
      s.voxel.turn = sharp ? 60 : 90;
    });
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(topology(result->environment).components, sharp ? 2U : 1U);
  }
}

TEST(Voxel, RandomSoupsAreValid) {
  for (uint64_t seed = 1; seed <= 25; ++seed) {
    ExtractSettings settings = voxelSettings(seed % 3 == 0 ? 0.02 : 0.05);
    Random random(seed, 5);
    settings.minArea = 0.01;
    settings.height = random.real(0.5, 3);
    settings.step = random.real(0, 0.45);
    settings.slope = random.real(0, 80);
    settings.voxel.singleLayer = seed % 5 == 0;
    settings.voxel.width = settings.voxel.resolution * std::pow(2, static_cast<double>(random.between(1, 6)));
    const Scene scene = testing::rotated(testing::randomSoup(seed, 150), random.real(0, 360));
    const auto result = extract(scene, settings);
    if (!result.ok()) {
      EXPECT_EQ(result.error().code, ErrorCode::kEmpty) << seed << ": " << result.error().message;
      continue;
    }
    for (const Violation& v : validate(result->environment, 3)) ADD_FAILURE() << "soup " << seed << ": " << v.message;
    if (result->report.spots.empty()) {
      EXPECT_EQ(topology(result->environment).components, result->report.components) << "soup " << seed;
    }
  }
}

// Voxels only group pixels: where one layer is enough, their size changes nothing.
TEST(Voxel, SizeOfVoxelsDoesNotMoveBorders) {
  const Scene scene = testing::rotated(testing::smallScenes()[24].scene, 17);
  const auto one = run(scene);
  ASSERT_TRUE(one.ok());
  for (const double width : {0.05, 0.2, 0.8, 3.2}) {
    const auto other = run(scene, [&](ExtractSettings& s) { s.voxel.width = width; });
    ASSERT_TRUE(other.ok());
    EXPECT_EQ(hash(one->environment), hash(other->environment)) << width;
  }
}

}  // namespace
}  // namespace wend
