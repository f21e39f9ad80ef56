#include "generators/neogen/neogen.h"

#include <array>

#include <gtest/gtest.h>

#include "generators/neogen/relax.h"
#include "keil_optimum.h"
#include "neogen_worlds.h"
#include "price_bound.h"
#include "random_worlds.h"

namespace wend {
namespace {

TEST(Neogen, AConvexPolygonIsOneCell) {
  const Ring ring{{0, 0}, {5, 0}, {10, 0}, {10, 10}, {5, 10}, {0, 10}, {0, 5}};
  const NavMesh mesh = neogenMesh(oneLayer({{ring, {}}}));
  EXPECT_EQ(mesh.cellCount(), 1U);
  EXPECT_EQ(mesh.sideCount(), 7U);
}

TEST(Neogen, ATriangleIsOneCell) {
  EXPECT_EQ(neogenMesh(oneLayer({{{{0, 0}, {1, 0}, {0, 1}}, {}}})).cellCount(), 1U);
}

// The nearest element of the notch at (10, 10) is a wall, so the portal ends on a new vertex.
TEST(Neogen, APortalMayEndInTheMiddleOfAWall) {
  const Environment environment = oneLayer({{{{0, 0}, {20, 0}, {20, 10}, {10, 10}, {10, 20}, {0, 20}}, {}}});
  for (const char* optimise : {"on", "off"}) {
    const NavMesh mesh = neogenMesh(environment, {{"optimise", optimise}});
    EXPECT_EQ(mesh.cellCount(), 2U);
    EXPECT_EQ(mesh.portalCount(), 1U);
    EXPECT_EQ(mesh.vertexCount(), 7U);
    expectNeogenLaws(mesh, environment);
  }
}

// Between the two notches: one portal for both, and none to the walls that are as near.
TEST(Neogen, OnePortalResolvesTwoNotches) {
  const Environment environment =
      oneLayer({{{{0, 0}, {30, 0}, {30, 20}, {20, 20}, {15, 8}, {10, 20}, {0, 20}}, {{{14, 3}, {15, 6}, {16, 3}}}}});
  const NavMesh mesh = neogenMesh(environment);
  expectNeogenLaws(mesh, environment);
  EXPECT_EQ(mesh.cellCount(), 3U);
}

// The wall seen by the notch runs through no lattice point between its ends, and both ends are outside the area of
// interest: two portals.
TEST(Neogen, ANotchBeforeASlantedWallNeedsTwoPortals) {
  const Environment environment = oneLayer({{{{0, 0}, {101, 50}, {100, 60}, {51, 34}, {40, 60}, {-2, 10}}, {}}});
  const NavMesh mesh = neogenMesh(environment);
  expectNeogenLaws(mesh, environment);
}

TEST(Neogen, ARingAroundASquareIsFourCells) {
  const Environment environment =
      oneLayer({{{{0, 0}, {30, 0}, {30, 30}, {0, 30}}, {{{10, 10}, {10, 20}, {20, 20}, {20, 10}}}}});
  const NavMesh mesh = neogenMesh(environment);
  EXPECT_EQ(mesh.cellCount(), 4U);
  expectNeogenLaws(mesh, environment);
}

TEST(Neogen, WorldsOfSquaresObeyTheLaws) {
  for (uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    const Environment environment = anyWorld(seed);
    if (vertexCount(environment) == 0) continue;
    for (const char* optimise : {"on", "off"}) {
      expectNeogenLaws(neogenMesh(environment, {{"optimise", optimise}}), environment);
    }
    if (HasFailure()) return;
  }
}

// A portal inside a layer is needed: without it a corner at one of its ends would be reflex.
TEST(Neogen, EveryPortalIsNeeded) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const NavMesh mesh = neogenMesh(randomPolygon(seed));
    for (SideId s = 0; s < mesh.sideCount(); ++s) {
      if (mesh.isWall(s)) continue;
      const auto convexAtStart = [&](SideId side) {
        return orient(mesh.vertex(mesh.startVertex(mesh.previousSide(side))), mesh.vertex(mesh.startVertex(side)),
                      mesh.vertex(mesh.endVertex(mesh.nextSide(mesh.twin(side))))) >= 0;
      };
      ASSERT_FALSE(convexAtStart(s) && convexAtStart(mesh.twin(s))) << "seed " << seed << " side " << s;
    }
  }
}

TEST(Neogen, RandomPolygonsWithHolesObeyTheLaws) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(seed);
    const Environment environment = randomPolygon(seed);
    expectNeogenLaws(neogenMesh(environment), environment);
    if (HasFailure()) return;
  }
}

