#include "generators/pasfv/pasfv.h"

#include <gtest/gtest.h>

#include "tests/generators/growth_laws.h"
#include "tests/generators/laws.h"
#include "tests/generators/made_world.h"
#include "tests/generators/random_worlds.h"

namespace wend {
namespace {

NavMesh grow(const Environment& environment, const pasfv::Settings& settings = {}, pasfv::Report* report = nullptr) {
  auto mesh = pasfv::generate(environment, settings, {}, report);
  EXPECT_TRUE(mesh.ok()) << (mesh.ok() ? "" : mesh.error().message);
  return mesh.ok() ? *mesh : NavMesh();
}

TEST(Pasfv, ASquareIsOneCell) {
  EXPECT_EQ(grow(oneLayer({{{{0, 0}, {10, 0}, {10, 10}, {0, 10}}, {}}})).cellCount(), 1U);
}

TEST(Pasfv, ObeysTheLawsOnManyLayers) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const Environment environment = anyWorld(seed);
    if (vertexCount(environment) == 0) continue;
    const NavMesh mesh = grow(environment);
    expectPortalLaw(mesh, environment);
    expectTruth(mesh, environment);
    expectGrown(mesh);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST(Pasfv, ObeysTheLawsOnTurnedBodies) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    const Environment environment = madeWorld("bodies", {{"bodies", 12}, {"turn", 17}, {"aligned", 4}}, seed);
    const NavMesh mesh = grow(environment);
    expectSame(mesh, *environment.truth);
    expectTruth(mesh, environment);
    expectGrown(mesh);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST(Pasfv, MadeWorlds) {
  for (const std::string kind : {"military", "zelda", "station", "library", "university", "tower", "donut"}) {
    SCOPED_TRACE(kind);
    const Environment environment = madeWorld(kind);
    const NavMesh mesh = grow(environment);
    expectSame(mesh, *environment.truth);
    expectPortalLaw(mesh, environment);
    expectTruth(mesh, environment);
    expectGrown(mesh);
  }
}

TEST(Pasfv, AllTogetherAndStepsObeyTheirPromises) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const Environment environment = madeWorld("bodies", {{"turn", 17}}, seed);
    pasfv::Settings together;
    together.turns = pasfv::Turns::kAll;
    expectTruth(grow(environment, together), environment);
    for (const auto turns : {pasfv::Turns::kSingle, pasfv::Turns::kAll}) {
      pasfv::Settings steps;
      steps.growth = pasfv::Growth::kSteps;
      steps.turns = turns;
      const NavMesh mesh = grow(environment, steps);
      EXPECT_TRUE(checkMesh(mesh, &environment, 1).empty());
      const double covered = environment.lattice.area(topology(mesh).doubledArea);
      EXPECT_GE(covered, 0.98 * environment.lattice.area(environment.truth->doubledArea)) << "seed " << seed;
    }
  }
}

TEST(Pasfv, EverySeedingIsDisjointAndInside) {
  const Environment environment = madeWorld("bodies", {{"bodies", 9}, {"turn", 17}});
  for (const auto seeding : {pasfv::Seeding::kGrid, pasfv::Seeding::kRandom, pasfv::Seeding::kPoints}) {
    pasfv::Settings settings;
    settings.seeding = seeding;
    settings.pitch = 200;
    settings.points = {{-100, 500}, {1e9, 0}, {0, 400}};
    const NavMesh mesh = grow(environment, settings);
    EXPECT_TRUE(checkMesh(mesh, &environment, 1).empty());
    // One component: re-seeding reaches all of it from anywhere.
    EXPECT_NEAR(environment.lattice.area(topology(mesh).doubledArea),
                environment.lattice.area(environment.truth->doubledArea), 1e-3);
    expectGrown(mesh);
  }
}

TEST(Pasfv, SeedsByHandWithoutReseedingMakeOneCellEach) {
  const Environment environment = madeWorld("bodies", {{"bodies", 9}});
  pasfv::Settings settings;
  settings.seeding = pasfv::Seeding::kPoints;
  settings.points = {{1, 1}, {999, 999}};
  settings.reseed = false;
  settings.merge = false;
  EXPECT_EQ(grow(environment, settings).cellCount(), 2U);
}

TEST(Pasfv, MoreTriesNeverMakeMoreCells) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const Environment environment = madeWorld("bodies", {{"turn", 17}}, seed);
    pasfv::Settings settings;
    const uint32_t one = grow(environment, settings).cellCount();
    settings.tries = 8;
    const NavMesh best = grow(environment, settings);
    EXPECT_LE(best.cellCount(), one);
    expectTruth(best, environment);
  }
}

TEST(Pasfv, FramesStopEarly) {
  const Environment environment = madeWorld("bodies", {{"bodies", 9}});
  pasfv::Settings settings;
  settings.merge = false;
  for (const uint32_t frames : {1U, 2U, 5U}) {
    settings.frames = frames;
    EXPECT_EQ(grow(environment, settings).cellCount(), frames);
  }
}

TEST(Pasfv, RefusesBadSettings) {
  const Environment environment = oneLayer({{{{0, 0}, {10, 0}, {10, 10}, {0, 10}}, {}}});
  for (const auto& change : std::vector<std::function<void(pasfv::Settings&)>>{
           [](auto& s) { s.pitch = std::nan(""); }, [](auto& s) { s.tries = 0; }, [](auto& s) { s.count = 0; },
           [](auto& s) { s.step = -1; }, [](auto& s) { s.resolution = 1e9; }}) {
    pasfv::Settings settings;
    change(settings);
    const auto mesh = pasfv::generate(environment, settings);
    ASSERT_FALSE(mesh.ok());
    EXPECT_EQ(mesh.error().code, ErrorCode::kInvalidSettings);
  }
}

TEST(Pasfv, RefusesPolygonsThatCross) {
  const Environment environment = oneLayer({{{{0, 0}, {10, 10}, {10, 0}, {0, 10}}, {}}});
  EXPECT_FALSE(pasfv::generate(environment, {}).ok());
}

TEST(Pasfv, SameMeshForAnyNumberOfThreads) {
  const Environment environment = madeWorld("station");
  Context one;
  one.threads = 1;
  Context four;
  four.threads = 4;
  EXPECT_EQ(hash(*pasfv::generate(environment, {}, one)), hash(*pasfv::generate(environment, {}, four)));
}

}  // namespace
}  // namespace wend
