#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/environment/extract/component_areas.h"
#include "tests/environment/extract/hand_made.h"
#include "tests/environment/extract/invariance.h"

// Risers that lean back, with no floor beneath: of any number of pieces, joined to their treads by edges, across cracks
// or along T-junctions.
namespace wend {
namespace {

using testing::areaOf;
using testing::areasOf;
using testing::rotated;
using testing::SceneMaker;

struct RiserScene {
  std::string name;
  Scene scene;
  std::vector<double> areas;  // of the components, largest first
  uint32_t holes = 0;
};

double tangent(double degrees) {
  return std::tan(degrees * std::numbers::pi / 180);
}

// A stair along x, 2 m wide; profile(i) appends the riser from the end of tread i, given in steps of x and z. Returns
// where it ends.
struct Strip {
  double dx, dz;
};
template <typename Tread, typename Riser>
Scene stair(int treads, const std::vector<Strip>& strips, double crack, const Tread& tread, const Riser& riser) {
  SceneMaker m;
  double x = 0;
  double z = 0;
  for (int i = 0; i < treads; ++i) {
    tread(m, i == 0 ? x : x + crack, i + 1 == treads ? x + 0.25 : x + 0.25 - crack, z);
    x += 0.25;
    if (i + 1 == treads) break;
    for (const Strip& s : strips) {
      riser(m, x, z, s);
      x += s.dx;
      z += s.dz;
    }
  }
  return m.scene;
}

void wholeTread(SceneMaker& m, double x0, double x1, double z) {
  m.floor(x0, 0, x1, 2, z);
}
void face(SceneMaker& m, double x, double z, const Strip& s, double y0, double y1) {
  m.quad({x, y0, z}, {x + s.dx, y0, z + s.dz}, {x + s.dx, y1, z + s.dz}, {x, y1, z});
}
void wholeRiser(SceneMaker& m, double x, double z, const Strip& s) {
  face(m, x, z, s, 0, 2);
}

RiserScene sideBySide(int parts) {
  const auto tread = [](SceneMaker& m, double x0, double x1, double z) {
    m.floor(x0, 0, x1, 1.1, z);
    m.floor(x0, 1.1, x1, 2, z);
  };
  const auto riser = [&](SceneMaker& m, double x, double z, const Strip& s) {
    for (int k = 0; k < parts; ++k) {
      const double y0 = k == 0 ? 0 : 2.0 * k / parts + 0.037 * k;
      const double y1 = k + 1 == parts ? 2 : 2.0 * (k + 1) / parts + 0.037 * (k + 1);
      face(m, x, z, s, y0, y1);
    }
  };
  return {fmt::format("{} side by side", parts), stair(6, {{0.05, 0.2}}, 0, tread, riser), {3.5}};
}

RiserScene stacked(const std::string& name, double low, double high, bool joined) {
  const std::vector<Strip> strips{{low / tangent(80), low}, {high / tangent(60), high}};
  RiserScene result{name, stair(6, strips, 0, wholeTread, wholeRiser), std::vector<double>(6, 0.5)};
  if (joined) result.areas = {3 + 5 * 2 * (strips[0].dx + strips[1].dx)};
  return result;
}

// Treads of a spiral, risers in facets that stand alternately forward and back.
RiserScene fluted(double flute) {
  SceneMaker m;
  constexpr int kFacets = 4;
  constexpr double kTread = 30;  // degrees
  constexpr double kRiser = 2.5;
  const auto at = [&](int k, double degrees, double z) {
    const double r = 1 + static_cast<double>(k) / kFacets;
    const double angle = (degrees + (k % 2 == 0 ? 0 : flute)) * std::numbers::pi / 180;
    return Vec3{r * std::cos(angle), r * std::sin(angle), z};
  };
  for (int i = 0; i < 10; ++i) {
    const double z = 0.2 * i;
    for (int k = 0; k < kFacets; ++k) {
      const auto band = [&](double from, double to, double z0, double z1) {
        m.quad(at(k, from, z0), at(k + 1, from, z0), at(k + 1, to, z1), at(k, to, z1));
      };
      band(kTread * i, kTread * (i + 1) - kRiser, z, z);
      if (i < 9) band(kTread * (i + 1) - kRiser, kTread * (i + 1), z, z + 0.2);
    }
  }
  double area = 0;
  for (const Scene::Triangle& t : m.scene.triangles) {
    const Vec3& a = m.scene.vertices[t.vertices[0]];
    const Vec3& b = m.scene.vertices[t.vertices[1]];
    const Vec3& c = m.scene.vertices[t.vertices[2]];
    area += 0.5 * ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
  }
  return {fmt::format("fluted by {} degrees", flute), m.scene, {area}};
}

// Floors below and above 3 m of strips, each 0.1 m high, by turns a little steeper and less steep.
RiserScene cliff() {
  SceneMaker m;
  m.floor(-2, 0, 0, 2, 0);
  double x = 0;
  for (int i = 0; i < 30; ++i) {
    const Strip s{0.1 / tangent(i % 2 == 0 ? 74 : 79), 0.1};
    face(m, x, 0.1 * i, s, 0, 2);
    x += s.dx;
  }
  m.floor(x, 0, x + 1.5, 2, 3);
  return {"cliff of strips", m.scene, {4, 3}};
}

// The same with a floor after each three strips: a stair.
RiserScene terraces() {
  SceneMaker m;
  m.floor(-2, 0, 0, 2, 0);
  double x = 0;
  for (int i = 0; i < 30; ++i) {
    const Strip s{0.1 / tangent(i % 2 == 0 ? 74 : 79), 0.1};
    face(m, x, 0.1 * i, s, 0, 2);
    x += s.dx;
    if (i % 3 != 2) continue;
    m.floor(x, 0, x + 0.3, 2, 0.1 * (i + 1));
    x += 0.3;
  }
  return {"terraces of strips", m.scene, {2 * (2 + x)}};
}

RiserScene curb() {
  SceneMaker m;
  const auto slope = [&](double x0, double x1, double y0, double y1, double z0, double z1) {
    m.quad({x0, y0, 0.1 * x0 + z0}, {x1, y0, 0.1 * x1 + z0}, {x1, y1, 0.1 * x1 + z1}, {x0, y1, 0.1 * x0 + z1});
  };
  slope(0, 20, 0, 2, 0, 0);
  for (int i = 0; i < 7; ++i) slope(20.0 * i / 7, 20.0 * (i + 1) / 7, 2, 2.05, 0, 0.15);
  slope(0, 13, 2.05, 4, 0.15, 0.15);
  slope(13, 20, 2.05, 4, 0.15, 0.15);
  return {"curb on a hill", m.scene, {80}};
}

// The bank beside a ramp: one steep triangle, as high as a step 2.005 m from its tip.
RiserScene bank() {
  SceneMaker m;
  m.floor(0, -3, 10, 0, 0);
  m.triangle({0, 0, 0}, {10, 0, 0}, {10, 0.5, 2});
  m.triangle({0, 0, 0}, {10, 0.5, 2}, {0, 0.5, 0});
  m.quad({0, 0.5, 0}, {10, 0.5, 2}, {10, 2, 2}, {0, 2, 0});
  return {"bank beside a ramp", m.scene, {30 + 2.5 + 15 + 0.5 * 2.005 * 0.05 * 2.005}};
}

// One face of 0.3 m whose left half ends at a tread; on the right half the next face goes on.
RiserScene halfATread() {
  SceneMaker m;
  m.floor(0, 0, 1, 2, 0);
  face(m, 1, 0, {0.075, 0.3}, 0, 2);
  m.floor(1.075, 0, 1.325, 1, 0.3);
  face(m, 1.325, 0.3, {0.075, 0.3}, 0, 1);
  face(m, 1.075, 0.3, {0.075, 0.3}, 1, 2);
  m.floor(1.4, 0, 2.4, 1, 0.6);
  m.floor(1.15, 1, 2.4, 2, 0.6);
  return {"half a tread", m.scene, {2 + 0.25 + 1 + 1.25 + 2 * 0.075}};
}

// A board that leans against nothing leads nowhere, and a hurdle of two boards is no riser.
RiserScene hurdle() {
  SceneMaker m;
  m.floor(0, 0, 1, 2, 0);
  face(m, 1, 0, {0.075, 0.3}, 0, 2);
  m.quad({1.075, 0, 0.3}, {1.15, 0, 0}, {1.15, 2, 0}, {1.075, 2, 0.3});
  m.floor(1.15, 0, 2, 2, 0);
  return {"hurdle", m.scene, {2, 1.7}};
}

std::vector<RiserScene> riserScenes() {
  std::vector<RiserScene> scenes;
  for (const int parts : {1, 2, 3, 4, 5}) scenes.push_back(sideBySide(parts));
  scenes.push_back(stacked("two strips below a step", 0.1, 0.1, true));
  scenes.push_back(stacked("two strips of a step", 0.25, 0.15, true));
  scenes.push_back(stacked("two strips above a step", 0.25, 0.25, false));
  scenes.push_back({"torn off by 10 mm", stair(6, {{0.05, 0.2}}, 0.01, wholeTread, wholeRiser), {3.5}});
  for (const double flute : {0.0, 0.7, 1.5}) scenes.push_back(fluted(flute));
  scenes.push_back(cliff());
  scenes.push_back(terraces());
  scenes.push_back(curb());
  scenes.push_back(bank());
  scenes.push_back(halfATread());
  scenes.push_back(hurdle());
  return scenes;
}

class Risers : public ::testing::TestWithParam<size_t> {};

TEST_P(Risers, AreHandComputed) {
  const RiserScene expected = riserScenes()[GetParam()];
  ExtractSettings settings;
  settings.minArea = 0.0001;
  for (const double angle : {0.0, 17.0, 33.3, 61.7, 90.0, 123.4, 180.0, 200.1, 311.9}) {
    const std::string where = fmt::format("{} at {} degrees", expected.name, angle);
    const Result<Extraction> result = extract(rotated(expected.scene, angle), settings);
    ASSERT_TRUE(result.ok()) << where << ": " << result.error().message;
    testing::checkAreas(*result, expected.areas, 0.002, where);
    const Environment& environment = result->environment;
    EXPECT_EQ(testing::holesOf(environment), expected.holes) << where;
    EXPECT_EQ(environment.connections.size(), 0U) << where;
  }
}

// Lines that leave over an open flank go on along it, and pieces that each meet a floor along less than a passage do so
// together.
TEST_P(Risers, AreInvariant) {
  const RiserScene expected = riserScenes()[GetParam()];
  const testing::Outcome before = testing::outcomeOf(expected.scene, 1e-4);
  for (const double angle : {0.0, 17.0, 123.4}) {
    Scene scene = rotated(expected.scene, angle);
    for (const int parts : {4, 16}) {
      scene = testing::subdivided(scene);
      testing::expectSame(before, testing::outcomeOf(scene, 1e-4),
                          fmt::format("{} cut in {} at {} degrees", expected.name, parts, angle));
    }
  }
  testing::expectSameAnywhere(expected.scene, 1e-4, 50, 12);
}

// Damage below the tolerances.
TEST_P(Risers, StayWhatTheyAre) {
  const RiserScene expected = riserScenes()[GetParam()];
  if (expected.name == "two strips of a step") GTEST_SKIP() << "any damage makes it too high or not";
  double whole = 0;
  for (const double area : expected.areas) whole += area;
  ExtractSettings settings;
  settings.minArea = 0.05;
  for (const SceneDamage& damage : {SceneDamage{DamageKind::kJitter, 0.0002},
                                    {DamageKind::kCrack, 0.0003},
                                    {DamageKind::kSplit, 0.3},
                                    {DamageKind::kIntersect, 0.1}}) {
    for (uint64_t seed = 0; seed < 8; ++seed) {
      const Result<Scene> scene = damageScene(expected.scene, damage, seed);
      ASSERT_TRUE(scene.ok());
      const Result<Extraction> result = extract(*scene, settings);
      ASSERT_TRUE(result.ok());
      const std::string where = fmt::format("{} with {}, seed {}", expected.name, damageName(damage.kind), seed);
      for (const Violation& v : validate(result->environment, 2)) ADD_FAILURE() << where << ": " << v.message;
      // Where layers lose a passage the report says so.
      const size_t lost = result->report.spots.size();
      const size_t components = areasOf(result->environment).size();
      EXPECT_GE(components, expected.areas.size()) << where;
      EXPECT_LE(components, expected.areas.size() + lost) << where;
      EXPECT_NEAR(areaOf(*result), whole, 0.01 * whole) << where;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Extract, Risers, ::testing::Range<size_t>(0, 18), [](const auto& scene) {
  std::string name = riserScenes()[scene.param].name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

// Two faces lean against each other: lines lead to the side between them, and along it to the corner above, however
// many parts that side has.
TEST(Ridge, LeadsToItsEnd) {
  SceneMaker m;
  const Vec3 top{0, 0, 0.3};
  const Vec3 foot{0.3, 0, 0};
  m.floor(-1, -1, 0, 1, 0.3);
  m.triangle(top, {0, -0.3, 0}, foot);
  m.triangle(top, foot, {0, 0.3, 0});
  m.quad({0, -1, 0}, {1, -1, 0}, foot, {0, -0.3, 0});
  m.triangle(foot, {1, -1, 0}, {1, 1, 0});
  m.quad({0, 0.3, 0}, foot, {1, 1, 0}, {0, 1, 0});
  for (const double angle : {0.0, 17.0, 61.7, 123.4}) {
    Scene scene = rotated(m.scene, angle);
    for (int times = 0; times < 4; ++times) {
      const std::string where = fmt::format("{} degrees, subdivided {} times", angle, times);
      const Result<Extraction> result = extract(scene, {});
      ASSERT_TRUE(result.ok()) << where << ": " << result.error().message;
      testing::checkAreas(*result, {4}, 0.0001, where);
      EXPECT_EQ(testing::holesOf(result->environment), 0U) << where;
      scene = testing::subdivided(scene);
    }
  }
}

}  // namespace
}  // namespace wend
