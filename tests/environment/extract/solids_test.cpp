#include <array>
#include <functional>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/environment/extract/component_areas.h"
#include "tests/environment/extract/hand_made.h"

// What lies inside closed solids is no floor, unless it is asked for.
namespace wend {
namespace {

using testing::areasOf;
using testing::SceneMaker;
using testing::torn;

constexpr std::array<double, 4> kAngles{0, 17, 45, 211.3};

struct Counts {
  std::vector<double> areas;
  ExtractReport report;
};

Counts run(const Scene& scene, double angle, ExtractSettings settings) {
  settings.voxel.resolution = 0.025;
  const Result<Extraction> result = extract(testing::rotated(scene, angle), settings);
  if (!result.ok()) {
    ADD_FAILURE() << result.error().message;
    return {};
  }
  for (const Violation& v : validate(result->environment, 3)) ADD_FAILURE() << v.message;
  return {areasOf(result->environment), result->report};
}

// Both methods at four angles.
void expectAreas(const Scene& scene, const std::vector<double>& areas, const ExtractSettings& given = {}) {
  for (const ExtractMethod method : {ExtractMethod::kExact, ExtractMethod::kVoxel}) {
    ExtractSettings settings = given;
    settings.method = method;
    for (const double angle : kAngles) {
      const bool exact = method == ExtractMethod::kExact;
      const Counts counts = run(scene, angle, settings);
      ASSERT_EQ(counts.areas.size(), areas.size()) << (exact ? "exact at " : "voxel at ") << angle;
      for (size_t i = 0; i < areas.size(); ++i) {
        EXPECT_NEAR(counts.areas[i], areas[i], exact ? 0.02 : 0.8) << (exact ? "exact at " : "voxel at ") << angle;
      }
    }
  }
}

Scene ground(const std::function<void(SceneMaker&)>& add) {
  SceneMaker m;
  m.floor(0, 0, 10, 10, 0);
  add(m);
  return m.scene;
}

TEST(Insides, OfACrateAreNoFloor) {
  const Scene scene = ground([](SceneMaker& m) { m.box(4, 4, 6, 6, 0, 5); });
  expectAreas(scene, {96, 4});
  ExtractSettings keep;
  keep.insides = true;
  expectAreas(scene, {96, 4, 3.992}, keep);
}

TEST(Insides, AreReported) {
  const Scene scene = ground([](SceneMaker& m) { m.box(4, 4, 6, 6, 0, 5); });
  for (const ExtractMethod method : {ExtractMethod::kExact, ExtractMethod::kVoxel}) {
    ExtractSettings settings;
    settings.method = method;
    const Counts counts = run(scene, 17, settings);
    EXPECT_EQ(counts.report.insides, 1U);
    EXPECT_NEAR(counts.report.insideArea, 4, 0.3);
    EXPECT_EQ(counts.report.detached, 1U);
    EXPECT_NEAR(counts.report.detachedArea, 4, 0.3);
  }
}

// Sunk into the ground, above it, on legs lower than a step, without a bottom, and through another one.
TEST(Insides, OfCratesInAnyPlaceAreNoFloor) {
  expectAreas(ground([](SceneMaker& m) { m.box(4, 4, 6, 6, -1, 5); }), {96, 4});
  expectAreas(ground([](SceneMaker& m) { m.box(4, 4, 6, 6, 0.002, 5); }), {96, 4});
  expectAreas(ground([](SceneMaker& m) { m.box(4, 4, 6, 6, 0.3, 5); }), {96, 4});
  expectAreas(ground([](SceneMaker& m) {
                SceneMaker crate;
                crate.box(4, 4, 6, 6, 0, 5);
                crate.scene.triangles.erase(crate.scene.triangles.begin() + 2, crate.scene.triangles.begin() + 4);
                m.scene = [&] {
                  SceneMaker both;
                  both.floor(0, 0, 10, 10, 0);
                  const auto first = static_cast<uint32_t>(both.scene.vertices.size());
                  both.scene.vertices.insert(both.scene.vertices.end(), crate.scene.vertices.begin(),
                                             crate.scene.vertices.end());
                  for (Scene::Triangle t : crate.scene.triangles) {
                    for (uint32_t& v : t.vertices) v += first;
                    both.scene.triangles.push_back(t);
                  }
                  return both.scene;
                }();
              }),
              {96, 4});
  expectAreas(ground([](SceneMaker& m) {
                m.box(4, 4, 6, 6, 0, 5);
                m.box(5, 5, 7, 7, 0, 5);
              }),
              {93, 7});
}

// Modules side by side share corners and sides: along some sides four or eight triangles meet.
TEST(Insides, OfCratesThatShareSidesAreNoFloor) {
  expectAreas(ground([](SceneMaker& m) {
                m.box(2, 4, 4, 6, 0, 5);
                m.box(4, 4, 6, 6, 0, 5);
                m.box(6, 4, 8, 6, 0, 5);
              }),
              {88, 12});
  expectAreas(ground([](SceneMaker& m) {
                m.box(3, 3, 5, 5, 0, 5);
                m.box(5, 3, 7, 5, 0, 5);
                m.box(3, 5, 5, 7, 0, 5);
                m.box(5, 5, 7, 7, 0, 5);
              }),
              {84, 16});
  expectAreas(ground([](SceneMaker& m) {
                m.box(3, 3, 5, 5, 0, 5);
                m.box(5, 5, 7, 7, 0, 5);
              }),
              {92, 4, 4});
}

// Of two that share a side, one without its far wall encloses nothing, and the other does all the same.
TEST(Insides, OfAnOpenCrateBesideAClosedOneAreFloor) {
  const auto openBody = [](SceneMaker& m, bool open) {
    m.floor(6, 4, 8, 6, 5);
    m.wall(6, 4, 8, 4, 0, 5);
    if (!open) m.wall(8, 4, 8, 6, 0, 5);
    m.wall(8, 6, 6, 6, 0, 5);
    m.wall(6, 6, 6, 4, 0, 5);
  };
  expectAreas(ground([&](SceneMaker& m) {
                m.box(4, 4, 6, 6, 0, 5);
                openBody(m, false);
              }),
              {92, 8});
  expectAreas(ground([&](SceneMaker& m) {
                m.box(4, 4, 6, 6, 0, 5);
                openBody(m, true);
              }),
              {96, 8});
}

// A room is not inside its walls, nor the space between two walls inside either.
TEST(Insides, OfRoomsAreFloor) {
  const auto walls = [](SceneMaker& m) {
    m.box(2, 2, 8, 2.2, 0, 3);
    m.box(2, 7.8, 8, 8, 0, 3);
    m.box(2, 2.2, 2.2, 7.8, 0, 3);
    m.box(7.8, 2.2, 8, 7.8, 0, 3);
  };
  ExtractSettings settings;
  settings.minArea = 2;  // not the tops of the walls
  expectAreas(ground(walls), {64, 31.36, 4.64}, settings);
  // With a ceiling of its own, and turned inside out: a room whose faces look inwards.
  SceneMaker room;
  room.floor(0, 0, 10, 10, 0);
  for (const auto& [x0, y0, x1, y1] :
       {std::array<double, 4>{10, 0, 0, 0}, {10, 10, 10, 0}, {0, 10, 10, 10}, {0, 0, 0, 10}}) {
    room.wall(x0, y0, x1, y1, 0, 4);
  }
  room.quad({0, 0, 4}, {0, 10, 4}, {10, 10, 4}, {10, 0, 4});
  expectAreas(room.scene, {100});
  // And a crate in it.
  room.box(4, 4, 6, 6, 0, 3);
  expectAreas(room.scene, {96}, settings);
}

// Four sides and a top with a door in one of them enclose nothing.
TEST(Insides, OfOpenBodiesAreFloor) {
  expectAreas(ground([](SceneMaker& m) {
                m.floor(4, 4, 6, 6, 5);
                m.wall(6, 4, 6, 6, 0, 5);
                m.wall(6, 6, 4, 6, 0, 5);
                m.wall(4, 6, 4, 4, 0, 5);
              }),
              {100, 4});
}

// Cracks narrower than what is no obstacle do not open a body.
TEST(Insides, OfTornCratesAreNoFloor) {
  const Scene one = ground([](SceneMaker& m) { m.box(4, 4, 6, 6, 0, 5); });
  const Scene many = ground([](SceneMaker& m) {
    m.box(1, 1, 3, 2, 0, 4);
    m.box(4, 4, 6, 6, 0.3, 5);
    m.box(7, 2, 9, 9, -1, 3);
  });
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    expectAreas(torn(one, 0.0002, seed), {96, 4});
    expectAreas(torn(many, 0.0002, seed), {80, 14, 4, 2});
  }
}

// A side that is missing opens one all the same.
TEST(Insides, OfTornOpenBodiesAreFloor) {
  const Scene scene = ground([](SceneMaker& m) {
    m.floor(4, 4, 6, 6, 5);
    m.wall(6, 4, 6, 6, 0, 5);
    m.wall(6, 6, 4, 6, 0, 5);
    m.wall(4, 6, 4, 4, 0, 5);
  });
  for (uint64_t seed = 1; seed <= 6; ++seed) expectAreas(torn(scene, 0.0002, seed), {100, 4});
}

TEST(DetachedComponents, AreLeftOutOnRequest) {
  const Scene scene = ground([](SceneMaker& m) { m.box(4, 4, 6, 6, 0, 1); });
  ExtractSettings settings;
  settings.detached = false;
  expectAreas(scene, {96}, settings);
}

// Under a steep roof there is nothing else.
TEST(Insides, NothingElseIsAnErrorThatSaysSo) {
  SceneMaker m;
  m.floor(1, 1, 9, 9, 0);
  m.quad({0, 0, -1}, {0, 10, -1}, {10, 10, -1}, {10, 0, -1});
  const std::array<Vec3, 4> corners{Vec3{0, 0, 5}, {10, 0, 5}, {10, 10, 5}, {0, 10, 5}};
  for (size_t i = 0; i < 4; ++i) {
    const Vec3& a = corners[i];
    const Vec3& b = corners[(i + 1) % 4];
    m.wall(a.x, a.y, b.x, b.y, -1, 5);
    m.triangle(a, b, {5, 5, 20});
  }
  const Result<Extraction> result = extract(m.scene, {});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kEmpty);
  EXPECT_NE(result.error().message.find("--keep-insides"), std::string::npos) << result.error().message;
  ExtractSettings keep;
  keep.insides = true;
  EXPECT_TRUE(extract(m.scene, keep).ok());
}

TEST(Slopes, OfExactlyTheLimitAreAChoice) {
  for (const ExtractMethod method : {ExtractMethod::kExact, ExtractMethod::kVoxel}) {
    for (const double angle : {0.0, 17.0, 45.0, 73.1}) {
      SceneMaker m;
      m.quad({0, 0, 0}, {5, 0, 5}, {5, 5, 5}, {0, 5, 0});
      ExtractSettings settings;
      settings.method = method;
      const Scene scene = testing::rotated(m.scene, angle);
      EXPECT_TRUE(extract(scene, settings).ok()) << angle;
      settings.slopeSlack = -0.016;
      EXPECT_FALSE(extract(scene, settings).ok()) << angle;
      settings.slope = 45.1;
      EXPECT_TRUE(extract(scene, settings).ok()) << angle;
      settings.slope = 43;
      settings.slopeSlack = 2.1;
      EXPECT_TRUE(extract(scene, settings).ok()) << angle;
    }
  }
}

}  // namespace
}  // namespace wend
