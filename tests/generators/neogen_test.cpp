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

TEST(Neogen, IsCloseToTheOptimumOnSimplePolygons) {
  int64_t cells = 0;
  int64_t plain = 0;
  int64_t merged = 0;
  int64_t optimum = 0;
  double worst = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const Ring ring = simplePolygon(random, static_cast<size_t>(random.between(6, 60)), 10000);
    const Environment environment = oneLayer({{ring, {}}});
    const int best = optimalConvexParts(ring);
    const NavMesh mesh = neogenMesh(environment);
    // Lattice points on walls are few here, so the optimum over diagonals is a bound in all but name.
    worst = std::max(worst, static_cast<double>(mesh.cellCount()) / best);
    optimum += best;
    cells += mesh.cellCount();
    plain += neogenMesh(environment, {{"optimise", "off"}}).cellCount();
    merged += bake(environment, "hertel-mehlhorn").cellCount();
  }
  RecordProperty("cells", std::to_string(cells));
  RecordProperty("optimum", std::to_string(optimum));
  EXPECT_LT(worst, 1.1);
  EXPECT_LT(plain, merged);
  EXPECT_LE(static_cast<double>(cells), 1.02 * static_cast<double>(optimum));
}

}  // namespace
}  // namespace wend
