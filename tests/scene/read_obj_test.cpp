#include <cmath>
#include <string>

#include <wend/file.h>
#include <wend/scene.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "scene/io/triangulate_face.h"
#include "tests/data.h"

namespace wend {
namespace {

Result<Scene> parseObj(std::string_view text, const SceneReadSettings& settings = {}) {
  return parseScene(asBytes(text), "test.obj", settings);
}

double area(const Scene& scene) {
  double sum = 0;
  for (const Scene::Triangle& t : scene.triangles) {
    const Vec3 a = scene.vertices[t.vertices[0]];
    const Vec3 b = scene.vertices[t.vertices[1]];
    const Vec3 c = scene.vertices[t.vertices[2]];
    const Vec3 u{b.x - a.x, b.y - a.y, b.z - a.z};
    const Vec3 v{c.x - a.x, c.y - a.y, c.z - a.z};
    sum += 0.5 * std::hypot(u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x);
  }
  return sum;
}

constexpr const char* kTriangle = "v 0 0 0\nv 1 0 0\nv 0 0 -2\n";

TEST(ReadObj, EmptyIsAnError) {
  EXPECT_EQ(parseObj("").error().code, ErrorCode::kFormat);
  EXPECT_EQ(parseObj("# nothing\n").error().code, ErrorCode::kFormat);
  EXPECT_EQ(parseObj("v 0 0 0\n").error().code, ErrorCode::kEmpty);
}

TEST(ReadObj, YIsUpUnlessSaidOtherwise) {
  const std::string text = std::string(kTriangle) + "f 1 2 3\n";
  const Result<Scene> scene = parseObj(text);
  ASSERT_TRUE(scene.ok()) << scene.error().message;
  EXPECT_EQ(scene->vertices[2], (Vec3{0, 2, 0}));
  EXPECT_EQ(scene->labels, std::vector<std::string>{""});
  SceneReadSettings settings;
  settings.up = UpAxis::kZ;
  settings.scale = 0.01;
  const Result<Scene> same = parseObj(text, settings);
  EXPECT_EQ(same->vertices[2], (Vec3{0, 0, -0.02}));
}

TEST(ReadObj, ReadsSlashesNegativeIdsContinuationsAndLabels) {
  const Result<Scene> scene = parseObj(std::string("\xef\xbb\xbfo hall\n") + kTriangle +
                                       "f 1/7/3 2//1 \\\n 3/1\r\nusemtl  red stone \nf -3 -2 -1\ng\nusemtl\nf 1 2 3");
  ASSERT_TRUE(scene.ok()) << scene.error().message;
  ASSERT_EQ(scene->triangles.size(), 3U);
  EXPECT_EQ(scene->triangles[0].vertices, (std::array<uint32_t, 3>{0, 1, 2}));
  EXPECT_EQ(scene->triangles[1].vertices, scene->triangles[0].vertices);
  EXPECT_EQ(scene->labels, (std::vector<std::string>{"hall", "red stone", ""}));
  EXPECT_EQ(scene->triangles[1].label, 1U);
  EXPECT_EQ(scene->triangles[2].label, 2U);
  SceneReadSettings settings;
  settings.labels = LabelSource::kObject;
  EXPECT_EQ(parseObj(std::string("o hall\n") + kTriangle + "usemtl red\nf 1 2 3\n", settings)->labels[0], "hall");
}

TEST(ReadObj, HostileLinesNameTheirNumber) {
  const auto wrong = [](const std::string& tail, ErrorCode code) {
    const Result<Scene> scene = parseObj(std::string(kTriangle) + tail);
    ASSERT_FALSE(scene.ok()) << tail;
    EXPECT_EQ(scene.error().code, code) << tail << scene.error().message;
    EXPECT_NE(scene.error().message.find("line 4"), std::string::npos) << scene.error().message;
  };
  wrong("f 1 2 4\n", ErrorCode::kFormat);
  wrong("f 1 2 -4\n", ErrorCode::kFormat);
  wrong("f 1 2 0\n", ErrorCode::kFormat);
  wrong("f 1 2\n", ErrorCode::kFormat);
  wrong("f 1 2 x\n", ErrorCode::kFormat);
  wrong("f 1 2 99999999999999999999\n", ErrorCode::kFormat);
  wrong("f 1 2 -9223372036854775808\n", ErrorCode::kFormat);
  wrong("v 1 2\n", ErrorCode::kFormat);
  wrong("v 1 2 nan\n", ErrorCode::kFormat);
  wrong("v 1 2 1e999\n", ErrorCode::kFormat);
  wrong("v 1 2 1e9\n", ErrorCode::kLimit);
  std::string long_face = "f";
  for (int i = 0; i < 5000; ++i) long_face += " 1";
  wrong(long_face + "\n", ErrorCode::kLimit);
  wrong(std::string(size_t{3} << 20, 'x') + "\n", ErrorCode::kLimit);
}

TEST(ReadObj, LimitsHold) {
  SceneReadSettings settings;
  settings.maxTriangles = 1;
  EXPECT_EQ(parseObj(std::string(kTriangle) + "f 1 2 3\nf 1 2 3\n", settings).error().code, ErrorCode::kLimit);
  settings.maxVertices = 2;
  EXPECT_EQ(parseObj(kTriangle, settings).error().code, ErrorCode::kLimit);
  settings = {};
  settings.maxBytes = 4;
  EXPECT_EQ(parseObj(kTriangle, settings).error().code, ErrorCode::kLimit);
  settings = {};
  settings.scale = 0;
  EXPECT_EQ(parseObj(kTriangle, settings).error().code, ErrorCode::kInvalidSettings);
}

TEST(ReadObj, CutsConcaveFacesAlongTheirNotch) {
  // A U of area 7 standing upright; its fan would cover the notch.
  const Result<Scene> scene =
      parseObj("v 0 0 0\nv 3 0 0\nv 3 3 0\nv 2 3 0\nv 2 1 0\nv 1 1 0\nv 1 3 0\nv 0 3 0\nf 3 4 5 6 7 8 1 2\n");
  ASSERT_TRUE(scene.ok()) << scene.error().message;
  EXPECT_EQ(scene->triangles.size(), 6U);
  EXPECT_NEAR(area(*scene), 7.0, 1e-12);
}

TEST(TriangulateFace, ConvexBecomesTheFanAndRubbishComesToAnEnd) {
  const std::vector<Vec3> square{{0, 0, 5}, {1, 0, 5}, {1, 1, 5}, {0, 1, 5}};
  EXPECT_EQ(triangulateFace(square), (std::vector<std::array<uint32_t, 3>>{{0, 1, 2}, {0, 2, 3}}));
  const std::vector<Vec3> collapsed(100, Vec3{1, 2, 3});
  EXPECT_EQ(triangulateFace(collapsed).size(), 98U);
  const std::vector<Vec3> bowTie{{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}};
  EXPECT_EQ(triangulateFace(bowTie).size(), 2U);
}

TEST(ReadObj, RealScenes) {
  const std::string navTest = dataFile("scenes/nav_test.obj");
  if (navTest.empty()) GTEST_SKIP() << "skipped: no data";
  const Result<Scene> scene = readScene(navTest);
  ASSERT_TRUE(scene.ok()) << scene.error().message;
  EXPECT_EQ(scene->triangles.size(), 1612U);
  const Result<Scene> dungeon = readScene(dataFile("scenes/dungeon.obj"));
  ASSERT_TRUE(dungeon.ok()) << dungeon.error().message;
  EXPECT_EQ(dungeon->triangles.size(), 10133U);
}

TEST(ReadScene, MissingFilesAndFoldersAreErrors) {
  EXPECT_EQ(readScene("/nowhere/x.obj").error().code, ErrorCode::kFileNotFound);
  EXPECT_EQ(readScene("/tmp").error().code, ErrorCode::kFileNotFound);
}

}  // namespace
}  // namespace wend
