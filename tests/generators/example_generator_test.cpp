#include <wend/file.h>

#include <gtest/gtest.h>

#include "generators/registry.h"
#include "tests/generators/laws.h"
#include "tests/generators/quads/quads.h"
#include "tests/generators/random_worlds.h"

// The generator of docs/adding-a-generator.md, compiled as written there.
namespace wend {
namespace {

std::string textOf(const std::string& name) {
  const auto bytes = readFile(std::string(WEND_SOURCE_DIR) + "/" + name);
  EXPECT_TRUE(bytes.ok()) << name;
  return bytes.ok() ? std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()) : std::string();
}

TEST(ExampleGenerator, TheTutorialShowsTheCodeThatRunsHere) {
  const std::string tutorial = textOf("docs/adding-a-generator.md");
  const std::string here = "\"tests/generators/";
  for (const std::string file : {"quads.h", "quads.cpp"}) {
    std::string code = textOf("tests/generators/quads/" + file);
    // In the repository the folder stands below src/.
    if (const size_t at = code.find(here); at != std::string::npos) code.replace(at, here.size(), "\"generators/");
    const std::string block = "```text\n" + code + "```\n";
    EXPECT_NE(tutorial.find(block), std::string::npos) << file << " differs from its block in the tutorial";
  }
}

TEST(ExampleGenerator, ASquareIsOneQuadrilateral) {
  const auto mesh = quads::generate(oneLayer({{{{0, 0}, {10, 0}, {10, 10}, {0, 10}}, {}}}), {});
  ASSERT_TRUE(mesh.ok()) << mesh.error().message;
  EXPECT_EQ(mesh->cellCount(), 1U);
}

TEST(ExampleGenerator, ObeysTheLaws) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const Environment environment = anyWorld(seed);
    if (vertexCount(environment) == 0) continue;
    const auto mesh = runGenerator(quads::entry(), environment, {}, {});
    ASSERT_TRUE(mesh.ok()) << mesh.error().message;
    EXPECT_LE(mesh->cellCount(), bake(environment, "delaunay").cellCount());
    expectConvex(*mesh);
    expectPortalLaw(*mesh, environment);
    expectTruth(*mesh, environment);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST(ExampleGenerator, KeepsShortEdges) {
  const Environment environment = squaresWorld(1, {.columns = 8, .rows = 8, .jitter = 20});
  GenerateSettings settings;
  settings.options = {{"keep", "1000"}};
  const auto mesh = runGenerator(quads::entry(), environment, settings, {});
  ASSERT_TRUE(mesh.ok()) << mesh.error().message;
  EXPECT_EQ(mesh->cellCount(), bake(environment, "delaunay").cellCount());
}

}  // namespace
}  // namespace wend
