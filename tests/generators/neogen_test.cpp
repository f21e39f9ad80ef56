#include "generators/neogen/neogen.h"

#include <gtest/gtest.h>

#include "keil_optimum.h"
#include "laws.h"
#include "random_worlds.h"

namespace wend {
namespace {

NavMesh neogenMesh(const Environment& environment, std::vector<std::pair<std::string, std::string>> options = {},
                   int threads = 0) {
  GenerateSettings settings;
  settings.generator = "neogen";
  settings.options = std::move(options);
  Context context;
  context.threads = threads;
  auto mesh = generate(environment, settings, context);
  EXPECT_TRUE(mesh.ok()) << (mesh.ok() ? "" : mesh.error().message);
  return mesh.ok() ? *mesh : NavMesh();
}

TEST(Neogen, CellsAreConvexFewAndObeyTheLaws) {
  for (uint64_t seed = 0; seed < 400; ++seed) {
    const Environment environment = anyWorld(seed);
    if (vertexCount(environment) == 0) continue;
    int64_t lower = 0;
    int64_t upper = 0;
    for (const Layer& layer : environment.layers) {
      for (const Polygon& polygon : layer.free) {
        lower += lowerBound(polygon);
        upper += upperBound(polygon);
      }
    }
    const NavMesh mesh = neogenMesh(environment);
    EXPECT_GE(static_cast<int64_t>(mesh.cellCount()), lower) << "seed " << seed;
    EXPECT_LE(static_cast<int64_t>(mesh.cellCount()), upper) << "seed " << seed;
    expectConvex(mesh);
    expectPortalLaw(mesh, environment);
    expectTruth(mesh, environment);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

}  // namespace
}  // namespace wend
