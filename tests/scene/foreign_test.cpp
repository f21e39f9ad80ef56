#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <wend/file.h>
#include <wend/scene.h>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scene/io/import_child.h"

namespace wend {
namespace {

Result<Scene> parse(std::string_view bytes, const SceneReadSettings& settings = {}) {
  return parseScene(asBytes(bytes), "test", settings);
}

#ifdef WEND_HAS_IMPORT
constexpr bool kHasImport = true;
#else
constexpr bool kHasImport = false;
#endif

// --- The program of its own ---

// Makes another program stand in for wend-import while it lives.
class OtherImport {
 public:
  explicit OtherImport(const char* program) { ::setenv("WEND_IMPORT", program, 1); }
  ~OtherImport() { ::unsetenv("WEND_IMPORT"); }
  OtherImport(const OtherImport&) = delete;
  OtherImport& operator=(const OtherImport&) = delete;
};

Scene oneTriangle() {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{{0, 1, 2}, 0}}, {"floor"}};
}

// What the importer of tests/programs/faulty_import.cpp makes of a word.
Result<Scene> importWord(const std::string& word, const SceneReadSettings& settings = {}) {
  const OtherImport other(WEND_FAULTY_IMPORT);
  return parse("ISO-10303-21; " + word, settings);
}

TEST(ImportProgram, ScenesAndErrorsComeBack) {
  const Result<Scene> scene = importWord("good");
  ASSERT_TRUE(scene.ok()) << scene.error().message;
  EXPECT_EQ(*scene, oneTriangle());
  const Result<Scene> printed = importWord("print");
  ASSERT_TRUE(printed.ok()) << printed.error().message;
  EXPECT_EQ(*printed, oneTriangle());
  const Result<Scene> error = importWord("error");
  EXPECT_EQ(error.error().code, ErrorCode::kLimit);
  EXPECT_EQ(error.error().message, "'test': too much");
}

TEST(ImportProgram, GetsTheWholeFileAndTheSettings) {
  const OtherImport other(WEND_FAULTY_IMPORT);
  const Result<Scene> inMemory = parse("ISO-10303-21; size");
  ASSERT_TRUE(inMemory.ok()) << inMemory.error().message;
  EXPECT_EQ(inMemory->labels[0], "18");
  const std::string path = ::testing::TempDir() + "wend_import_test.ifc";
  ASSERT_TRUE(writeFile(path, "ISO-10303-21;" + std::string(1000, ' ') + "size").ok());
  const Result<Scene> onDisk = readScene(path);
  std::remove(path.c_str());
  ASSERT_TRUE(onDisk.ok()) << onDisk.error().message;
  EXPECT_EQ(onDisk->labels[0], "1017");
  SceneReadSettings settings;
  settings.scale = 0.125;
  const Result<Scene> scaled = parse("ISO-10303-21; scale", settings);
  ASSERT_TRUE(scaled.ok()) << scaled.error().message;
  EXPECT_EQ(scaled->labels[0], "0.125000");
}

TEST(ImportProgram, CrashesExceptionsAndNonsenseAreErrors) {
  for (const char* word : {"abort", "segfault", "throw-number", "nonsense"}) {
    const Result<Scene> scene = importWord(word);
    ASSERT_FALSE(scene.ok()) << word;
    EXPECT_EQ(scene.error().code, ErrorCode::kFormat) << word << ": " << scene.error().message;
  }
  EXPECT_EQ(importWord("throw").error().message, "'test': broken");
}

TEST(ImportProgram, ReachesNothingButItsAnswer) {
  // A file that wend's caller has open, and that another program would inherit.
  const int open = ::open("/dev/null", O_RDONLY);  // NOLINT(android-cloexec-open): that is the point
  const Result<Scene> files = importWord("files");
  ::close(open);
  ASSERT_TRUE(files.ok()) << files.error().message;
  EXPECT_EQ(files->labels[0], "1");
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const Result<Scene> reach = importWord("reach");
  ASSERT_TRUE(reach.ok()) << reach.error().message;
  EXPECT_EQ(reach->labels[0], "none");
#endif
}

