#include <wend/crowd.h>
#include <wend/game/contest.h>
#include <wend/game/explore.h>
#include <wend/next_hop_table.h>

#include <gtest/gtest.h>

#include "generators/apng/apng.h"
#include "generators/esfv/esfv.h"
#include "generators/pasfv/pasfv.h"
#include "generators/sfv/sfv.h"
#include "tests/generators/growth_laws.h"
#include "tests/generators/laws.h"
#include "tests/generators/made_world.h"
#include "tests/generators/random_worlds.h"

// The baselines of growth: sfv, esfv, apng.
namespace wend {
namespace {

double coverage(const NavMesh& mesh, const Environment& environment) {
  return environment.lattice.area(topology(mesh).doubledArea) /
         environment.lattice.area(topology(environment).doubledArea);
}

TEST(Sfv, AnAxisAlignedRoomIsOneCell) {
  const Environment room = oneLayer({{{{0, 0}, {100000, 0}, {100000, 100000}, {0, 100000}}, {}}});
  const auto mesh = sfv::generate(room, {});
  ASSERT_TRUE(mesh.ok());
  EXPECT_EQ(mesh->cellCount(), 1U);
  EXPECT_EQ(coverage(*mesh, room), 1);
}

TEST(Sfv, LeavesGapsBesideSlantedWallsAndPasfvDoesNot) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const Environment world = madeWorld("bodies", {{"turn", 17}}, seed);
    const auto mesh = sfv::generate(world, {.pitch = 100});
    ASSERT_TRUE(mesh.ok()) << mesh.error().message;
    EXPECT_TRUE(checkMesh(*mesh, &world, 1).empty());
    EXPECT_LT(coverage(*mesh, world), 0.95);
    EXPECT_GT(coverage(*mesh, world), 0.3);
    expectGrown(*mesh);
    const auto exact = pasfv::generate(world, {});
    ASSERT_TRUE(exact.ok());
    EXPECT_NEAR(coverage(*exact, world), 1, 1e-9);
  }
}

TEST(Sfv, RandomWorldsAndLayers) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const Environment world = anyWorld(seed);
    if (vertexCount(world) == 0) continue;
    const auto mesh = sfv::generate(world, {.pitch = 0.01});
    if (!mesh.ok()) continue;
    for (const MeshFault& fault : checkMesh(*mesh, &world, 1)) ADD_FAILURE() << fault.message << " seed " << seed;
  }
}

TEST(Esfv, LeavesRampsOut) {
  const Environment world = madeWorld("ramps");
  const auto mesh = esfv::generate(world, {.pitch = 1});
  ASSERT_TRUE(mesh.ok()) << mesh.error().message;
  EXPECT_TRUE(checkMesh(*mesh, &world, 1).empty());
  const auto flat = sfv::generate(world, {.pitch = 1});
  ASSERT_TRUE(flat.ok());
  EXPECT_LT(coverage(*mesh, world), coverage(*flat, world) + 1e-9);
  // No box lies on ground that differs by more than the rise.
  for (CellId cell = 0; cell < mesh->cellCount(); ++cell) {
    double low = INFINITY;
    double high = -INFINITY;
    for (SideId s = mesh->firstSide(cell); s < mesh->endSide(cell); ++s) {
      const double z = mesh->position(mesh->startVertex(s)).z;
      low = std::min(low, z);
      high = std::max(high, z);
    }
    EXPECT_LE(high - low, 0.2 + 1e-6);
  }
}

TEST(Apng, BoxesOverlapAndSayso) {
  const Environment world = madeWorld("bodies");
  const auto mesh = apng::generate(world, {.step = 10});
  ASSERT_TRUE(mesh.ok()) << mesh.error().message;
  EXPECT_FALSE(mesh->info().traits.disjoint);
  EXPECT_TRUE(checkMesh(*mesh, &world, 1).empty());
  EXPECT_GT(coverage(*mesh, world), 1) << "areas of overlapping boxes add up to more than the world";
  const auto joined = apng::links(*mesh, 1);
  EXPECT_GT(joined.size(), mesh->cellCount() / 2);
  for (const auto& [a, b] : joined) EXPECT_LT(a, b);
}

// Its cells have no portals, so routes and crowds on it are refused in one sentence.
TEST(Apng, NothingWalksOnCellsWithoutPortals) {
  const Environment environment = madeWorld("bodies");
  const auto world = bake(environment, GenerateSettings{.generator = "apng", .options = {{"growth-step", "10"}}});
  ASSERT_TRUE(world.ok()) << world.error().message;
  const auto expectRefused = [](const Error& error) {
    EXPECT_NE(error.message.find("'apng' overlap"), std::string::npos) << error.message;
  };
  const auto crowd = Crowd::make(makeNavigator(*world), {CrowdProfile{}}, {});
  ASSERT_FALSE(crowd.ok());
  expectRefused(crowd.error());
  const auto table = NextHopTable::build(world->mesh(), {});
  ASSERT_FALSE(table.ok());
  expectRefused(table.error());
  const auto level = levelOf(world->mesh(), 1);
  ASSERT_FALSE(level.ok());
  expectRefused(level.error());
  ExploreSettings explorers;
  explorers.idleGenerator = "apng";
  const auto explored = explore(environment, explorers);
  ASSERT_FALSE(explored.ok());
  expectRefused(explored.error());
  const auto joined = bake(environment, GenerateSettings{.generator = "pasfv"});
  ASSERT_TRUE(joined.ok()) << joined.error().message;
  EXPECT_TRUE(Crowd::make(makeNavigator(*joined), {CrowdProfile{}}, {}).ok());
}

TEST(GrowthBaselines, RefuseBadSettings) {
  const Environment room = oneLayer({{{{0, 0}, {100, 0}, {100, 100}, {0, 100}}, {}}});
  EXPECT_FALSE(sfv::generate(room, {.pitch = -1}).ok());
  EXPECT_FALSE(esfv::generate(room, {.rise = -1}).ok());
  EXPECT_FALSE(apng::generate(room, {.step = 0}).ok());
  const Environment large = oneLayer({{{{0, 0}, {1000000000, 0}, {1000000000, 1000000000}}, {}}});
  const auto many = sfv::generate(large, {.pitch = 0.01});
  ASSERT_FALSE(many.ok());
  EXPECT_EQ(many.error().code, ErrorCode::kLimit);
}

}  // namespace
}  // namespace wend
