#include <deque>
#include <map>
#include <set>

#include <wend/crowd.h>
#include <wend/image/adaptive_grid.h>
#include <wend/make.h>
#include <wend/scenario.h>
#include <wend/simulate.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "crowd/local/avoid.h"
#include "crowd/local/forces.h"

namespace wend {
namespace {

// A hall of 40 x 24 m with a wall that has a door of 3 m.
World hallWorld(const char* generator) {
  NavigableGrid grid{80, 48, std::vector<uint8_t>(80 * 48, 1), 0.5, {}};
  for (uint32_t row = 0; row < 48; ++row) {
    if (row < 20 || row >= 26) grid.free[row * 80 + 40] = 0;
  }
  const auto environment = gridEnvironment(grid);
  EXPECT_TRUE(environment.ok());
  GenerateSettings settings;
  settings.generator = generator;
  if (settings.generator == "adaptive-grid") settings.options = {{"pixel", "0.5"}};
  auto world = bake(*environment, settings);
  EXPECT_TRUE(world.ok()) << (world.ok() ? "" : world.error().message);
  return *world;
}

CrowdProfile tableProfile() {
  CrowdProfile profile;
  profile.route = RouteMethod::kTable;
  return profile;
}

Crowd crowdIn(const World& world, CrowdProfile profile) {
  auto crowd = Crowd::make(makeNavigator(world), {std::move(profile)}, {});
  EXPECT_TRUE(crowd.ok());
  return std::move(*crowd);
}

void fill(Crowd& crowd, int count, Place goal) {
  Random random(5);
  for (int i = 0; i < count; ++i) {
    AgentStart start;
    start.at = {random.real(1, 18), random.real(1, 23)};
    start.goal = goal;
    start.goalRadius = 1;
    ASSERT_TRUE(crowd.add(start).ok());
  }
}

TEST(TableRoute, EveryoneArrivesOnAnyMesh) {
  for (const char* generator : {"adaptive-grid", "delaunay", "hertel-mehlhorn", "ecm"}) {
    const World world = hallWorld(generator);
    Crowd crowd = crowdIn(world, tableProfile());
    fill(crowd, 60, {36, 12});
    std::set<AgentId> arrived;
    Context context;
    for (int i = 0; i < 900 && arrived.size() < 60; ++i) {
      crowd.step(context, [&](Crowd& c, const CrowdEvent& event) {
        EXPECT_NE(event.kind, CrowdEventKind::kRouteBlocked);
        if (event.kind != CrowdEventKind::kGoalReached) return;
        arrived.insert(event.agent);
        c.remove(event.agent);
      });
    }
    EXPECT_EQ(arrived.size(), 60U) << generator;
  }
}

TEST(TableRoute, UnreachableGoalIsAnEvent) {
  NavigableGrid grid{20, 10, std::vector<uint8_t>(200, 1), 1, {}};
  for (uint32_t row = 0; row < 10; ++row) grid.free[row * 20 + 10] = 0;
  const auto environment = gridEnvironment(grid);
  const auto world = bake(*environment, {.generator = "adaptive-grid", .options = {{"pixel", "1"}}});
  ASSERT_TRUE(world.ok());
  Crowd crowd = crowdIn(*world, tableProfile());
  AgentStart start;
  start.at = {2, 5};
  start.goal = {18, 5};
  ASSERT_TRUE(crowd.add(start).ok());
  int blocked = 0;
  crowd.step({}, [&](Crowd&, const CrowdEvent& event) { blocked += event.kind == CrowdEventKind::kRouteBlocked; });
  EXPECT_EQ(blocked, 1);
  // A goal off the mesh, too.
  Crowd other = crowdIn(*world, tableProfile());
  start.goal = {10.5, 5};
  ASSERT_TRUE(other.add(start).ok());
  other.step({}, [&](Crowd&, const CrowdEvent& event) { blocked += event.kind == CrowdEventKind::kRouteBlocked; });
  EXPECT_EQ(blocked, 2);
}

TEST(TableRoute, SameForAnyThreadsAndAfterLoading) {
  const World world = hallWorld("adaptive-grid");
  Crowd one = crowdIn(world, tableProfile());
  Crowd four = crowdIn(world, tableProfile());
  fill(one, 200, {36, 12});
  fill(four, 200, {36, 12});
  Context single;
  single.threads = 1;
  Context several;
  several.threads = 4;
  for (int i = 0; i < 60; ++i) {
    one.step(single);
    four.step(several);
  }
  EXPECT_EQ(one.hash(), four.hash());
  const std::vector<std::byte> saved = one.save();
  Crowd loaded = crowdIn(world, tableProfile());
  ASSERT_TRUE(loaded.load(saved).ok());
  for (int i = 0; i < 60; ++i) {
    one.step(single);
    loaded.step(single);
  }
  EXPECT_EQ(one.hash(), loaded.hash());
}

// Check 11: with passage coverage agents cross a wide portal side by side; aiming at its middle they queue up.
TEST(TableRoute, CoverageSpreadsAndCentresLineUp) {
  NavigableGrid grid{40, 24, std::vector<uint8_t>(40 * 24, 1), 1, {}};
  for (uint32_t row = 0; row < 24; ++row) {
    if (row < 4 || row >= 20) grid.free[row * 40 + 20] = 0;
  }
  const auto environment = gridEnvironment(grid);
  const auto world =
      bake(*environment, {.generator = "adaptive-grid", .options = {{"pixel", "1"}, {"seeds", "single"}}});
  ASSERT_TRUE(world.ok());
  const auto spread = [&](FollowMethod follow) {
    CrowdProfile profile = tableProfile();
    profile.follow = follow;
    profile.avoid = AvoidMethod::kNone;
    profile.stream = false;
    Crowd crowd = crowdIn(*world, profile);
    for (int i = 0; i < 20; ++i) {
      AgentStart start;
      start.at = {2, 2.0 + i};
      start.goal = {38, 12};
      EXPECT_TRUE(crowd.add(start).ok());
    }
    std::map<AgentId, double> crossedAt;
    for (int i = 0; i < 400; ++i) {
      crowd.step({});
      for (const AgentState& agent : crowd.agents()) {
        if (agent.position.x > 20.5) crossedAt.try_emplace(agent.id, agent.position.y);
      }
    }
    double sum = 0;
    double squares = 0;
    for (const auto& [id, y] : crossedAt) {
      sum += y;
      squares += y * y;
    }
    const auto n = static_cast<double>(crossedAt.size());
    EXPECT_GE(n, 15);
    return std::sqrt(std::max(0.0, squares / n - sum * sum / n / n));
  };
  EXPECT_GT(spread(FollowMethod::kIrm), 3 * spread(FollowMethod::kCentres));
}

// Check 12: agents that leave are used again, the first to leave first.
TEST(AgentPool, MemoryIsMadeOncePerAgentAtATime) {
  const World world = hallWorld("adaptive-grid");
  Crowd crowd = crowdIn(world, tableProfile());
  Random random(1);
  std::deque<AgentId> inside;
  for (int i = 0; i < 500; ++i) {
    AgentStart start;
    start.at = {random.real(1, 18), random.real(1, 23)};
    start.goal = {36, 12};
    const auto id = crowd.add(start);
    ASSERT_TRUE(id.ok());
    inside.push_back(*id);
    if (inside.size() > 40) {
      crowd.remove(inside.front());
      inside.pop_front();
    }
    if (i % 10 == 0) crowd.step({});
    ASSERT_LE(crowd.constructed(), 41U);
  }
  EXPECT_EQ(crowd.constructed(), 41U);
  EXPECT_EQ(crowd.size(), 40U);
}

TEST(AgentPool, ScenarioKeepsTheCrowdFull) {
  const std::string text = R"toml(
format = 1
environment = "POLYGON ((0 0, 60 0, 60 40, 0 40, 0 0))"
mesh = "adaptive-grid"
end_time = 60
end_when = "time"
[profile.person]
route = "table"
avoid = "social-force-1995"
[pool]
max = 30
rate = 2
[[stage]]
id = "west"
kind = "exit"
area = [[0, 15], [3, 15], [3, 25], [0, 25]]
[[stage]]
id = "east"
kind = "exit"
area = [[57, 15], [60, 15], [60, 25], [57, 25]]
[[stage]]
id = "north"
kind = "exit"
area = [[25, 37], [35, 37], [35, 40], [25, 40]]
)toml";
  const auto scenario = parseScenario(text, "pool.toml");
  ASSERT_TRUE(scenario.ok()) << scenario.error().message;
  EXPECT_EQ(scenario->poolMax, 30U);
  EXPECT_EQ(scenario->sources.size(), 3U);
  SimulateSettings settings;
  settings.output = testing::TempDir() + "pool.sqlite";
  const auto summary = simulate(*scenario, settings);
  ASSERT_TRUE(summary.ok()) << summary.error().message;
  uint32_t most = 0;
  for (const FrameCost& frame : summary->frames) most = std::max(most, frame.agents);
  EXPECT_EQ(most, 30U);
  EXPECT_GT(summary->left, 0U);
  EXPECT_GT(summary->persons, 30U);
  EXPECT_EQ(summary->constructed, 30U);
  // Full again at once after somebody has left.
  size_t full = 0;
  size_t after = 0;
  for (const FrameCost& frame : summary->frames) {
    if (frame.time < 20) continue;
    ++after;
    full += frame.agents >= 28 ? 1 : 0;
  }
  EXPECT_GT(full * 10, after * 9);
}

TEST(AgentPool, WrongPoolsAreErrors) {
  const std::string head = "format = 1\nenvironment = \"POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0))\"\n";
  for (const char* pool : {"[pool]\nrate = 1\n", "[pool]\nmax = 5\n", "[pool]\nmax = 5\nrate = 1\n",
                           "[pool]\nmax = 5\nrate = 1\nexits = [\"a\", \"b\"]\n", "[pool]\nmax = 0\nrate = 1\n",
                           "[pool]\nmax = 5\nrate = 1\nhops = 3\n"}) {
    EXPECT_FALSE(parseScenario(head + pool, "wrong.toml").ok()) << pool;
  }
}

TEST(SocialForce1995, TerritoryReachesAhead) {
  namespace sf = social_force_1995;
  const auto size = [](Vec2 v) { return std::hypot(v.x, v.y); };
  // A pedestrian at the origin that walks to the east repels more ahead than behind, and alike on both sides.
  const Vec2 step{2.6, 0};
  EXPECT_GT(size(sf::repulsion({1.5, 0.4}, step)), 2 * size(sf::repulsion({-1.5, 0.4}, step)));
  EXPECT_NEAR(size(sf::repulsion({1, 0.7}, step)), size(sf::repulsion({1, -0.7}, step)), 1e-12);
  EXPECT_GT(sf::repulsion({1, 0.7}, step).y, 0);
  // Standing: a circle, 2.1 / 0.3 exp(-b / 0.3).
  EXPECT_NEAR(size(sf::repulsion({0.6, 0}, {})), 7 * std::exp(-2.0), 1e-9);
  EXPECT_NEAR(size(sf::wall({0, 0.4})), 50 * std::exp(-2.0), 1e-9);
  for (const Vec2 x : {Vec2{0, 0}, {1e-12, 0}, step}) {
    const Vec2 f = sf::repulsion(x, step);
    EXPECT_TRUE(std::isfinite(f.x) && std::isfinite(f.y));
  }
  LocalView nobody;
  nobody.preferred = {1.4F, 0};
  const LocalChoice alone = avoidSocialForce1995(nobody);
  EXPECT_GT(alone.velocity.x, 0.1F);
}

}  // namespace
}  // namespace wend