// An importer that was taken over by its file answers what it likes.
TEST(ImportProgram, AnswersWithoutEndAreRefused) {
  const std::string program = ::testing::TempDir() + "wend_endless_import";
  // A scene without vertices and triangles, and with 2^40 names, all empty.
  ASSERT_TRUE(writeFile(program,
                        "#!/bin/sh\nprintf '\\001'\nhead -c 16 /dev/zero\n"
                        "printf '\\000\\000\\000\\000\\000\\001\\000\\000'\nexec cat /dev/zero\n")
                  .ok());
  ASSERT_EQ(::chmod(program.c_str(), 0700), 0);
  const OtherImport other(program.c_str());
  SceneReadSettings settings;
  settings.maxSeconds = 20;
  const Result<Scene> scene = parse("ISO-10303-21; good", settings);
  std::remove(program.c_str());
  ASSERT_FALSE(scene.ok());
  EXPECT_EQ(scene.error().message, "'test': it has too many names");
}

TEST(ImportProgram, EndlessLoopsAndHungerEnd) {
  SceneReadSettings settings;
  settings.maxSeconds = 1;
  const Result<Scene> loop = importWord("loop", settings);
  EXPECT_EQ(loop.error().code, ErrorCode::kLimit) << loop.error().message;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  settings.maxSeconds = 60;
  settings.maxImporterBytes = size_t{64} << 20;
  const Result<Scene> hunger = importWord("hunger", settings);
  EXPECT_EQ(hunger.error().code, ErrorCode::kLimit) << hunger.error().message;
#endif
}

TEST(ImportProgram, CanBeCancelled) {
  const OtherImport other(WEND_FAULTY_IMPORT);
  Context context;
  std::jthread stop([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    context.cancel();
  });
  const Result<Scene> scene = parseScene(asBytes("ISO-10303-21; loop"), "test", {}, context);
  ASSERT_FALSE(scene.ok());
  EXPECT_EQ(scene.error().code, ErrorCode::kCancelled) << scene.error().message;
}

TEST(ImportProgram, SeveralThreadsReadAtOnce) {
  const OtherImport other(WEND_FAULTY_IMPORT);
  std::atomic<int> good{0};
  {
    std::vector<std::jthread> readers;
    for (int i = 0; i < 4; ++i) {
      readers.emplace_back([&] {
        const Result<Scene> scene = parse("ISO-10303-21; good");
        if (scene.ok() && *scene == oneTriangle()) ++good;
      });
    }
  }
  EXPECT_EQ(good, 4);
}

TEST(ImportProgram, AMissingOrWrongProgramIsOneSentence) {
  {
    const OtherImport none("/nowhere/wend-import");
    const Result<Scene> scene = parse("ISO-10303-21; good");
    ASSERT_FALSE(scene.ok());
    EXPECT_EQ(scene.error().code, ErrorCode::kUnsupported);
    EXPECT_NE(scene.error().message.find("/nowhere/wend-import"), std::string::npos) << scene.error().message;
  }
  const OtherImport wrong("/bin/echo");
  const Result<Scene> scene = parse("ISO-10303-21; good");
  ASSERT_FALSE(scene.ok());
  EXPECT_EQ(scene.error().code, ErrorCode::kFormat) << scene.error().message;
}

Result<ImportRequest> requestOf(std::vector<std::string> words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  return ImportRequest::fromArguments(pointers);
}

TEST(ImportProgram, RequestsSurviveTheCommandLine) {
  ImportRequest request;
  request.format = SceneFormat::kCollada;
  request.settings = {.up = UpAxis::kX,
                      .scale = 0.1,
                      .labels = LabelSource::kObject,
                      .maxBytes = 1,
                      .maxVertices = 2,
                      .maxTriangles = SIZE_MAX,
                      .maxSeconds = 1.0 / 3,
                      .maxImporterBytes = 4};
  const Result<ImportRequest> again = requestOf(request.toArguments());
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(again->toArguments(), request.toArguments());
  EXPECT_EQ(again->format, request.format);
  EXPECT_EQ(again->settings.scale, request.settings.scale);
  EXPECT_EQ(again->settings.maxSeconds, request.settings.maxSeconds);
  EXPECT_EQ(again->settings.maxTriangles, request.settings.maxTriangles);

  std::vector<std::string> words = request.toArguments();
  words[0] = "999";
  EXPECT_EQ(requestOf(words).error().code, ErrorCode::kUnsupported);
  words = request.toArguments();
  words.pop_back();
  EXPECT_FALSE(requestOf(words).ok());
}

// --- COLLADA ---

