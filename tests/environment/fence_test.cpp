#include "environment/fence.h"

#include <wend/environment_file.h>
#include <wend/file.h>
#include <wend/generate.h>

#include <gtest/gtest.h>

// Segments and points as obstacles, in drawings and files, for every generator.
namespace wend {
namespace {

Environment parsed(const std::string& text) {
  Result<Environment> environment = parseEnvironment(asBytes(text), "test");
  EXPECT_TRUE(environment.ok()) << environment.error().message;
  if (!environment.ok()) return {};
  for (const Violation& v : validate(*environment)) ADD_FAILURE() << v.message;
  return *environment;
}

TEST(Fence, SurroundsItsSegment) {
  for (const auto& [a, b] : {std::pair(Point{0, 0}, Point{10, 3}),
                             {Point{10, 3}, Point{0, 0}},
                             {Point{0, 0}, Point{2, -9}},
                             {Point{5, 5}, Point{5, 5}}}) {
    const Polygon loop{fence(a, b), {}};
    EXPECT_NE(locate(loop, a), Side::kOutside);
    EXPECT_NE(locate(loop, b), Side::kOutside);
    EXPECT_EQ(locate(loop, Point{(a.x + b.x) / 2, (a.y + b.y) / 2}), Side::kInside);
  }
}

TEST(Fence, IsReadFromWellKnownText) {
  // A fence from wall to wall, bent, and three posts.
  const Environment environment = parsed(
      "GEOMETRYCOLLECTION (POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0)), LINESTRING (5 -1, 5.5 5, 5 11), POINT (2 2), "
      "MULTIPOINT ((8 8), 8 2))");
  const Topology t = topology(environment);
  EXPECT_EQ(t.components, 2U);
  EXPECT_EQ(t.boundaries, 5U);
  EXPECT_NEAR(environment.lattice.area(t.doubledArea), 100, 0.01);
}

TEST(Fence, IsReadFromEnv) {
  const Environment environment = parsed(
      "<environment version=\"1\"><layer id=\"0\"><walkable><polygon>0,0 10,0 10,10 0,10</polygon></walkable>"
      "<obstacles><fence>2,5 8,5</fence><fence>5,8</fence></obstacles></layer></environment>");
  EXPECT_EQ(topology(environment).boundaries, 3U);
}

// What each generator makes of a hall with a fence and a post: none crosses them.
TEST(Fence, EveryGeneratorKeepsOut) {
  const Environment environment =
      parsed("GEOMETRYCOLLECTION (POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0)), LINESTRING (3 -1, 4 11), POINT (7 7))");
  for (const GeneratorInfo& generator : generators()) {
    if (!generator.missing.empty()) continue;
    GenerateSettings settings;
    settings.generator = generator.name;
    const Result<NavMesh> mesh = generate(environment, settings);
    ASSERT_TRUE(mesh.ok()) << generator.name << ": " << mesh.error().message;
    for (const MeshFault& fault : checkMesh(*mesh, &environment, 2))
      ADD_FAILURE() << generator.name << ": " << fault.message;
    if (!generator.traits.exact) continue;
    EXPECT_EQ(topology(*mesh).components, 2U) << generator.name;
    EXPECT_EQ(topology(*mesh).boundaries, 3U) << generator.name;
  }
}

}  // namespace
}  // namespace wend
