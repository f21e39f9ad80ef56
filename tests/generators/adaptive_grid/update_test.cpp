#include <wend/world.h>

#include <fmt/format.h>

#include "tests/generators/adaptive_grid/masks.h"
#include "tests/generators/update_any.h"

// Growth again where pixels changed.
namespace wend {
namespace {

using Options = std::vector<std::pair<std::string, std::string>>;

// Every mesh is held against its environment, and its pixels against those of a new mesh.
TEST(AdaptiveGridUpdate, RandomEditsOfLayersAreRight) {
  const std::vector<Options> all{
      {{"pixel", "0.4"}},
      {{"pixel", "0.25"}, {"seeds", "single"}, {"merge", "on"}},
      {{"pixel", "0.3"}, {"seed-period", "4"}, {"container", "rounds"}},
      {{"pixel", "0.4"}, {"container", "max-heap"}, {"expander", "2d"}, {"max-side", "9"}},
  };
  AnyTally tally;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    ASSERT_EQ(randomRasterEdits("adaptive-grid", all[seed % all.size()], seed, 8, tally), "") << "seed " << seed;
  }
  EXPECT_GT(tally.inPlace, 2 * tally.rebuilt) << tally.reason;
}

// A turned raster without connections.
TEST(AdaptiveGridUpdate, TurnedRasters) {
  Random random(11);
  AnyTally tally;
  for (int i = 0; i < 12; ++i) {
    EditWorld world{turned(oneLayer({{{{0, 0}, {300000, 0}, {300000, 200000}, {0, 200000}}, {}}}), 17), {}};
    AnyCheck check(world, "adaptive-grid", {{"pixel", "0.5"}, {"align", "on"}});
    for (int k = 0; k < 6; ++k) {
      editRandomly(random, world, 15000, 8);
      ASSERT_EQ(check.step(world, tally, true), "") << i << ", " << k;
    }
  }
  EXPECT_GT(tally.inPlace, tally.rebuilt) << tally.reason;
}

TEST(AdaptiveGridUpdate, CellsDoNotPileUp) {
  AnyTally tally;
  ASSERT_EQ(manyEdits("adaptive-grid", 150, tally, {{"pixel", "0.5"}, {"seed-period", "8"}}), "");
  EXPECT_LE(tally.ratio(), 1.3);
}

// Pixels of a picture: exact before and after, and only the clusters that hold a blocked pixel are gone.
TEST(AdaptiveGridUpdate, BlockedPixelsStayExact) {
  NavigableGrid mask = maskOf({"................", "......##........", "......##........", "................",
                               "..........#.....", "................", "................", "................"});
  const auto environment = gridEnvironment(mask);
  ASSERT_TRUE(environment.ok());
  const auto world =
      bake(*environment, {.generator = "adaptive-grid", .options = {{"pixel", "1"}, {"seed-period", "4"}}});
  ASSERT_TRUE(world.ok());
  ASSERT_TRUE(world->mesh().info().traits.exact);
  AddObstacle crate;
  crate.obstacle.name = "crate";
  crate.obstacle.shape = PolygonShape{{{2, 2}, {4, 2}, {4, 3}, {2, 3}}, {}};
  const auto shut = world->apply(std::vector<Edit>{crate});
  ASSERT_TRUE(shut.ok()) << shut.error().message;
  EXPECT_EQ(shut->report.mesh, MeshChange::kInPlace) << shut->report.meshReason;
  EXPECT_LT(shut->report.cellsRemoved, world->mesh().cellCount());
  EXPECT_TRUE(shut->world.mesh().info().traits.exact);
  EXPECT_TRUE(checkMesh(shut->world.mesh(), &shut->world.environment(), 1).empty());
  const auto open = shut->world.apply(std::vector<Edit>{RemoveObstacle{*shut->world.findObstacle("crate")}});
  ASSERT_TRUE(open.ok());
  EXPECT_EQ(open->report.mesh, MeshChange::kInPlace) << open->report.meshReason;
  EXPECT_TRUE(checkMesh(open->world.mesh(), &open->world.environment(), 1).empty());
  EXPECT_EQ(hash(open->world.environment()), hash(world->environment()));
}

// A wall off the lines between pixels: the mesh is right, and does not promise to be exact any more.
TEST(AdaptiveGridUpdate, WallsThroughPixelsDropThePromise) {
  const NavigableGrid mask{12, 12, std::vector<uint8_t>(144, 1), 1, {}};
  const auto environment = gridEnvironment(mask);
  const auto world =
      bake(*environment, {.generator = "adaptive-grid", .options = {{"pixel", "1"}, {"seed-period", "4"}}});
  ASSERT_TRUE(world.ok());
  AddObstacle post;
  post.obstacle.shape = PolygonShape{{{5.3, 5.2}, {6.1, 5.4}, {5.6, 6.3}}, {}};
  const auto update = world->apply(std::vector<Edit>{post});
  ASSERT_TRUE(update.ok());
  EXPECT_EQ(update->report.mesh, MeshChange::kInPlace) << update->report.meshReason;
  EXPECT_FALSE(update->world.mesh().info().traits.exact);
  EXPECT_TRUE(checkMesh(update->world.mesh(), &update->world.environment(), 1).empty());
  double area = 0;
  for (CellId c = 0; c < update->world.mesh().cellCount(); ++c) area += cellArea(update->world.mesh(), c);
  EXPECT_NEAR(area, 144 - 3, 1e-9);  // three pixels are entered
}

// What cannot be done in place is done anew, and says why.
TEST(AdaptiveGridUpdate, ASideThatMovesRebuilds) {
  const NavigableGrid mask{12, 12, std::vector<uint8_t>(144, 1), 1, {}};
  const auto environment = gridEnvironment(mask);
  const auto world = bake(*environment, {.generator = "adaptive-grid", .options = {{"pixel", "1"}}});
  ASSERT_TRUE(world.ok());
  AddObstacle all;
  all.obstacle.shape = PolygonShape{{{-1, -1}, {2.5, -1}, {2.5, 13}, {-1, 13}}, {}};
  const auto update = world->apply(std::vector<Edit>{all});
  ASSERT_TRUE(update.ok());
  EXPECT_EQ(update->report.mesh, MeshChange::kRebuilt);
  EXPECT_NE(update->report.meshReason.find("lines between pixels"), std::string::npos) << update->report.meshReason;
}

}  // namespace
}  // namespace wend