// A unit square in the x-z plane of a file with z up, in centimetres, moved by 300 along z; two materials.
std::string collada(const std::string& up = "Z_UP") {
  return R"(<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="0.01"/><up_axis>)" +
         up + R"(</up_axis></asset>
<library_effects><effect id="e"><profile_COMMON><technique sid="t"><lambert/></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="stone" name="stone"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g" name="slab"><mesh>
<source id="p"><float_array id="pa" count="12">0 0 0 100 0 0 100 0 100 0 0 100</float_array>
<technique_common><accessor source="#pa" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<polylist count="1" material="m"><input semantic="VERTEX" source="#v" offset="0"/><vcount>4</vcount><p>0 1 2 3</p></polylist>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n" name="part"><translate>0 0 300</translate>
<instance_geometry url="#g"><bind_material><technique_common><instance_material symbol="m" target="#stone"/></technique_common></bind_material></instance_geometry>
</node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>)";
}

void expectBox(const Scene& scene, Vec3 low, Vec3 high) {
  Vec3 a = scene.vertices[0];
  Vec3 b = a;
  for (const Vec3& p : scene.vertices) {
    a = {std::min(a.x, p.x), std::min(a.y, p.y), std::min(a.z, p.z)};
    b = {std::max(b.x, p.x), std::max(b.y, p.y), std::max(b.z, p.z)};
  }
  for (const auto& [is, should] : {std::pair{a, low}, std::pair{b, high}}) {
    EXPECT_NEAR(is.x, should.x, 1e-5);
    EXPECT_NEAR(is.y, should.y, 1e-5);
    EXPECT_NEAR(is.z, should.z, 1e-5);
  }
}

TEST(ReadCollada, UnitsAxesNodesAndMaterialsArriveInMetres) {
  if (!kHasImport) GTEST_SKIP() << "skipped: wend was built without Assimp";
  const Result<Scene> scene = parse(collada());
  ASSERT_TRUE(scene.ok()) << scene.error().message;
  EXPECT_EQ(scene->triangles.size(), 2U);
  expectBox(*scene, {0, 0, 3}, {1, 0, 4});
  EXPECT_EQ(scene->labels, std::vector<std::string>{"stone"});
  // With y up, the square lies flat, and the node moves it along the ground.
  const Result<Scene> flat = parse(collada("Y_UP"));
  ASSERT_TRUE(flat.ok()) << flat.error().message;
  expectBox(*flat, {0, -4, 0}, {1, -3, 0});
}

TEST(ReadCollada, BrokenFilesAreErrors) {
  const std::string good = collada();
  for (size_t length = 10; length + 10 < good.size(); length += 131) {
    const Result<Scene> scene = parse(std::string_view(good).substr(0, length));
    ASSERT_FALSE(scene.ok()) << length;
    EXPECT_FALSE(scene.error().message.empty());
  }
}

// --- FBX ---

std::string fbx(int upAxis, double unit) {
  return "; FBX 7.3.0 project file\nFBXHeaderExtension:  {\n FBXHeaderVersion: 1003\n FBXVersion: 7300\n}\n"
         "GlobalSettings:  {\n Version: 1000\n Properties70:  {\n  P: \"UpAxis\", \"int\", \"Integer\", \"\"," +
         std::to_string(upAxis) + "\n  P: \"UpAxisSign\", \"int\", \"Integer\", \"\",1\n" +
         "  P: \"FrontAxis\", \"int\", \"Integer\", \"\"," + (upAxis == 1 ? "2" : "1") +
         "\n  P: \"FrontAxisSign\", \"int\", \"Integer\", \"\"," + (upAxis == 1 ? "1" : "-1") +
         "\n  P: \"CoordAxis\", \"int\", \"Integer\", \"\",0\n  P: \"CoordAxisSign\", \"int\", \"Integer\", \"\",1\n"
         "  P: \"UnitScaleFactor\", \"double\", \"Number\", \"\"," +
         std::to_string(unit) +
         "\n }\n}\nObjects:  {\n Geometry: 1000, \"Geometry::\", \"Mesh\" {\n"
         "  Vertices: *12 {\n   a: 0,0,0,2,0,0,2,1,0,0,1,0\n  }\n  PolygonVertexIndex: *4 {\n   a: 0,1,2,-4\n  }\n"
         "  GeometryVersion: 124\n }\n Model: 2000, \"Model::part\", \"Mesh\" {\n  Version: 232\n }\n}\n"
         "Connections:  {\n C: \"OO\",2000,0\n C: \"OO\",1000,2000\n}\n";
}

