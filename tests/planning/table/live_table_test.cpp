#include <wend/image/adaptive_grid.h>
#include <wend/make.h>
#include <wend/next_hop_table.h>

#include <gtest/gtest.h>

#include "base/random.h"

// Tables of next hops after World::apply(): each is compared with one that is built anew.
namespace wend {
namespace {

World hall(const std::string& generator) {
  const NavigableGrid grid{48, 32, std::vector<uint8_t>(48 * 32, 1), 1, {}};
  const auto environment = gridEnvironment(grid);
  EXPECT_TRUE(environment.ok());
  GenerateSettings settings;
  settings.generator = generator;
  if (generator == "adaptive-grid") settings.options = {{"pixel", "1"}, {"seed-period", "8"}};
  auto world = bake(*environment, settings);
  EXPECT_TRUE(world.ok()) << (world.ok() ? "" : world.error().message);
  return world.ok() ? *world : World();
}

Obstacle crateAt(Random& random) {
  const double w = static_cast<double>(random.between(1, 5));
  const double h = static_cast<double>(random.between(1, 5));
  const double shift = random.chance(0.5) ? 0 : 0.3;
  Obstacle crate;
  crate.shape = PolygonShape{{{0, 0}, {w, 0}, {w, h}, {0, h}}, {}};
  crate.place =
      Placement{{static_cast<double>(random.between(1, 40)) + shift, static_cast<double>(random.between(1, 26)), 0}};
  return crate;
}

std::vector<CellId> goalsOf(const NextHopTable& table) {
  std::vector<CellId> goals;
  for (uint32_t row = 0; row < table.goalCount(); ++row) goals.push_back(table.goalOf(row));
  return goals;
}

TEST(LiveTable, UpdatesEqualTablesBuiltAnew) {
  uint32_t kept = 0;
  uint32_t searched = 0;
  for (const char* generator : {"adaptive-grid", "grid", "delaunay", "hertel-mehlhorn", "ecm", "trapezoid"}) {
    Random random(3);
    World world = hall(generator);
    for (const HopMetric metric : {HopMetric::kShortest, HopMetric::kManhattan}) {
      NextHopTable all = *NextHopTable::build(world.mesh(), {.metric = metric, .radius = 0.2});
      NextHopTable some = *NextHopTable::build(
          world.mesh(), {.metric = metric, .goals = {0, world.mesh().cellCount() / 2, world.mesh().cellCount() - 1}});
      for (int i = 0; i < 5; ++i) {
        std::vector<Edit> edits;
        const std::vector<ObstacleId> there = world.obstacles();
        if (there.size() > 4 || (!there.empty() && random.chance(0.3))) {
          edits.push_back(RemoveObstacle{there[random.below(there.size())]});
        }
        edits.push_back(AddObstacle{crateAt(random)});
        const auto update = world.apply(edits);
        ASSERT_TRUE(update.ok()) << update.error().message;
        NextHopUpdate report;
        const auto allNow = all.update(world, *update, {}, &report);
        ASSERT_TRUE(allNow.ok()) << allNow.error().message;
        const auto someNow = some.update(world, *update);
        ASSERT_TRUE(someNow.ok()) << someNow.error().message;
        kept += report.kept;
        searched += report.searched;
        const NavMesh& mesh = update->world.mesh();
        ASSERT_EQ(allNow->hash(), NextHopTable::build(mesh, {.metric = metric, .radius = 0.2})->hash())
            << generator << ", edit " << i;
        ASSERT_EQ(someNow->hash(), NextHopTable::build(mesh, {.metric = metric, .goals = goalsOf(*someNow)})->hash())
            << generator << ", edit " << i;
        // Whatever part of a goal can still be walked on is in a goal.
        const Locator before(world.mesh());
        const Locator now(mesh);
        for (int k = 0; k < 200; ++k) {
          const Place p(random.real(0, 48), random.real(0, 32));
          const CellId old = before.locate(p);
          const CellId cell = now.locate(p);
          if (old == kNone || cell == kNone || some.rowOf(old) == kNone) continue;
          ASSERT_NE(someNow->rowOf(cell), kNone) << generator << ", edit " << i << " at " << p.x << ", " << p.y;
        }
        all = *allNow;
        some = *someNow;
        world = update->world;
      }
    }
  }
  EXPECT_GT(kept, 100U);
  EXPECT_GT(searched, 100U);
}

// A door far from most of the world: most trees stay.
TEST(LiveTable, FarTreesAreKept) {
  // Two halls that only a door joins, and a long hall of its own.
  NavigableGrid grid{60, 20, std::vector<uint8_t>(1200, 1), 1, {}};
  for (uint32_t row = 0; row < 20; ++row) {
    grid.free[row * 60 + 40] = 0;
    if (row != 10) grid.free[row * 60 + 20] = 0;
  }
  const auto environment = gridEnvironment(grid);
  const auto world =
      bake(*environment, {.generator = "adaptive-grid", .options = {{"pixel", "1"}, {"seed-period", "4"}}});
  ASSERT_TRUE(world.ok());
  const auto table = NextHopTable::build(world->mesh());
  AddDoor door{{.name = "door", .line = {{20, 9}, {21, 9}, {21, 10}, {20, 10}}, .open = false}};
  const auto shut = world->apply(std::vector<Edit>{door, SetDoor{"door", false}});
  ASSERT_TRUE(shut.ok()) << shut.error().message;
  ASSERT_EQ(shut->report.mesh, MeshChange::kInPlace);
  NextHopUpdate report;
  const auto now = table->update(*world, *shut, {}, &report);
  ASSERT_TRUE(now.ok());
  EXPECT_EQ(now->hash(), NextHopTable::build(shut->world.mesh())->hash());
  // The trees of the third hall cannot have changed.
  const Locator locator(shut->world.mesh());
  uint32_t third = 0;
  for (CellId c = 0; c < shut->world.mesh().cellCount(); ++c) {
    const SideId s = shut->world.mesh().firstSide(c);
    third += shut->world.mesh().vertex(shut->world.mesh().startVertex(s)).x > 405000 ? 1 : 0;
  }
  EXPECT_GT(third, 5U);
  EXPECT_GE(report.kept, third);
  EXPECT_GT(report.searched, 0U);
}

TEST(LiveTable, NoGoalLeftIsAnError) {
  const World world = hall("adaptive-grid");
  const Locator locator(world.mesh());
  const CellId goal = locator.locate(Place(2.5, 2.5));
  const auto table = NextHopTable::build(world.mesh(), {.goals = {goal}});
  ASSERT_TRUE(table.ok());
  AddObstacle all;
  all.obstacle.shape = PolygonShape{{{-1, -1}, {30, -1}, {30, 40}, {-1, 40}}, {}};
  const auto update = world.apply(std::vector<Edit>{all});
  ASSERT_TRUE(update.ok());
  const auto now = table->update(world, *update);
  ASSERT_FALSE(now.ok());
  EXPECT_EQ(now.error().code, ErrorCode::kEmpty);
}

}  // namespace
}  // namespace wend
