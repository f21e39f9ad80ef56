#include <algorithm>
#include <cmath>
#include <map>

#include <wend/file.h>
#include <wend/world.h>

#include <gtest/gtest.h>

#include "tests/crowd/crowd_world.h"

// A crowd in a world that edits change between two steps.
namespace wend {
namespace {

World worldOf(const EnvironmentDraft& draft, const std::string& generator = "ecm") {
  Result<World> world = bake(built(draft), {.generator = generator, .options = {}, .seed = 1});
  EXPECT_TRUE(world.ok());
  return world.ok() ? *world : World();
}

Crowd crowdIn(const World& world) {
  Result<Crowd> crowd = Crowd::make(makeNavigator(world), {CrowdProfile{}}, CrowdSettings{});
  EXPECT_TRUE(crowd.ok());
  return *std::move(crowd);
}

AgentStart walker(Vec2 from, Vec2 to) {
  AgentStart start;
  start.at = Place(from);
  start.goal = Place(to);
  return start;
}

Obstacle block(double x0, double y0, double x1, double y1, std::vector<int32_t> layers = {}) {
  Obstacle obstacle;
  obstacle.shape = PolygonShape{rectangle(x0, y0, x1, y1), {}};
  obstacle.layers = std::move(layers);
  return obstacle;
}

WorldUpdate applied(const World& world, std::vector<Edit> edits) {
  Result<WorldUpdate> update = world.apply(edits);
  EXPECT_TRUE(update.ok()) << update.error().message;
  return update.ok() ? *update : WorldUpdate{world, {}};
}

// Every centre is on the mesh, and no disk reaches into a wall by more than it may be squeezed.
void expectFree(const Crowd& crowd) {
  PlanScratch scratch;
  for (const AgentState& agent : crowd.agents()) {
    const auto wall = crowd.navigator().nearestObstacle(Place(agent.position), scratch);
    ASSERT_TRUE(wall.has_value()) << agent.position.x << ", " << agent.position.y;
    EXPECT_GE(wall->distance, 0.5 * agent.radius - 1e-3);
  }
}

// Whoever arrives stands there, or leaves.
std::map<CrowdEventKind, size_t> stepFor(Crowd& crowd, double seconds, int threads = 1, bool leave = false) {
  std::map<CrowdEventKind, size_t> events;
  const Threads context(threads);
  for (int i = 0; i < static_cast<int>(seconds / crowd.settings().step); ++i) {
    crowd.step(context, [&](Crowd& c, const CrowdEvent& event) {
      ++events[event.kind];
      if (event.kind != CrowdEventKind::kGoalReached) return;
      leave ? c.remove(event.agent) : c.stop(event.agent);
    });
  }
  return events;
}

TEST(LiveCrowd, ABoxDroppedOnTwoHundredPeople) {
  for (const std::string generator : {"ecm", "hertel-mehlhorn"}) {
    World world = worldOf(room(0, 0, 40, 20), generator);
    Crowd crowd = crowdIn(world);
    for (int i = 0; i < 200; ++i) {
      ASSERT_TRUE(crowd.add(walker({15.0 + 0.6 * (i % 16), 6.0 + 0.6 * (i / 16)}, {38, 10})).ok());
    }
    stepFor(crowd, 0.5);
    const WorldUpdate update = applied(world, {AddObstacle{block(14, 5, 25, 14.5)}});
    ASSERT_TRUE(crowd.apply(update, Threads(1)).ok());
    EXPECT_EQ(crowd.size(), 200U);
    expectFree(crowd);
    auto events = stepFor(crowd, 90, 1, true);
    EXPECT_GT(events[CrowdEventKind::kDisplaced], 150U);
    expectFree(crowd);
    EXPECT_EQ(events[CrowdEventKind::kGoalReached], 200U);
  }
}

// A wall between: the refuge is on the own side, though the other side is nearer in a straight line.
TEST(LiveCrowd, NobodyIsPushedThroughAWall) {
  EnvironmentDraft draft = room(0, 0, 20, 10);
  draft.layers[0].obstacles.push_back({rectangle(9.9, 0, 10.1, 9)});
  const World world = worldOf(draft);
  Crowd crowd = crowdIn(world);
  ASSERT_TRUE(crowd.add(walker({9.4, 2}, {1, 1})).ok());
  const WorldUpdate update = applied(world, {AddObstacle{block(5, -1, 10, 4)}});
  ASSERT_TRUE(crowd.apply(update, Threads(1)).ok());
  ASSERT_EQ(crowd.size(), 1U);
  EXPECT_LT(crowd.agents()[0].position.x, 10);
  expectFree(crowd);
}

TEST(LiveCrowd, WhoHasNoPlaceIsRemoved) {
  EnvironmentDraft draft = room(0, 0, 10, 10);
  draft.layers[0].walkable.push_back({rectangle(20, 0, 22, 2)});
  const World world = worldOf(draft);
  Crowd crowd = crowdIn(world);
  ASSERT_TRUE(crowd.add(walker({21, 1}, {21.5, 1})).ok());
  ASSERT_TRUE(crowd.add(walker({5, 5}, {9, 9})).ok());
  ASSERT_TRUE(crowd.apply(applied(world, {AddObstacle{block(19, -1, 23, 3)}}), Threads(1)).ok());
  EXPECT_EQ(crowd.size(), 1U);
  EXPECT_EQ(stepFor(crowd, 1)[CrowdEventKind::kRemoved], 1U);
}

// Far from the change agents go on as if nothing had happened; only those concerned plan anew.
TEST(LiveCrowd, OnlyRoutesConcernedArePlannedAnew) {
  for (const std::string generator : {"ecm", "hertel-mehlhorn"}) {
    World world = worldOf(room(0, 0, 100, 40), generator);
    Crowd crowd = crowdIn(world);
    Crowd undisturbed = crowdIn(world);
    std::vector<AgentId> ids;
    for (int i = 0; i < 10; ++i) {
      const AgentStart start = walker({2, 2.0 + i}, {30, 2.0 + i});
      ids.push_back(*crowd.add(start));
      ASSERT_TRUE(undisturbed.add(start).ok());
    }
    stepFor(crowd, 2);
    stepFor(undisturbed, 2);
    const WorldUpdate added = applied(world, {AddObstacle{block(80, 20, 82, 22)}});
    ASSERT_TRUE(crowd.apply(added, Threads(1)).ok());
    stepFor(crowd, 3);
    stepFor(undisturbed, 3);
    for (const AgentId id : ids) {
      EXPECT_NEAR(crowd.find(id)->position.x, undisturbed.find(id)->position.x, 0.05) << generator;
      EXPECT_NEAR(crowd.find(id)->position.y, undisturbed.find(id)->position.y, 0.05) << generator;
    }
    // In the way: they walk around it and arrive.
    const WorldUpdate wall = applied(added.world, {AddObstacle{block(20, -1, 21, 15)}});
    ASSERT_TRUE(crowd.apply(wall, Threads(1)).ok());
    EXPECT_EQ(stepFor(crowd, 60)[CrowdEventKind::kGoalReached], 10U) << generator;
    expectFree(crowd);
  }
}

TEST(LiveCrowd, AShorterWayThatOpensIsTaken) {
  EnvironmentDraft draft = room(0, 0, 40, 40);
  const World world = worldOf(draft);
  const World walled = applied(world, {AddObstacle{block(19.5, -1, 20.5, 35)}}).world;
  Crowd crowd = crowdIn(walled);
  const AgentId id = *crowd.add(walker({5, 5}, {35, 5}));
  stepFor(crowd, 3);
  ASSERT_TRUE(crowd.apply(applied(walled, {RemoveObstacle{walled.obstacles()[0]}}), Threads(1)).ok());
  stepFor(crowd, 24);
  EXPECT_GT(crowd.find(id)->position.x, 33);
  EXPECT_LT(crowd.find(id)->position.y, 12);
}

TEST(LiveCrowd, SameForAnyThreadsAndAfterSaving) {
  std::vector<uint64_t> hashes;
  for (const int threads : {1, 2, 4}) {
    World world = worldOf(doorRooms(1.2));
    world = applied(world, {AddDoor{{"gate", {{0, -0.6}, {0, 0.6}}}}}).world;
    Crowd crowd = crowdIn(world);
    Random random(5);
    for (int i = 0; i < 60; ++i) {
      ASSERT_TRUE(
          crowd.add(walker({random.real(-9, -1), random.real(-4, 4)}, {random.real(1, 9), random.real(-4, 4)})).ok());
    }
    for (int i = 0; i < 12; ++i) {
      stepFor(crowd, 1, threads);
      const WorldUpdate update = applied(world, {SetDoor{"gate", i % 2 == 1}});
      world = update.world;
      ASSERT_TRUE(crowd.apply(update, Threads(threads)).ok());
      expectFree(crowd);
      if (i == 5) {
        // Saved and continued on an equal world.
        const std::vector<std::byte> bytes = crowd.save();
        Crowd again = crowdIn(*parseWorld(asBytes(*serialiseWorld(world)), "copy"));
        ASSERT_TRUE(again.load(bytes).ok());
        EXPECT_EQ(again.hash(), crowd.hash());
        crowd = std::move(again);
      }
    }
    hashes.push_back(crowd.hash());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
}

}  // namespace
}  // namespace wend