TEST(ReadFbx, UnitsAndAxesArriveInMetres) {
  if (!kHasImport) GTEST_SKIP() << "skipped: wend was built without Assimp";
  const Result<Scene> yUp = parse(fbx(1, 100));
  ASSERT_TRUE(yUp.ok()) << yUp.error().message;
  EXPECT_EQ(yUp->triangles.size(), 2U);
  expectBox(*yUp, {0, 0, 0}, {2, 0, 1});
  const Result<Scene> zUp = parse(fbx(2, 100));
  ASSERT_TRUE(zUp.ok()) << zUp.error().message;
  expectBox(*zUp, {0, 0, 0}, {2, 1, 0});
  const Result<Scene> centimetres = parse(fbx(1, 1));
  ASSERT_TRUE(centimetres.ok()) << centimetres.error().message;
  expectBox(*centimetres, {0, 0, 0}, {0.02, 0, 0.01});
}

TEST(ReadFbx, BrokenFilesAreErrors) {
  EXPECT_FALSE(parse("; FBX 7.3.0 project file\n").ok());
  EXPECT_FALSE(parse("Kaydara FBX Binary  \0\x1a\0 rubbish").ok());
  const std::string good = fbx(1, 1);
  for (size_t length = 30; length + 200 < good.size(); length += 173) {
    EXPECT_FALSE(parse(std::string_view(good).substr(0, length)).ok()) << length;
  }
}

// --- IFC ---

// A slab of 4000 mm by 2000 mm, extruded by 300 mm.
constexpr const char* kIfc = R"(ISO-10303-21;
HEADER;
FILE_DESCRIPTION((''),'2;1');
FILE_NAME('x','2020-01-01T00:00:00',(''),(''),'','','');
FILE_SCHEMA(('IFC2X3'));
ENDSEC;
DATA;
#1=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);
#2=IFCUNITASSIGNMENT((#1));
#3=IFCCARTESIANPOINT((0.,0.,0.));
#4=IFCDIRECTION((0.,0.,1.));
#5=IFCDIRECTION((1.,0.,0.));
#6=IFCAXIS2PLACEMENT3D(#3,#4,#5);
#7=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-5,#6,$);
#8=IFCPROJECT('0001',#24,'p',$,$,$,$,(#7),#2);
#9=IFCLOCALPLACEMENT($,#6);
#10=IFCBUILDINGSTOREY('0002',#24,'storey',$,$,#9,$,$,.ELEMENT.,0.);
#25=IFCSITE('0006',#24,'site',$,$,#9,$,$,.ELEMENT.,$,$,$,$,$);
#26=IFCRELAGGREGATES('0007',#24,$,$,#8,(#25));
#11=IFCRELAGGREGATES('0003',#24,$,$,#25,(#10));
#12=IFCCARTESIANPOINT((0.,0.));
#13=IFCAXIS2PLACEMENT2D(#12,$);
#14=IFCRECTANGLEPROFILEDEF(.AREA.,$,#13,4000.,2000.);
#15=IFCEXTRUDEDAREASOLID(#14,#6,#4,300.);
#16=IFCSHAPEREPRESENTATION(#7,'Body','SweptSolid',(#15));
#17=IFCPRODUCTDEFINITIONSHAPE($,$,(#16));
#18=IFCSLAB('0004',#24,'slab',$,$,#9,#17,$,.FLOOR.);
#19=IFCRELCONTAINEDINSPATIALSTRUCTURE('0005',#24,$,$,(#18),#10);
#20=IFCPERSON($,'x',$,$,$,$,$,$);
#21=IFCORGANIZATION($,'o',$,$,$);
#22=IFCPERSONANDORGANIZATION(#20,#21,$);
#23=IFCAPPLICATION(#21,'1','a','a');
#24=IFCOWNERHISTORY(#22,#23,$,.ADDED.,$,$,$,0);
ENDSEC;
END-ISO-10303-21;
)";

TEST(ReadIfc, SweptSolidsArriveInMetresWithZUp) {
  if (!kHasImport) GTEST_SKIP() << "skipped: wend was built without Assimp";
  const Result<Scene> scene = parse(kIfc);
  ASSERT_TRUE(scene.ok()) << scene.error().message;
  EXPECT_EQ(scene->triangles.size(), 12U);
  expectBox(*scene, {-2, -1, 0}, {2, 1, 0.3});
}

TEST(ReadIfc, BrokenFilesAreErrors) {
  EXPECT_FALSE(parse("ISO-10303-21;\n").ok());
  const std::string_view good = kIfc;
  for (size_t length = 40; length + 800 < good.size(); length += 211) EXPECT_FALSE(parse(good.substr(0, length)).ok());
}

}  // namespace
}  // namespace wend