TEST(Neogen, NeedsFewCellsOnTheRandomFamily) {
  double ratio = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const Environment environment = made("random", seed);
    const NavMesh mesh = neogenMesh(environment, {{"alpha", "5"}});
    ratio += static_cast<double>(mesh.cellCount()) / static_cast<double>(notches(environment)) / 20;
  }
  RecordProperty("cells_per_notch", std::to_string(ratio));
  EXPECT_LT(ratio, 0.53);
}

// Points on walls are allowed, so the optimum over diagonals may be beaten.
TEST(Neogen, IsCloseToTheOptimumOnSimplePolygons) {
  int64_t cells = 0;
  int64_t plain = 0;
  int64_t merged = 0;
  int64_t optimum = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const Ring ring = simplePolygon(random, static_cast<size_t>(random.between(6, 60)), 10000);
    const Environment environment = oneLayer({{ring, {}}});
    const int best = optimalConvexParts(ring);
    const NavMesh mesh = neogenMesh(environment);
    EXPECT_LE(mesh.cellCount(), 1.1 * best) << "seed " << seed;
    optimum += best;
    cells += mesh.cellCount();
    plain += neogenMesh(environment, {{"optimise", "off"}}).cellCount();
    merged += bake(environment, "hertel-mehlhorn").cellCount();
  }
  RecordProperty("cells", std::to_string(cells));
  RecordProperty("cells_plain", std::to_string(plain));
  RecordProperty("cells_hertel_mehlhorn", std::to_string(merged));
  RecordProperty("optimum", std::to_string(optimum));
  EXPECT_LT(cells, optimum);
  EXPECT_LT(plain, merged);
}

// By hand: a notch, two that share a portal, and a square hole whose corners cannot share any.
TEST(PriceBound, CountsWhatPortalsCanServe) {
  const Ring box{{0, 0}, {30, 0}, {30, 30}, {0, 30}};
  EXPECT_EQ(PriceBound({box, {}}).cells(), 1);
  EXPECT_EQ(PriceBound({{{0, 0}, {20, 0}, {20, 10}, {10, 10}, {10, 20}, {0, 20}}, {}}).cells(), 2);
  EXPECT_EQ(PriceBound({{{0, 0}, {15, 5}, {30, 0}, {30, 20}, {15, 15}, {0, 20}}, {}}).cells(), 2);
  EXPECT_EQ(PriceBound({box, {{{10, 10}, {10, 20}, {20, 20}, {20, 10}}}}).cells(), 4);
}

TEST(PriceBound, IsNotAboveTheOptimum) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    const Ring ring = simplePolygon(random, static_cast<size_t>(random.between(6, 40)), 10000);
    EXPECT_LE(PriceBound({ring, {}}).cells(), optimalConvexParts(ring)) << "seed " << seed;
  }
}

// Few holes with many corners each cannot do with 0.6 cells per notch, whatever the method.
TEST(Neogen, IsCloseToTheBoundOnPolygonsWithHoles) {
  int64_t cells = 0;
  int64_t bound = 0;
  double boundRatio = 0;
  const int count = 100;
  for (uint64_t seed = 0; seed < count; ++seed) {
    const Environment environment = randomPolygon(seed);
    const int64_t least = PriceBound(environment.layers[0].free[0]).cells();
    const uint32_t found = neogenMesh(environment).cellCount();
    EXPECT_GE(found, least) << "seed " << seed;
    cells += found;
    bound += least;
    boundRatio += static_cast<double>(least) / static_cast<double>(notches(environment)) / count;
  }
  RecordProperty("cells", std::to_string(cells));
  RecordProperty("bound", std::to_string(bound));
  RecordProperty("bound_per_notch", std::to_string(boundRatio));
  EXPECT_LT(static_cast<double>(cells), 1.08 * static_cast<double>(bound));
}

TEST(Neogen, HasNeverMoreCellsOrSliversThanHertelMehlhorn) {
  for (const WorldKind& kind : worldKinds()) {
    if (kind.name == "big-city" || kind.name == "stadium") continue;  // in the slow tests
    SCOPED_TRACE(kind.name);
    const Environment environment = made(kind.name);
    const NavMesh mesh = neogenMesh(environment);
    expectNeogenLaws(mesh, environment);
    expectNotWorse(mesh, bake(environment, "hertel-mehlhorn"));
    expectNotWorse(mesh, neogenMesh(environment, {{"optimise", "off"}}));
  }
}

