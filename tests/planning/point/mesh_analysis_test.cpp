#include "planning/point/mesh_analysis.h"

#include <string>

#include <wend/make.h>
#include <wend/world.h>

#include <gtest/gtest.h>

#include "mesh/live_arrays.h"
#include "tests/environment/edit/random_edits.h"
#include "tests/world/random_edit.h"

// What is known of a mesh follows its edits, and is what it would be if found anew.
namespace wend {
namespace {

// How many edits were followed; every third version is left out, as if nobody had asked.
int follow(const Environment& environment, const std::string& generator, uint64_t seed, int edits, double size) {
  const Result<World> baked = bake(environment, {.generator = generator, .options = {}, .seed = 1});
  EXPECT_TRUE(baked.ok());
  if (!baked.ok()) return 0;
  World world = *baked;
  NavMesh old = world.mesh();
  MeshAnalysis analysis = analyseMesh(old);
  Random random(seed, 13);
  int followed = 0;
  for (int i = 0; i < edits; ++i) {
    const Result<WorldUpdate> update = world.apply(randomEdit(world, environment, size, random));
    if (!update.ok()) continue;
    world = update->world;
    if (i % 3 == 2) continue;
    followed += differenceBetween(old, world.mesh()) ? 1 : 0;
    analysis = analyseMesh(world.mesh(), old, analysis);
    old = world.mesh();
    EXPECT_EQ(analysis, analyseMesh(old)) << generator << " edit " << i;
  }
  return followed;
}

TEST(MeshAnalysis, FollowsEdits) {
  const auto military = makeEnvironment({"military", {{"edition", 2}}, 1, {}});
  const auto storeys = makeEnvironment({"library", {}, 1, {}});
  ASSERT_TRUE(military.ok() && storeys.ok());
  int followed = follow(*military, "hertel-mehlhorn", 1, 30, 3);
  followed += follow(*storeys, "delaunay", 2, 30, 2);
  for (uint64_t seed = 0; seed < 8; ++seed) {
    Random random(seed);
    const Environment hall = randomHall(random, seed % 2 == 1, seed % 3 == 0 ? 0 : 17, 1e-4);
    followed += follow(hall, seed % 4 < 2 ? "hertel-mehlhorn" : "delaunay", seed, 20, 0.7);
  }
  EXPECT_GT(followed, 80);
}

}  // namespace
}  // namespace wend
