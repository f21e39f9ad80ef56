#include "generators/neogen/neogen.h"

#include <array>

#include <gtest/gtest.h>

#include "tests/generators/neogen/worlds.h"
#include "tests/generators/random_worlds.h"

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
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    const Environment environment = randomPolygon(seed);
    expectNeogenLaws(neogenMesh(environment), environment);
    if (HasFailure()) return;
  }
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

// Over all maps of the study: at tau 1, at most 30 % of the notches are kept, and there are at most 0.26 cells for each
// of the original ones.
TEST(NeogenRelaxation, LeavesFewNotchesAndCellsOnTheMapsOfTheStudy) {
  size_t notchesBefore = 0;
  std::array<size_t, 5> kept{};
  std::array<size_t, 5> cells{};
  for (const char* kind : kStudy) {
    const Environment environment = made(kind);
    notchesBefore += keptNotches(environment, 5, 0);
    for (size_t i = 0; i < kept.size(); ++i) {
      const double tau = 0.25 * static_cast<double>(i);
      kept[i] += keptNotches(environment, 5, tau);
      cells[i] += neogenMesh(environment, {{"alpha", "5"}, {"tau", std::to_string(tau)}}).cellCount();
    }
  }
  EXPECT_TRUE(std::is_sorted(kept.rbegin(), kept.rend()));
  EXPECT_TRUE(std::is_sorted(cells.rbegin(), cells.rend()));
  EXPECT_LE(10 * kept[4], 3 * notchesBefore);
  EXPECT_LE(100 * cells[4], 26 * notchesBefore);
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