TEST(Neogen, LeavesFewSlivers) {
  int64_t thin = 0;
  int64_t plain = 0;
  int64_t merged = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const Environment environment = randomPolygon(seed);
    thin += slivers(neogenMesh(environment));
    plain += slivers(neogenMesh(environment, {{"optimise", "off"}}));
    merged += slivers(bake(environment, "hertel-mehlhorn"));
  }
  RecordProperty("slivers", std::to_string(thin));
  RecordProperty("slivers_plain", std::to_string(plain));
  RecordProperty("slivers_hertel_mehlhorn", std::to_string(merged));
  EXPECT_LT(8 * thin, plain);
  EXPECT_LT(plain, merged);
}

size_t keptNotches(const Environment& environment, double alpha, double tau) {
  size_t kept = 0;
  for (const Layer& layer : environment.layers) {
    kept += neogen::chooseNotches(layer, environment.lattice, {.alpha = alpha, .tau = tau}).kept;
  }
  return kept;
}

TEST(Neogen, NeedsFewCellsAndSliversOnTheMapsOfItsStudy) {
  const std::array<const char*, 13> kinds{"circle1",   "circle2",     "circle3",     "funny",    "box100",
                                          "guitar",    "debug",       "bird",        "superior", "crazybox1",
                                          "crazybox2", "nazca-heron", "nazca-monkey"};
  double ratio = 0;
  double exactRatio = 0;
  int64_t thin = 0;
  int64_t thinMerged = 0;
  for (const char* kind : kinds) {
    const Environment environment = made(kind);
    const NavMesh mesh = neogenMesh(environment);
    const NavMesh relaxed = neogenMesh(environment, {{"alpha", "5"}});
    ratio += relaxed.cellCount() / static_cast<double>(keptNotches(environment, 5, 0)) / 13;
    exactRatio += mesh.cellCount() / static_cast<double>(notches(environment)) / 13;
    thin += slivers(mesh);
    thinMerged += slivers(bake(environment, "hertel-mehlhorn"));
  }
  RecordProperty("cells_per_notch", std::to_string(ratio));
  RecordProperty("cells_per_notch_at_alpha_0", std::to_string(exactRatio));
  EXPECT_LT(ratio, 0.60);
  EXPECT_LT(exactRatio, 0.54);
  EXPECT_LT(30 * thin, thinMerged);
}

TEST(Neogen, ThreadsDoNotChangeTheMesh) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const Environment environment = squaresWorld(seed, {.columns = 24, .rows = 10, .jitter = 24, .layers = 4});
    for (const Options& options : {Options{}, Options{{"tau", "0.003"}}}) {
      EXPECT_EQ(hash(neogenMesh(environment, options, 1)), hash(neogenMesh(environment, options, 2)));
    }
  }
}

TEST(Neogen, OptionsAreRemembered) {
  const Environment environment = made("bird");
  EXPECT_NE(neogenMesh(environment).info().settingsHash, neogenMesh(environment, {{"tau", "1"}}).info().settingsHash);
  EXPECT_NE(neogenMesh(environment).info().settingsHash,
            neogenMesh(environment, {{"optimise", "off"}}).info().settingsHash);
}

// --- relaxation -----------------------------------------------------------------------------------------------------

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

TEST(NeogenRelaxation, AlphaDecidesByTheAngle) {
  // The notch has 180 + 11.3 degrees.
  const Environment environment = oneLayer({{{{0, 0}, {100, 0}, {100, 50}, {50, 45}, {0, 50}}, {}}});
  EXPECT_EQ(keptNotches(environment, 11, 0), 1U);
  EXPECT_EQ(keptNotches(environment, 12, 0), 0U);
  EXPECT_EQ(neogenMesh(environment, {{"alpha", "11"}}).cellCount(), 2U);
  EXPECT_TRUE(neogenMesh(environment, {{"alpha", "11"}}).info().traits.convex);
  const NavMesh mesh = neogenMesh(environment, {{"alpha", "12"}});
  EXPECT_EQ(mesh.cellCount(), 1U);
  EXPECT_FALSE(mesh.info().traits.convex);
  expectTruth(mesh, environment);
}

// With nothing to resolve, a cell around a hole still has to be cut: cells are simple polygons.
TEST(NeogenRelaxation, AHoleNeedsTwoPortalsHoweverSmall) {
  const Environment environment = made("circle1");
  const NavMesh mesh = neogenMesh(environment, {{"tau", "1000"}, {"alpha", "90"}});
  expectTruth(mesh, environment);
  EXPECT_GE(mesh.portalCount(), 5U);
  EXPECT_LE(mesh.cellCount(), 5U);
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
