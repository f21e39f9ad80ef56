#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/data.h"
#include "tests/environment/extract/component_areas.h"
#include "tests/environment/extract/hand_made.h"

// Cracks that are closed leave nothing behind, and slits do not forbid a step that the floors beside them allow.
namespace wend {
namespace {

using testing::areasOf;
using testing::holesOf;
using testing::SceneMaker;

constexpr std::array<double, 4> kAngles{0, 17, 45, 123.4};

ExtractSettings settingsFor(double gap, ExtractMethod method = ExtractMethod::kExact) {
  ExtractSettings settings;
  settings.gap = gap;
  settings.method = method;
  settings.voxel.resolution = 0.02;
  settings.insides = true;
  return settings;
}

void expectOnePlainFloor(const Scene& scene, const ExtractSettings& settings, double area, const std::string& where) {
  const Result<Extraction> result = extract(scene, settings);
  ASSERT_TRUE(result.ok()) << where << ": " << result.error().message;
  for (const Violation& v : validate(result->environment, 3)) ADD_FAILURE() << where << ": " << v.message;
  EXPECT_TRUE(result->report.spots.empty()) << where;
  const std::vector<double> areas = areasOf(result->environment);
  ASSERT_EQ(areas.size(), 1U) << where;
  EXPECT_NEAR(areas[0], area, settings.method == ExtractMethod::kExact ? 1e-3 : 0.15) << where;
  EXPECT_EQ(holesOf(result->environment), 0U) << where;
}

// A floor, and two others beyond a step that a crack parts.
Scene crackAtAThird(double crack, double rise, double apart) {
  SceneMaker m;
  m.floor(-2, 0, -apart, 1.2, 0);
  m.floor(0, 0, 3, 0.6 - 0.5 * crack, rise);
  m.floor(0, 0.6 + 0.5 * crack, 3, 1.2, rise);
  return m.scene;
}

TEST(Cracks, LeaveNothingWhereTheyEndAtAThirdFloor) {
  for (int millimetres = 2; millimetres <= 25; ++millimetres) {
    for (const double rise : {0.0, 0.1, -0.3}) {
      for (const double apart : {0.0, 0.3, 1.0}) {
        const double crack = 0.001 * millimetres;
        const Scene scene = crackAtAThird(crack, rise, apart * crack);
        for (const double angle : kAngles) {
          const std::string where =
              fmt::format("{} mm, {} m up, {} apart, {} degrees", millimetres, rise, apart, angle);
          expectOnePlainFloor(testing::rotated(scene, angle), settingsFor(0.03), 6, where);
        }
      }
    }
  }
}

TEST(Cracks, LeaveNothingByVoxels) {
  for (const int millimetres : {5, 17, 25}) {
    const Scene scene = crackAtAThird(0.001 * millimetres, 0.1, 0);
    for (const double angle : kAngles) {
      expectOnePlainFloor(testing::rotated(scene, angle), settingsFor(0.03, ExtractMethod::kVoxel), 6,
                          fmt::format("{} mm at {} degrees", millimetres, angle));
    }
  }
}

TEST(Cracks, LeaveNothingWhereTheyCross) {
  for (const double crack : {0.002, 0.01, 0.019, 0.025}) {
    const double half = 0.5 * crack;
    SceneMaker m;
    m.floor(-2, -2, -half, -half, 0);
    m.floor(half, -2, 2, -half, 0.1);
    m.floor(-2, half, -half, 2, 0.05);
    m.floor(half, half, 2, 2, 0.2);
    for (const double angle : kAngles) {
      expectOnePlainFloor(testing::rotated(m.scene, angle), settingsFor(0.03), 16,
                          fmt::format("{} m at {} degrees", crack, angle));
    }
  }
}

// A post in the crossing is no crack.
TEST(Cracks, DoNotHideWhatStandsInThem) {
  SceneMaker m;
  m.floor(-2, -2, -0.01, 2, 0);
  m.floor(0.01, -2, 2, 2, 0);
  m.box(-0.01, 0.5, 0.01, 0.6, 0, 3);
  for (const double angle : kAngles) {
    const Result<Extraction> result = extract(testing::rotated(m.scene, angle), settingsFor(0.03));
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(holesOf(result->environment), 1U) << angle;
  }
}

// Two floors of a chosen thickness beside a slit, over a ground.
Scene slit(double width, double left, double right, double depth, bool ground) {
  SceneMaker m;
  if (ground) m.floor(-5, -5, 5, 5, std::max(left, right) - depth);
  m.box(-1, -1, 0, 1, left - 0.06, left);
  m.box(width, -1, 1, 1, right - 0.06, right);
  return m.scene;
}

// Whether one walks from one place to the other in what was drawn.
bool joins(const Scene& scene, double angle, Vec3 from, Vec3 to, ExtractSettings settings) {
  SceneMaker places;
  places.scene.vertices = {from, to};
  const Scene turned = testing::rotated(places.scene, angle);
  settings.seedPoints = {turned.vertices[0]};
  const Result<Extraction> result = extract(testing::rotated(scene, angle), settings);
  if (!result.ok()) return false;
  for (const Violation& v : validate(result->environment, 3)) ADD_FAILURE() << v.message;
  EXPECT_EQ(topology(result->environment).components, 1U);
  const Vec3& goal = turned.vertices[1];
  const Point p = result->environment.lattice.snap({goal.x, goal.y}).value();
  return std::any_of(result->environment.layers.begin(), result->environment.layers.end(), [&](const Layer& layer) {
    return locate(layer.free, p) == Side::kInside && std::abs(layer.heights.at(toVec2(p)) - goal.z) < 0.01;
  });
}

TEST(Slits, DoNotForbidAStep) {
  for (const double width : {0.001, 0.005, 0.012, 0.019}) {
    for (const double left : {0.36, 0.54, 0.7}) {
      for (const double depth : {0.3, 0.42, 0.54, 0.72, 1.5, 3.0}) {
        if (left - depth > 0.3) continue;  // above the right side
        const Scene scene = slit(width, left, 0.36, depth, true);
        for (const double angle : kAngles) {
          EXPECT_TRUE(joins(scene, angle, {-0.5, 0.1, left}, {0.5, 0.1, 0.36}, settingsFor(0.02)))
              << width << " m wide, " << left - 0.36 << " m up, " << depth << " m deep, " << angle << " degrees";
        }
      }
    }
  }
}

TEST(Slits, AreNotPassedWhereTheStepIsTooHighOrTheSlitTooWide) {
  for (const double angle : kAngles) {
    EXPECT_FALSE(
        joins(slit(0.005, 0.8, 0.36, 1.5, true), angle, {-0.5, 0.1, 0.8}, {0.5, 0.1, 0.36}, settingsFor(0.02)));
    EXPECT_FALSE(
        joins(slit(0.03, 0.54, 0.36, 1.5, true), angle, {-0.5, 0.1, 0.54}, {0.5, 0.1, 0.36}, settingsFor(0.02)));
  }
}

// At this resolution the slit holds centres of pixels, which see its bottom.
TEST(Slits, DoNotForbidAStepByVoxels) {
  const ExtractSettings settings = settingsFor(0.02, ExtractMethod::kVoxel);
  for (const double angle : kAngles) {
    for (const double depth : {0.42, 0.54, 1.5}) {
      EXPECT_TRUE(joins(slit(0.019, 0.54, 0.36, depth, true), angle, {-0.5, 0.1, 0.54}, {0.5, 0.1, 0.36}, settings))
          << depth << " m deep, " << angle << " degrees";
    }
    EXPECT_FALSE(joins(slit(0.06, 0.54, 0.36, 1.5, true), angle, {-0.5, 0.1, 0.54}, {0.5, 0.1, 0.36}, settings))
        << angle << " degrees";
  }
}

TEST(Slits, OfTheRealScenes) {
  for (const char* name : {"slit_5.obj", "slit_19.obj"}) {
    const std::string file = dataFile(std::string("scenes/cracks/") + name);
    if (file.empty()) GTEST_SKIP() << "skipped: no data";
    SceneReadSettings read;
    read.up = UpAxis::kZ;
    const Result<Scene> scene = readScene(file, read);
    ASSERT_TRUE(scene.ok());
    for (const double angle : kAngles) {
      for (const ExtractMethod method : {ExtractMethod::kExact, ExtractMethod::kVoxel}) {
        EXPECT_TRUE(joins(*scene, angle, {-0.5, 0, 0.54}, {0.5, 0, 0.36}, settingsFor(0.02, method)))
            << name << " " << angle;
      }
    }
  }
}

TEST(Cracks, OfTheRealScenes) {
  for (const char* name : {"q_16.obj", "q_17.obj"}) {
    const std::string file = dataFile(std::string("scenes/cracks/") + name);
    if (file.empty()) GTEST_SKIP() << "skipped: no data";
    SceneReadSettings read;
    read.up = UpAxis::kZ;
    const Result<Scene> scene = readScene(file, read);
    ASSERT_TRUE(scene.ok());
    for (const double angle : kAngles) {
      expectOnePlainFloor(testing::rotated(*scene, angle), settingsFor(0.02), 6, fmt::format("{} {}", name, angle));
    }
  }
}

}  // namespace
}  // namespace wend
