#include <gtest/gtest.h>

#include "keil_optimum.h"
#include "neogen_worlds.h"
#include "random_worlds.h"

// The figures that the issue asks of NEOGEN, on many worlds.
namespace wend {
namespace {

TEST(NeogenSlow, FiftyThousandPolygonsWithHolesObeyTheLaws) {
  double ratio = 0;
  const int count = 50000;
  for (uint64_t seed = 10000; seed < 10000 + count; ++seed) {
    SCOPED_TRACE(seed);
    const Environment environment = randomPolygon(seed);
    expectNeogenLaws(neogenMesh(environment), environment);
    if (HasFailure()) return;
    const NavMesh relaxed = neogenMesh(environment, {{"alpha", "5"}});
    ratio += static_cast<double>(relaxed.cellCount()) / static_cast<double>(notches(environment)) / count;
  }
  RecordProperty("cells_per_notch", std::to_string(ratio));
  // Small polygons need more: the last cell counts, and so do the sides of the holes.
  EXPECT_LT(ratio, 0.67);
}

TEST(NeogenSlow, NeedsFewCellsOnTheRandomFamily) {
  double ratio = 0;
  const int count = 500;
  for (uint64_t seed = 100; seed < 100 + count; ++seed) {
    const Environment environment = made("random", seed);
    const NavMesh mesh = neogenMesh(environment, {{"alpha", "5"}});
    ratio += static_cast<double>(mesh.cellCount()) / static_cast<double>(notches(environment)) / count;
  }
  RecordProperty("cells_per_notch", std::to_string(ratio));
  EXPECT_LT(ratio, 0.60);
}

TEST(NeogenSlow, ManyWorldsOfSquaresObeyTheLaws) {
  for (uint64_t seed = 10000; seed < 20000; ++seed) {
    SCOPED_TRACE(seed);
    const Environment environment = anyWorld(seed);
    if (vertexCount(environment) == 0) continue;
    expectNeogenLaws(neogenMesh(environment), environment);
    const NavMesh relaxed = neogenMesh(environment, {{"alpha", "3"}, {"tau", "0.01"}});
    expectTruth(relaxed, environment);
    expectPortalLaw(relaxed, environment);
    if (HasFailure()) return;
  }
}

// Up to 60 notches.
TEST(NeogenSlow, IsCloseToTheOptimumOnLargePolygons) {
  int64_t cells = 0;
  int64_t optimum = 0;
  for (uint64_t seed = 1000; seed < 1100; ++seed) {
    Random random(seed);
    const Ring ring = simplePolygon(random, static_cast<size_t>(random.between(60, 120)), 100000);
    const int best = optimalConvexParts(ring);
    const uint32_t found = neogenMesh(oneLayer({{ring, {}}})).cellCount();
    EXPECT_LE(found, 1.1 * best) << "seed " << seed;
    cells += found;
    optimum += best;
  }
  RecordProperty("cells", std::to_string(cells));
  RecordProperty("optimum", std::to_string(optimum));
  EXPECT_LE(static_cast<double>(cells), 1.03 * static_cast<double>(optimum));
}

TEST(NeogenSlow, HasNeverMoreCellsThanHertelMehlhorn) {
  for (const WorldKind& kind : worldKinds()) {
    for (uint64_t seed = 1; seed <= 5; ++seed) {
      SCOPED_TRACE(kind.name + " " + std::to_string(seed));
      const Environment environment = made(kind.name, seed);
      EXPECT_LE(neogenMesh(environment).cellCount(), bake(environment, "hertel-mehlhorn").cellCount());
    }
  }
}

}  // namespace
}  // namespace wend
