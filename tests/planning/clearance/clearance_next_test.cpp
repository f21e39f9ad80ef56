#include <string>
#include <vector>

#include <wend/make.h>
#include <wend/navigator.h>
#include <wend/world.h>

#include <gtest/gtest.h>

#include "base/random.h"
#include "mesh/live_arrays.h"
#include "planning/clearance/clearance_table.h"
#include "tests/environment/edit/random_edits.h"
#include "tests/world/random_edit.h"

// The table of clearances follows edits, and is what it would be if made anew.
namespace wend {
namespace {

// How many edits were followed.
int followClearance(const Environment& environment, const std::string& generator, uint64_t seed, int edits,
                    double size) {
  const Result<World> baked = bake(environment, {.generator = generator, .options = {}, .seed = 1});
  EXPECT_TRUE(baked.ok());
  if (!baked.ok()) return 0;
  World world = *baked;
  const double reach = 2 / environment.lattice.unit;
  ClearanceTable table(world.mesh(), reach);
  Random random(seed, 13);
  int followed = 0;
  for (int i = 0; i < edits; ++i) {
    const Result<WorldUpdate> update = world.apply(randomEdit(world, environment, size, random));
    if (!update.ok() || update->report.mesh == MeshChange::kNone) continue;
    const NavMesh& mesh = update->world.mesh();
    followed += differenceBetween(world.mesh(), mesh) ? 1 : 0;
    table = ClearanceTable(table, world.mesh(), mesh, reach);
    const bool isSame = table == ClearanceTable(mesh, reach);
    EXPECT_TRUE(isSame) << generator << " edit " << i;
    if (!isSame) return followed;
    world = update->world;
  }
  return followed;
}

TEST(ClearanceFollowsEdits, TableEqualsOneMadeAnew) {
  const auto military = makeEnvironment({"military", {{"edition", 2}}, 1, {}});
  const auto zelda = makeEnvironment({"zelda", {{"edition", 2}, {"tiles", 1}}, 1, {}});
  ASSERT_TRUE(military.ok() && zelda.ok());
  int followed = followClearance(*military, "hertel-mehlhorn", 1, 40, 3);
  followed += followClearance(*zelda, "delaunay", 2, 40, 2);
  for (uint64_t seed = 0; seed < 6; ++seed) {
    Random random(seed);
    const Environment hall = randomHall(random, seed % 2 == 1, seed % 3 == 0 ? 0 : 17, 1e-4);
    followed += followClearance(hall, seed % 4 < 2 ? "hertel-mehlhorn" : "delaunay", seed, 16, 0.7);
  }
  EXPECT_GT(followed, 80);
}

// A navigator measures when a disk asks: then it follows all edits since the last time, more than are remembered too.
TEST(ClearanceFollowsEdits, DisksThatAskSeldomGetTheSameRoutes) {
  const auto zelda = makeEnvironment({"zelda", {{"edition", 2}, {"tiles", 1}}, 1, {}});
  ASSERT_TRUE(zelda.ok());
  const Result<World> baked = bake(*zelda, {.generator = "hertel-mehlhorn", .options = {}, .seed = 1});
  ASSERT_TRUE(baked.ok());
  World world = *baked;
  Navigator navigator = makeNavigator(world);
  PlanScratch scratch;
  PlanScratch otherScratch;
  Random random(4);
  int found = 0;
  for (const int edits : {0, 1, 3, 7, 80}) {
    for (int i = 0; i < edits;) {
      const Result<WorldUpdate> update = world.apply(randomEdit(world, *zelda, 2, random));
      if (!update.ok() || update->report.mesh == MeshChange::kNone) continue;
      world = update->world;
      navigator = makeNavigator(navigator, world);
      ++i;
    }
    const Navigator anew = makeNavigator(world);
    for (int i = 0; i < 1000; ++i) {
      const Place place(random.real(-5, 105), random.real(-5, 105));
      ASSERT_EQ(navigator.locate(place), anew.locate(place));
    }
    for (int i = 0; i < 40; ++i) {
      const auto from = anew.randomPlace({.radius = 0.2}, random.below(1'000'000), otherScratch);
      const auto to = anew.randomPlace({.radius = 0.2}, random.below(1'000'000), otherScratch);
      if (!from || !to) continue;
      PathQuery query;
      query.from = from->place;
      query.to = to->place;
      query.radius = random.real(0.01, 0.6);
      Route followed;
      Route fresh;
      ASSERT_EQ(navigator.plan(query, scratch, followed), anew.plan(query, otherScratch, fresh));
      ASSERT_EQ(followed.cells, fresh.cells);
      ASSERT_EQ(followed.length, fresh.length);
      found += fresh.cells.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(found, 100);
}

}  // namespace
}  // namespace wend
