#include "generators/neogen/neogen.h"

#include <array>

#include <wend/make.h>

#include <gtest/gtest.h>

#include "generators/neogen/relax.h"
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

Environment made(const std::string& kind, uint64_t seed = 1) {
  auto world = makeWorld({kind, {}, seed, {}});
  EXPECT_TRUE(world.ok());
  return world.ok() ? *world : Environment();
}

size_t keptNotches(const Environment& environment, double alpha, double tau) {
  size_t kept = 0;
  for (const Layer& layer : environment.layers) {
    kept += neogen::chooseNotches(layer, environment.lattice, {.alpha = alpha, .tau = tau}).kept;
  }
  return kept;
}

// Table 3.1 of the dissertation: notches kept at tau 0, 0.25, 0.5, 0.75 and 1, with alpha 5 degrees.
TEST(NeogenRelaxation, KeepsTheNotchesOfThePublishedTable) {
  const std::vector<std::pair<std::string, std::array<size_t, 5>>> rows{
      {"circle1", {32, 32, 32, 20, 20}}, {"circle2", {48, 48, 32, 20, 20}}, {"circle3", {128, 36, 36, 20, 20}}};
  for (const auto& [kind, row] : rows) {
    for (uint64_t seed = 1; seed <= 5; ++seed) {
      const Environment environment = made(kind, seed);
      for (size_t i = 0; i < row.size(); ++i) {
        EXPECT_EQ(keptNotches(environment, 5, 0.25 * static_cast<double>(i)), row[i]) << kind << " column " << i;
      }
    }
  }
}

TEST(NeogenRelaxation, CellsStaySimplePolygonsAndCoverTheWorld) {
  for (const char* kind : {"circle1", "circle3", "funny", "guitar", "debug", "bird", "superior", "crazybox1"}) {
    const Environment environment = made(kind);
    uint32_t before = neogenMesh(environment).cellCount();
    for (const char* tau : {"0.25", "0.5", "1", "100"}) {
      SCOPED_TRACE(std::string(kind) + " " + tau);
      const NavMesh mesh = neogenMesh(environment, {{"alpha", "5"}, {"tau", tau}});
      expectTruth(mesh, environment);
      expectPortalLaw(mesh, environment);
      EXPECT_LE(mesh.cellCount(), before);
      before = mesh.cellCount();
    }
  }
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const Environment environment = anyWorld(seed);
    if (vertexCount(environment) == 0) continue;
    for (const char* optimise : {"on", "off"}) {
      const NavMesh mesh = neogenMesh(environment, {{"alpha", "3"}, {"tau", "0.01"}, {"optimise", optimise}});
      expectTruth(mesh, environment);
      expectPortalLaw(mesh, environment);
    }
  }
}

}  // namespace
}  // namespace wend
