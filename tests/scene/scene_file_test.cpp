#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include <wend/file.h>
#include <wend/make_scene.h>
#include <wend/scene.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"

namespace wend {
namespace {

Result<Scene> parseFile(std::string_view bytes, const SceneReadSettings& settings = {}) {
  return parseScene(asBytes(bytes), "test", settings);
}

Scene madeScene(const std::string& kind) {
  MakeSceneSettings settings;
  settings.kind = kind;
  return makeScene(settings)->scene;
}

template <typename T>
std::string raw(std::initializer_list<T> values) {
  std::string bytes;
  for (const T value : values) bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  return bytes;
}

void expectError(std::string_view bytes, ErrorCode code, std::string_view part) {
  const Result<Scene> scene = parseFile(bytes);
  ASSERT_FALSE(scene.ok()) << part;
  EXPECT_EQ(scene.error().code, code) << scene.error().message;
  EXPECT_NE(scene.error().message.find(part), std::string::npos) << scene.error().message;
}

// --- Writers and their readers ---

TEST(SceneFile, GlbAndObjComeBackAsTheyWere) {
  const Scene scene = madeScene("s25");
  const Result<Scene> obj = parseFile(*formatScene(scene, SceneFormat::kObj));
  ASSERT_TRUE(obj.ok()) << obj.error().message;
  EXPECT_EQ(*obj, scene);
  // All coordinates of this scene are exact in single precision.
  const Result<Scene> glb = parseFile(*formatScene(scene, SceneFormat::kGlb));
  ASSERT_TRUE(glb.ok()) << glb.error().message;
  EXPECT_EQ(*glb, scene);
}

TEST(SceneFile, WritesByExtensionAndRefusesOthers) {
  const Scene scene = madeScene("s01");
  const std::string file = ::testing::TempDir() + "scene_file_test.GLB";
  ASSERT_TRUE(writeScene(scene, file).ok());
  EXPECT_EQ(*readScene(file), scene);
  std::filesystem::remove(file);
  EXPECT_EQ(writeScene(scene, "x.fbx").error().code, ErrorCode::kInvalidSettings);
  EXPECT_EQ(writeScene(scene, "/nowhere/x.glb").error().code, ErrorCode::kFileNotWritten);
  EXPECT_EQ(formatScene(Scene{}, SceneFormat::kGlb).error().code, ErrorCode::kEmpty);
  Scene broken = scene;
  broken.triangles[0].vertices[1] = 99;
  EXPECT_EQ(formatScene(broken, SceneFormat::kObj).error().code, ErrorCode::kInvalidGeometry);
}

// --- glTF ---

// A triangle (0,0,0) (1,0,0) (0,1,0) in the file's axes, as glTF with its buffer inside; `nodes` and `more` are JSON.
std::string gltf(const std::string& nodes = R"([{"mesh":0,"name":"n"}])", const std::string& more = "") {
  // Nine floats, then three 16-bit indices.
  return R"({"asset":{"version":"2.0"},"nodes":)" + nodes +
         R"(,"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
      "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},
                   {"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}],
      "bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":6}],
      "buffers":[{"byteLength":42,"uri":"data:application/octet-stream;base64,)" +
         "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAABAAIA" + "\"}]" + more + "}";
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(ReadGltf, ReadsBuffersInsideAndNames) {
  const Result<Scene> scene = parseFile(gltf());
  ASSERT_TRUE(scene.ok()) << scene.error().message;
  EXPECT_EQ(scene->vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}));
  EXPECT_EQ(scene->labels, std::vector<std::string>{"n"});
}

TEST(ReadGltf, AppliesTransformsInstancesAndMirrors) {
  const Result<Scene> scene = parseFile(gltf(
      R"([{"children":[1,2],"translation":[10,0,0]},{"mesh":0,"scale":[2,2,2]},
          {"mesh":0,"matrix":[-1,0,0,0, 0,1,0,0, 0,0,1,0, 0,5,0,1]}])"));
  ASSERT_TRUE(scene.ok()) << scene.error().message;
  ASSERT_EQ(scene->triangles.size(), 2U);
  EXPECT_EQ(scene->vertices[1], (Vec3{12, 0, 0}));
  EXPECT_EQ(scene->vertices[4], (Vec3{9, 0, 5}));
  // The mirrored copy turns its corners, so that its front stays its front.
  EXPECT_EQ(scene->triangles[1].vertices, (std::array<uint32_t, 3>{3, 5, 4}));
  const Result<Scene> turned =
      parseFile(gltf(R"([{"mesh":0,"rotation":[0,0,0.7071067811865476,0.7071067811865476]}])"));
  EXPECT_NEAR(turned->vertices[1].z, 1, 1e-12);
}

TEST(ReadGltf, StripsAndFansBecomeTriangles) {
  for (const char* mode : {"5", "6"}) {
    const Result<Scene> scene = parseFile(with(gltf(), R"("indices":1)", std::string(R"("mode":)") + mode));
    ASSERT_TRUE(scene.ok()) << scene.error().message;
    EXPECT_EQ(scene->triangles.size(), 1U);
  }
  EXPECT_EQ(parseFile(with(gltf(), R"("indices":1)", R"("mode":1)")).error().code, ErrorCode::kEmpty);
}

TEST(ReadGltf, HostileDocumentsAreErrors) {
  using enum ErrorCode;
  expectError(gltf(R"([{"children":[0],"mesh":0}])"), kEmpty, "no triangle");  // a circle has no root
  expectError(gltf(R"([{"children":[0],"mesh":0}])", R"(,"scenes":[{"nodes":[0]}])"), kFormat, "ancestor");
  expectError(gltf(R"([{"children":[2]},{"children":[2]},{"mesh":0}])"), kFormat, "two parents");
  expectError(gltf(R"([{"mesh":7}])"), kFormat, "number 7 of 1 'meshes'");
  expectError(gltf(R"([{"mesh":-1}])"), kFormat, "whole number");
  expectError(gltf(R"([{"mesh":0,"matrix":[1,2]}])"), kFormat, "16 numbers");
  expectError(gltf(R"([{"mesh":0,"scale":[1,2,"x"]}])"), kFormat, "numbers");
  expectError(gltf(R"([{"mesh":0,"scale":[1e300,1e300,1e300]}])"), kLimit, "beyond");
  expectError(gltf(R"([{"mesh":0}])", R"(,"extensionsRequired":["KHR_draco_mesh_compression"])"), kUnsupported,
              "draco");
  expectError(with(gltf(), R"("count":3,"type":"VEC3")", R"("count":4,"type":"VEC3")"), kFormat, "beyond its view");
  expectError(with(gltf(), R"("count":3,"type":"VEC3")", R"("count":999999999999,"type":"VEC3")"), kFormat, "beyond");
  expectError(with(gltf(), R"("byteLength":36)", R"("byteLength":360)"), kFormat, "beyond the buffer");
  expectError(with(gltf(), R"("bufferView":0,)", ""), kFormat, "no buffer");
  expectError(with(gltf(), R"("buffer":0,"byteLength":36)", R"("buffer":9,"byteLength":36)"), kFormat,
              "does not exist");
  expectError(with(gltf(), "AAAA", "A!AA"), kFormat, "base64");
  expectError(with(gltf(), "ABAAIA", "ABAP8A"), kFormat, "names vertex 255 of 3");
  expectError(with(gltf(), R"("componentType":5126)", R"("componentType":9)"), kFormat, "component type");
  expectError(gltf() + "}", kFormat, "JSON is broken");
  expectError(with(gltf(), "data:application", "../../etc/passwd"), kUnsupported, "other files");
  std::string deep = "{\"asset\":";
  for (int i = 0; i < 5000; ++i) deep += "[";
  expectError(deep, kLimit, "nested");
}

// Nodes that share a mesh cost the file a few bytes.
TEST(ReadGltf, WhatNodesShareIsLimitedByTheFile) {
  const auto document = [](size_t nodes, const std::string& primitives) {
    std::string list;
    for (size_t i = 0; i < nodes; ++i) list += i == 0 ? "{\"mesh\":0}" : ",{\"mesh\":0}";
    return R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":12000,"uri":"data:application/octet-stream;base64,)" +
           std::string(16000, 'A') + R"("}],"bufferViews":[{"buffer":0,"byteLength":12000}],)" +
           R"("accessors":[{"bufferView":0,"componentType":5126,"count":1000,"type":"VEC3"}],"meshes":[{"primitives":[)" +
           primitives + "]}],\"nodes\":[" + list + "]}";
  };
  const std::string places = R"({"attributes":{"POSITION":0}})";
  const Result<Scene> few = parseFile(document(100, places));
  ASSERT_TRUE(few.ok()) << few.error().message;
  EXPECT_EQ(few->vertices.size(), 100'000U);
  expectError(document(6'000, places), ErrorCode::kLimit, "--max-triangles");
  // Points and lines give no triangles.
  std::string lines = R"({"mode":1})";
  for (int i = 1; i < 3000; ++i) lines += R"(,{"mode":1})";
  expectError(document(3'000, lines), ErrorCode::kLimit, "primitives");
}

// The limit grows with the file: naming a file as a buffer forty times does not let it grow forty times.
TEST(ReadGltf, ABufferThatIsNamedOftenCountsOnce) {
  const std::string path = ::testing::TempDir() + "named_often.gltf";
  constexpr size_t kBytes = 120'000;
  std::string buffers = R"({"uri":"named_often.bin"})";
  for (int i = 1; i < 40; ++i)
    buffers += i % 2 == 0 ? R"(,{"uri":"named_often.bin"})" : R"(,{"uri":"named_often.gltf"})";
  std::string nodes = R"({"mesh":0})";
  for (int i = 1; i < 800; ++i) nodes += R"(,{"mesh":0})";
  const std::string text = R"({"asset":{"version":"2.0"},"buffers":[)" + buffers +
                           R"(],"bufferViews":[{"buffer":0,"byteLength":120000}],)" +
                           R"("accessors":[{"bufferView":0,"componentType":5126,"count":10000,"type":"VEC3"}],)" +
                           R"("meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[)" + nodes + "]}";
  ASSERT_TRUE(writeFile(path, text).ok());
  ASSERT_TRUE(writeFile(::testing::TempDir() + "named_often.bin", std::string(kBytes, '\0')).ok());
  const Result<Scene> scene = readScene(path);
  std::filesystem::remove(path);
  std::filesystem::remove(::testing::TempDir() + "named_often.bin");
  ASSERT_FALSE(scene.ok());
  EXPECT_EQ(scene.error().code, ErrorCode::kLimit);
  EXPECT_NE(scene.error().message.find("--max-triangles"), std::string::npos) << scene.error().message;
}

TEST(ReadGltf, OtherFilesStayBesideIt) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "gltf_test";
  std::filesystem::create_directories(folder / "a b");
  const std::string buffer = raw<float>({0, 0, 0, 1, 0, 0, 0, 1, 0}) + raw<uint16_t>({0, 1, 2});
  std::ofstream(folder / "a b" / "t.bin", std::ios::binary) << buffer;
  const std::string inside = gltf();
  const size_t begin = inside.find("data:");
  const size_t end = inside.find('"', begin);
  const auto read = [&](const std::string& uri) {
    std::ofstream(folder / "t.gltf") << inside.substr(0, begin) + uri + inside.substr(end);
    return readScene((folder / "t.gltf").string());
  };
  const Result<Scene> scene = read("a%20b/t.bin");
  ASSERT_TRUE(scene.ok()) << scene.error().message;
  EXPECT_EQ(scene->triangles.size(), 1U);
  EXPECT_EQ(read("../gltf_test/a b/t.bin").error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(read("/dev/zero").error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(read("http://x/t.bin").error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(read("missing.bin").error().code, ErrorCode::kFileNotFound);
  EXPECT_EQ(read("a b").error().code, ErrorCode::kFileNotFound);
  std::filesystem::remove_all(folder);
}

// --- PLY ---

constexpr const char* kPly =
    "ply\nformat ascii 1.0\ncomment x\nelement vertex 4\nproperty float x\nproperty uchar c\nproperty double z\n"
    "property float y\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n";

TEST(ReadPly, ReadsTextInAnyOrderOfProperties) {
  const Result<Scene> scene = parseFile(std::string(kPly) + "0 9 5 0\n1 9 5 0\n1 9 5 1\n0 9\n5 1\n4 0 1 2 3\n2 0 1\n");
  ASSERT_TRUE(scene.ok()) << scene.error().message;
  EXPECT_EQ(scene->vertices[2], (Vec3{1, 1, 5}));
  EXPECT_EQ(scene->triangles.size(), 2U);
}

TEST(ReadPly, ReadsBothByteOrdersAndStrips) {
  const auto file = [](const char* order, const std::string& body) {
    return fmt::format(
               "ply\r\nformat binary_{}_endian 1.0\r\nelement vertex 3\r\nproperty float x\r\nproperty float y\r\n"
               "property float z\r\nelement tristrips 1\r\nproperty list int int vertex_indices\r\nend_header\r\n",
               order) +
           body;
  };
  std::string little = raw<float>({0, 0, 0, 1, 0, 0, 0, 2, 0}) + raw<int32_t>({7, 0, 1, 2, -1, 0, 2, 1});
  const Result<Scene> scene = parseFile(file("little", little));
  ASSERT_TRUE(scene.ok()) << scene.error().message;
  EXPECT_EQ(scene->triangles.size(), 2U);
  EXPECT_EQ(scene->vertices[2], (Vec3{0, 2, 0}));
  for (size_t i = 0; i < little.size(); i += 4) std::reverse(little.begin() + i, little.begin() + i + 4);
  EXPECT_EQ(*parseFile(file("big", little)), *scene);
}

// A corridor that winds up: cutting off ears finds one after many corners. Looked at anew for each cut, these 20 faces
// took more than a minute.
TEST(ReadPly, FacesThatWindUpTakeLittleTime) {
  constexpr size_t kHalf = 2048;
  constexpr int kFaces = 20;
  constexpr double kTurns = 50;
  constexpr double kWidth = 0.36;
  const auto at = [](size_t i, double inward) {
    const double share = static_cast<double>(i) / kHalf;
    const double angle = share * kTurns * 2 * 3.14159265358979;
    const double r = 100 - 60 * share - inward;
    return Vec2{r * std::cos(angle), r * std::sin(angle)};
  };
  std::vector<Vec2> corners;
  for (size_t i = 0; i < kHalf; ++i) corners.push_back(at(i, 0));
  for (size_t i = kHalf; i-- > 0;) corners.push_back(at(i, kWidth));
  std::string file = fmt::format(
      "ply\nformat ascii 1.0\nelement vertex {}\nproperty double x\nproperty double y\nproperty double z\n"
      "element face {}\nproperty list int int vertex_indices\nend_header\n",
      corners.size(), kFaces);
  for (const Vec2 p : corners) file += fmt::format("{} {} 0\n", p.x, p.y);
  std::string face = std::to_string(corners.size());
  for (size_t i = 0; i < corners.size(); ++i) face += fmt::format(" {}", i);
  for (int i = 0; i < kFaces; ++i) file += face + "\n";
  const auto begin = std::chrono::steady_clock::now();
  const Result<Scene> scene = parseFile(file);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  ASSERT_TRUE(scene.ok()) << scene.error().message;
  EXPECT_LT(seconds, 30);
  ASSERT_EQ(scene->triangles.size(), kFaces * (corners.size() - 2));
  // The triangles lie in the polygon and fill it.
  const auto doubled = [&](Vec2 a, Vec2 b, Vec2 c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); };
  double sum = 0;
  for (const Scene::Triangle& t : scene->triangles) {
    const double area = doubled(corners[t.vertices[0]], corners[t.vertices[1]], corners[t.vertices[2]]);
    EXPECT_GE(area, 0);
    sum += area / kFaces;
  }
  double whole = 0;
  for (size_t i = 1; i + 1 < corners.size(); ++i) whole += doubled(corners[0], corners[i], corners[i + 1]);
  EXPECT_NEAR(sum, whole, 1e-6 * whole);
}

// Faces that cross themselves everywhere have few ears. These took a minute per megabyte.
TEST(ReadPly, FacesThatCrossThemselvesEndInASentence) {
  constexpr size_t kCorners = 4096;
  constexpr int kFaces = 8;
  Random random(5);
  std::string file = fmt::format(
      "ply\nformat binary_little_endian 1.0\nelement vertex {}\nproperty float x\nproperty float y\nproperty float z\n"
      "element face {}\nproperty list ushort ushort vertex_indices\nend_header\n",
      kCorners, kFaces);
  const auto add = [&](auto value) { file.append(reinterpret_cast<const char*>(&value), sizeof value); };
  for (size_t i = 0; i < kCorners; ++i) {
    add(static_cast<float>(random.real()));
    add(static_cast<float>(random.real()));
    add(0.0F);
  }
  for (int i = 0; i < kFaces; ++i) {
    add(static_cast<uint16_t>(kCorners));
    for (size_t k = 0; k < kCorners; ++k) add(static_cast<uint16_t>(k));
  }
  expectError(file, ErrorCode::kLimit, "cross themselves");
}

TEST(ReadPly, HostileFilesAreErrors) {
  using enum ErrorCode;
  const std::string four = "0 9 5 0\n1 9 5 0\n1 9 5 1\n0 9 5 1\n";
  expectError(std::string(kPly) + four + "3 0 1 4\n3 0 1 2\n", kFormat, "face 0: a face names vertex 4");
  expectError(std::string(kPly) + four + "3 0 1 2\n3 0 1 -2\n", kFormat, "face 1");
  expectError(std::string(kPly) + four + "3 0 1 2\n", kFormat, "face 1: the file ends");
  expectError(std::string(kPly) + four + "99999 0 1 2\n", kLimit, "list");
  expectError(std::string(kPly) + "nan 9 5 0\n", kFormat, "vertex 0");
  expectError(std::string(kPly) + "x 9 5 0\n", kFormat, "not a number");
  expectError("ply\nformat ascii 1.0\n", kFormat, "end_header");
  expectError("ply\nend_header\n", kFormat, "no format");
  expectError("ply\nformat ascii 1.0\nproperty float x\nend_header\n", kFormat, "before the first element");
  expectError("ply\nformat ascii 1.0\nelement vertex 18446744073709551615\nend_header\n", kFormat, "no property");
  expectError("ply\nformat ascii 1.0\nelement vertex 18446744073709551615\nproperty float x\nend_header\n1\n", kFormat,
              "ends");
  expectError("ply\nformat ascii 1.0\nelement face x\nend_header\n", kFormat, "count");
}

// --- STL ---

std::string binaryStl(std::initializer_list<float> corners) {
  std::string bytes(80, ' ');
  bytes += raw<uint32_t>({static_cast<uint32_t>(corners.size() / 9)});
  size_t k = 0;
  for (const float value : corners) {
    if (k++ % 9 == 0) bytes += std::string(12, '\0');
    bytes += raw<float>({value});
    if (k % 9 == 0) bytes += std::string(2, '\0');
  }
  return bytes;
}

TEST(ReadStl, EqualCornersBecomeOneVertex) {
  const Result<Scene> scene = parseFile(binaryStl({0, 0, 0, 1, 0, 0, 0, 1, 0, -0.0F, 1, 0, 1, 0, 0, 1, 1, 0}));
  ASSERT_TRUE(scene.ok()) << scene.error().message;
  EXPECT_EQ(scene->vertices.size(), 4U);
  EXPECT_EQ(scene->triangles.size(), 2U);
  const Result<Scene> text = parseFile(
      "solid a b\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n   vertex 0 1 0\n  endloop\n "
      "endfacet\nendsolid\n");
  ASSERT_TRUE(text.ok()) << text.error().message;
  EXPECT_EQ(text->labels, std::vector<std::string>{"a b"});
}

TEST(ReadStl, HostileFilesAreErrors) {
  using enum ErrorCode;
  expectError(binaryStl({0, 0, 0, 1, 0, NAN, 0, 1, 0}), kFormat, "triangle 0");
  expectError(binaryStl({0, 0, 0, 1, 0, 3e38F, 0, 1, 0}), kLimit, "beyond");
  expectError("solid\nfacet\nvertex 1 2 3\nvertex 1 2 3\nendloop\n", kFormat, "fewer than three");
  expectError("solid\nfacet\nvertex 1 2 3\nvertex 1 2 3\nvertex 1 2 3\nvertex 1 2 3\n", kFormat, "more than three");
  expectError("solid\nfacet\nvertex 1 2\n", kFormat, "line 3");
  expectError("solid\nfacet\nvertex 1 2 3\n", kFormat, "within a triangle");
  std::string cut = binaryStl({0, 0, 0, 1, 0, 0, 0, 1, 0});
  cut.pop_back();
  EXPECT_FALSE(parseFile(cut).ok());
}

// As far as the first triangle is there, to tell it from other bytes.
TEST(ReadStl, ACutFileIsSaidToBeCut) {
  const std::string whole = binaryStl({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0});
  ASSERT_EQ(whole.size(), 184U);
  ASSERT_TRUE(parseFile(whole).ok());
  for (const size_t size : {134U, 150U, 183U}) {
    expectError(whole.substr(0, size), ErrorCode::kFormat, "cut off");
    expectError(whole.substr(0, size), ErrorCode::kFormat, "has 184 bytes, this one " + std::to_string(size));
  }
}

// --- All of them ---

TEST(SceneFile, CutAndBentFilesNeverCrash) {
  const Scene scene = madeScene("s32");
  const std::vector<std::string> files{*formatScene(scene, SceneFormat::kGlb), *formatScene(scene, SceneFormat::kObj),
                                       gltf(), binaryStl({0, 0, 0, 1, 0, 0, 0, 1, 0}),
                                       std::string(kPly) + "0 9 5 0\n1 9 5 0\n1 9 5 1\n0 9 5 1\n4 0 1 2 3\n3 0 1 2\n"};
  Random random(7);
  int good = 0;
  for (const std::string& file : files) {
    for (size_t i = 0; i < 400; ++i) {
      std::string bent = file.substr(0, i % 4 == 0 ? random.below(file.size() + 1) : file.size());
      for (uint64_t k = random.below(6); k > 0 && !bent.empty(); --k) {
        bent[random.below(bent.size())] = static_cast<char>(random.below(256));
      }
      const Result<Scene> read = parseFile(bent);
      if (!read.ok()) continue;
      ++good;
      for (const Scene::Triangle& t : read->triangles) {
        for (const uint32_t v : t.vertices) ASSERT_LT(v, read->vertices.size());
        ASSERT_LT(t.label, read->labels.size());
      }
      for (const Vec3& p : read->vertices) ASSERT_LE(std::abs(p.x) + std::abs(p.y) + std::abs(p.z), 3e8);
    }
  }
  EXPECT_GT(good, 100);
}

TEST(SceneFile, UnknownContentIsAnError) {
  expectError("hello world\n", ErrorCode::kFormat, "no scene");
  expectError("type octile\nheight 1\n", ErrorCode::kFormat, "no scene");
  expectError(std::string(100, '\0'), ErrorCode::kFormat, "no scene");
}

}  // namespace
}  // namespace wend
