#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include <wend/crowd.h>
#include <wend/image/adaptive_grid.h>
#include <wend/simulate.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "crowd/crowd_hops.h"
#include "planning/table/hop_change.h"

// Agents on tables in a world that edits change.
namespace wend {
namespace {

// 40 x 24 m, a wall at x = 20 m with doors of 2 m at y = 4 and y = 18.
World twoDoors(const std::string& generator) {
  NavigableGrid grid{80, 48, std::vector<uint8_t>(80 * 48, 1), 0.5, {}};
  for (uint32_t row = 0; row < 48; ++row) {
    const double y = 24 - 0.5 * row;
    const bool door = (y > 4 && y <= 6) || (y > 18 && y <= 20);
    if (!door) grid.free[row * 80 + 40] = 0;
  }
  const auto environment = gridEnvironment(grid);
  EXPECT_TRUE(environment.ok());
  GenerateSettings settings;
  settings.generator = generator;
  if (generator == "adaptive-grid") settings.options = {{"pixel", "0.5"}};
  const auto world = bake(*environment, settings);
  EXPECT_TRUE(world.ok());
  const std::vector<Edit> doors{
      AddDoor{{.name = "south", .line = {{20, 4}, {20.5, 4}, {20.5, 6}, {20, 6}}}},
      AddDoor{{.name = "north", .line = {{20, 18}, {20.5, 18}, {20.5, 20}, {20, 20}}}},
  };
  const auto update = world->apply(doors);
  EXPECT_TRUE(update.ok()) << (update.ok() ? "" : update.error().message);
  return update.ok() ? update->world : World();
}

Crowd crowdIn(const World& world) {
  CrowdProfile profile;
  profile.route = RouteMethod::kTable;
  auto crowd = Crowd::make(makeNavigator(world), {profile}, {});
  EXPECT_TRUE(crowd.ok());
  return std::move(*crowd);
}

struct Walk {
  std::set<AgentId> arrived;
  std::set<AgentId> blocked;
  std::map<AgentId, double> crossedAt;  // y at x = 20.5 m
};

void walk(Crowd& crowd, int frames, Walk& result) {
  Context one;
  one.threads = 1;
  for (int i = 0; i < frames; ++i) {
    crowd.step(one, [&](Crowd& c, const CrowdEvent& event) {
      if (event.kind == CrowdEventKind::kRouteBlocked) result.blocked.insert(event.agent);
      if (event.kind != CrowdEventKind::kGoalReached) return;
      result.arrived.insert(event.agent);
      c.remove(event.agent);
    });
    for (const AgentState& agent : crowd.agents()) {
      if (agent.position.x > 20.5) result.crossedAt.try_emplace(agent.id, agent.position.y);
    }
  }
}

void fill(Crowd& crowd) {
  Random random(5);
  for (int i = 0; i < 30; ++i) {
    AgentStart start;
    start.at = {random.real(1, 8), random.real(1, 10)};
    start.goal = {36, 5};
    start.goalRadius = 1.5;
    ASSERT_TRUE(crowd.add(start).ok());
  }
}

TEST(TableRouteLive, ShutDoorsSendEverybodyToTheOther) {
  for (const char* generator : {"adaptive-grid", "hertel-mehlhorn", "ecm"}) {
    World world = twoDoors(generator);
    Crowd crowd = crowdIn(world);
    fill(crowd);
    Walk result;
    walk(crowd, 20, result);
    const auto shut = world.apply(std::vector<Edit>{SetDoor{"south", false}});
    ASSERT_TRUE(shut.ok());
    ASSERT_TRUE(crowd.apply(*shut, {}).ok());
    walk(crowd, 1500, result);
    EXPECT_EQ(result.arrived.size(), 30U) << generator;
    EXPECT_TRUE(result.blocked.empty()) << generator;
    EXPECT_GT(result.crossedAt.size(), 20U);
    for (const auto& [agent, y] : result.crossedAt) EXPECT_GT(y, 12) << generator;
  }
}

TEST(TableRouteLive, NoWayIsAnEventUntilADoorOpens) {
  World world = twoDoors("adaptive-grid");
  Crowd crowd = crowdIn(world);
  fill(crowd);
  Walk result;
  walk(crowd, 5, result);
  const auto shut = world.apply(std::vector<Edit>{SetDoor{"south", false}, SetDoor{"north", false}});
  ASSERT_TRUE(shut.ok());
  ASSERT_TRUE(crowd.apply(*shut, {}).ok());
  walk(crowd, 5, result);
  EXPECT_EQ(result.blocked.size(), 30U);
  const auto open = shut->world.apply(std::vector<Edit>{SetDoor{"south", true}});
  ASSERT_TRUE(open.ok());
  ASSERT_TRUE(crowd.apply(*open, {}).ok());
  walk(crowd, 1500, result);
  EXPECT_EQ(result.arrived.size(), 30U);
}

// Rows that are taken over say what a search in the new world says, and rows that concern the change are not taken.
TEST(TableRouteLive, RowsTakenOverAreThoseOfASearch) {
  size_t taken = 0;
  size_t dropped = 0;
  for (const char* generator : {"adaptive-grid", "delaunay", "ecm"}) {
    World world = twoDoors(generator);
    Random random(7);
    for (int i = 0; i < 12; ++i) {
      CrowdHops hops(world.mesh());
      for (CellId goal = 0; goal < world.mesh().cellCount(); goal += 3) hops.row(goal, 0.25, {});
      const std::vector<ObstacleId> there = world.obstacles();
      std::vector<Edit> edits;
      if (there.size() > 5) edits.push_back(RemoveObstacle{there[random.below(there.size())]});
      AddObstacle crate;
      crate.obstacle.shape = PolygonShape{{{0, 0}, {1.3, 0}, {1.3, 2}, {0, 2}}, {}};
      crate.obstacle.place = Placement{{random.real(1, 37), random.real(1, 20), 0}};
      edits.push_back(crate);
      const auto update = world.apply(edits);
      ASSERT_TRUE(update.ok()) << update.error().message;
      const NavMesh& mesh = update->world.mesh();
      const std::vector<CellId> newOfOld =
          newCellsOfOld(world.mesh().cellCount(), mesh.cellCount(), update->report.cellSource);
      CrowdHops now(mesh);
      now.takeOver(hops, newOfOld, {});
      taken += now.rowCount();
      dropped += hops.rowCount() - now.rowCount();
      std::set<uint32_t> stale;
      for (uint32_t row = 0; row < hops.rowCount(); ++row) {
        if (now.isStale(row)) stale.insert(row);
      }
      CrowdHops fresh(mesh);
      for (CellId old = 0; old < world.mesh().cellCount(); old += 3) {
        const CellId goal = newOfOld[old];
        if (goal == kNone) continue;
        // Agents keep the numbers of their rows.
        const uint32_t was = hops.row(old, 0.25, {});
        const bool isKept = stale.count(was) == 0;
        const uint32_t a = now.row(goal, 0.25, {});
        if (isKept) {
          ASSERT_EQ(a, was);
        }
        const uint32_t b = fresh.row(goal, 0.25, {});
        for (CellId cell = 0; cell < mesh.cellCount(); ++cell) {
          ASSERT_EQ(now.left(a, cell), fresh.left(b, cell)) << generator << ", edit " << i;
          FollowInput input;
          input.cell = cell;
          input.speed = 1;
          const FollowResult x = now.follow(a, input, {}, true);
          const FollowResult y = fresh.follow(b, input, {}, true);
          ASSERT_EQ(x.status, y.status);
          ASSERT_EQ(x.preferred.x, y.preferred.x);
          ASSERT_EQ(x.preferred.y, y.preferred.y);
        }
      }
      world = update->world;
    }
  }
  EXPECT_GT(taken, 20U);
  EXPECT_GT(dropped, 20U);
}

// A scenario with events: the near door shuts while people are on their way.
TEST(TableRouteLive, ScenarioWithEvents) {
  const std::string text = R"toml(
format = 1
environment = "POLYGON ((0 0, 40 0, 40 24, 0 24, 0 0), (20 0.5, 20 4, 20.5 4, 20.5 0.5, 20 0.5), (20 6, 20 18, 20.5 18, 20.5 6, 20 6), (20 20, 20 23.5, 20.5 23.5, 20.5 20, 20 20))"
mesh = "adaptive-grid pixel=0.5"
end_time = 200
[profile.person]
route = "table"
density_weight = 0
[[stage]]
id = "out"
kind = "exit"
area = [[36, 3], [40, 3], [40, 7], [36, 7]]
[[journey]]
id = "way"
stages = ["out"]
[[source]]
id = "in"
journey = "way"
area = [[1, 1], [9, 1], [9, 9], [1, 9]]
count = 40
[[event]]
time = 4
action = "insert"
target = "crate"
area = [[19.5, 3.5], [21, 3.5], [21, 6.5], [19.5, 6.5]]
)toml";
  const auto scenario = parseScenario(text, "live.toml");
  ASSERT_TRUE(scenario.ok()) << scenario.error().message;
  uint64_t hashes[2] = {};
  for (const int threads : {1, 3}) {
    SimulateSettings settings;
    settings.output = testing::TempDir() + fmt::format("table_live_{}.sqlite", threads);
    Context context;
    context.threads = threads;
    const auto summary = simulate(*scenario, settings, context);
    ASSERT_TRUE(summary.ok()) << summary.error().message;
    EXPECT_EQ(summary->persons, 40U);
    EXPECT_EQ(summary->left, 40U);
    EXPECT_EQ(summary->outside, 0U);
    EXPECT_EQ(summary->unreachable, 0U);
    hashes[threads == 1 ? 0 : 1] = summary->resultHash;
    std::filesystem::remove(settings.output);
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

}  // namespace
}  // namespace wend
