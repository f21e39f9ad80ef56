#include <gtest/gtest.h>

#include "tests/generators/update_any.h"

namespace wend {
namespace {

TEST(UpdateMesh, TheRegistrySaysWhichMethodsCan) {
  for (const char* name :
       {"adaptive-grid", "delaunay", "ecm", "grid", "hertel-mehlhorn", "neogen", "pasfv", "wavefront"}) {
    EXPECT_TRUE(findGenerator(name)->inPlace) << name;
  }
  for (const char* name : {"cdg", "lct", "quadtree", "recast", "trapezoid"}) {
    EXPECT_FALSE(findGenerator(name)->inPlace) << name;
  }
}

TEST(UpdateMesh, RefusesAMeshOfAnotherGenerator) {
  const Environment world = oneLayer({{{{0, 0}, {100, 0}, {100, 100}, {0, 100}}, {}}});
  const auto mesh = generate(world, {.generator = "delaunay"});
  ASSERT_TRUE(mesh.ok());
  const auto update = updateMesh(*mesh, world, world, {}, {.generator = "neogen"});
  ASSERT_FALSE(update.ok());
  EXPECT_EQ(update.error().code, ErrorCode::kInvalidSettings);
  const auto unknown = updateMesh(*mesh, world, world, {}, {.generator = "watershed"});
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code, ErrorCode::kInvalidSettings);
}

TEST(UpdateMesh, OthersAreMadeAnewAndSaySo) {
  EditWorld world{oneLayer({{{{0, 0}, {1000, 0}, {1000, 1000}, {0, 1000}}, {}}}), {}};
  const Environment before = *world.environment();
  world.obstacles = {{0, {{400, 400}, {600, 400}, {600, 600}, {400, 600}}}};
  const Environment after = *world.environment();
  const auto mesh = generate(before, {.generator = "trapezoid"});
  ASSERT_TRUE(mesh.ok());
  const auto update = updateMesh(*mesh, before, after, changedArea(before, after), {.generator = "trapezoid"});
  ASSERT_TRUE(update.ok());
  EXPECT_FALSE(update->inPlace);
  EXPECT_FALSE(update->reason.empty());
  EXPECT_EQ(hash(update->mesh), hash(*generate(after, {.generator = "trapezoid"})));
}

TEST(UpdateMesh, RandomEditsOfEveryMethod) {
  for (const char* name : {"delaunay", "hertel-mehlhorn", "neogen", "pasfv", "wavefront"}) {
    AnyTally tally;
    for (uint64_t seed = 1; seed <= 40; ++seed) {
      ASSERT_EQ(randomEditsOf(name, seed, 10, tally), "") << name << ", seed " << seed;
    }
    EXPECT_EQ(tally.rebuilt, 0U) << name << ": " << tally.reason;
    std::printf("%s: %llu in place, cells %.3f of a rebuild\n", name, static_cast<unsigned long long>(tally.inPlace),
                tally.ratio());
  }
}

TEST(UpdateMesh, GridsAreTheSameAsNewOnes) {
  AnyTally tally;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    ASSERT_EQ(randomRasterEdits("grid", {{"square", "0.4"}}, seed, 10, tally), "") << "seed " << seed;
  }
  EXPECT_GT(tally.inPlace, 2 * tally.rebuilt) << tally.reason;
}

// Contract 3 of live worlds: no more than 1.3 times the cells of a new mesh, however many edits.
TEST(UpdateMesh, CellsDoNotPileUp) {
  for (const char* name : {"delaunay", "hertel-mehlhorn", "neogen", "pasfv", "wavefront"}) {
    AnyTally tally;
    ASSERT_EQ(manyEdits(name, 300, tally), "") << name;
    EXPECT_LE(tally.ratio(), 1.3) << name;
    std::printf("%s: %.3f times the cells after %llu edits\n", name, tally.ratio(),
                static_cast<unsigned long long>(tally.inPlace + tally.rebuilt));
  }
}

}  // namespace
}  // namespace wend
