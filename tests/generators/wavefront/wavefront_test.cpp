#include "generators/wavefront/wavefront.h"

#include <gtest/gtest.h>

#include "generators/pasfv/pasfv.h"
#include "tests/generators/growth_laws.h"
#include "tests/generators/laws.h"
#include "tests/generators/made_world.h"
#include "tests/generators/random_worlds.h"

namespace wend {
namespace {

NavMesh grow(const Environment& environment, const wavefront::Settings& settings = {},
             wavefront::Report* report = nullptr) {
  auto mesh = wavefront::generate(environment, settings, {}, report);
  EXPECT_TRUE(mesh.ok()) << (mesh.ok() ? "" : mesh.error().message);
  return mesh.ok() ? *mesh : NavMesh();
}

TEST(Wavefront, ASquareIsOneCell) {
  EXPECT_EQ(grow(oneLayer({{{{0, 0}, {10, 0}, {10, 10}, {0, 10}}, {}}})).cellCount(), 1U);
}

TEST(Wavefront, BothModesObeyTheLaws) {
  for (const auto events : {wavefront::Events::kIndexed, wavefront::Events::kFaithful}) {
    for (uint64_t seed = 0; seed < 150; ++seed) {
      const Environment environment = anyWorld(seed);
      if (vertexCount(environment) == 0) continue;
      wavefront::Settings settings;
      settings.events = events;
      settings.seed = seed;
      const NavMesh mesh = grow(environment, settings);
      expectPortalLaw(mesh, environment);
      expectTruth(mesh, environment);
      expectGrown(mesh);
      if (HasFailure()) FAIL() << "seed " << seed;
    }
    for (uint64_t seed = 1; seed <= 30; ++seed) {
      const Environment environment = madeWorld("bodies", {{"bodies", 12}, {"turn", 17}}, seed);
      wavefront::Settings settings;
      settings.events = events;
      const NavMesh mesh = grow(environment, settings);
      expectSame(mesh, *environment.truth);
      expectTruth(mesh, environment);
      expectGrown(mesh);
      if (HasFailure()) FAIL() << "seed " << seed;
    }
  }
}

TEST(Wavefront, MadeWorlds) {
  for (const std::string kind : {"military", "station", "university", "tower"}) {
    SCOPED_TRACE(kind);
    const Environment environment = madeWorld(kind);
    const NavMesh mesh = grow(environment);
    expectSame(mesh, *environment.truth);
    expectTruth(mesh, environment);
    expectGrown(mesh);
  }
}

// Check 11 of the specification: jumps need far fewer collision tests than unit steps.
TEST(Wavefront, NeedsFarFewerTestsThanUnitSteps) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    const Environment environment = madeWorld("bodies", {{"turn", 17}}, seed);
    wavefront::Report events;
    grow(environment, {}, &events);
    pasfv::Settings steps;
    steps.growth = pasfv::Growth::kSteps;
    pasfv::Report walked;
    ASSERT_TRUE(pasfv::generate(environment, steps, {}, &walked).ok());
    EXPECT_LT(10 * events.steps, walked.steps);
    EXPECT_LT(events.tests, walked.tests);
    EXPECT_LE(events.jumps, events.events);
  }
}

TEST(Wavefront, TheIndexedModeLooksAtFarFewerEdges) {
  const Environment environment = madeWorld("bodies", {{"bodies", 200}});
  wavefront::Report indexed;
  grow(environment, {}, &indexed);
  wavefront::Settings settings;
  settings.events = wavefront::Events::kFaithful;
  wavefront::Report faithful;
  grow(environment, settings, &faithful);
  EXPECT_LT(5 * indexed.classified, faithful.classified);
}

TEST(Wavefront, AnotherSeedAnotherMeshAndMoreTriesFewerCells) {
  const Environment environment = madeWorld("bodies", {{"bodies", 9}, {"turn", 17}});
  wavefront::Settings a;
  wavefront::Settings b;
  b.seed = 2;
  EXPECT_NE(hash(grow(environment, a)), hash(grow(environment, b)));
  EXPECT_EQ(hash(grow(environment, a)), hash(grow(environment, a)));
  b.seed = 1;
  b.tries = 10;
  EXPECT_LE(grow(environment, b).cellCount(), grow(environment, a).cellCount());
  b.tries = 0;
  EXPECT_FALSE(wavefront::generate(environment, b).ok());
}

}  // namespace
}  // namespace wend
