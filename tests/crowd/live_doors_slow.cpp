#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/crowd/crowd_world.h"

// A thousand doors that all change every second for ten minutes, with people among them.
namespace wend {
namespace {

TEST(LiveDoorsLong, AThousandDoorsToggleForTenMinutes) {
  // 500 walls across a hall of 1,000 x 12 m, each with two doors of 2 m.
  EnvironmentDraft draft = room(0, 0, 1002, 12);
  std::vector<Edit> doors;
  for (int i = 0; i < 500; ++i) {
    const double x = 2 + 2 * i;
    draft.layers[0].obstacles.push_back({rectangle(x, -1, x + 0.1, 1)});
    draft.layers[0].obstacles.push_back({rectangle(x, 3, x + 0.1, 9)});
    draft.layers[0].obstacles.push_back({rectangle(x, 11, x + 0.1, 13)});
    doors.push_back(AddDoor{{fmt::format("low {}", i), {{x + 0.05, 1}, {x + 0.05, 3}}, 0.1, 0, true, i % 2 == 0}});
    doors.push_back(AddDoor{{fmt::format("high {}", i), {{x + 0.05, 9}, {x + 0.05, 11}}, 0.1, 0, true, i % 2 == 1}});
  }
  const Result<World> baked = bake(built(draft));
  ASSERT_TRUE(baked.ok());
  Result<WorldUpdate> update = baked->apply(doors);
  ASSERT_TRUE(update.ok()) << update.error().message;
  World world = update->world;
  Result<Crowd> crowd = Crowd::make(makeNavigator(world), {CrowdProfile{}}, CrowdSettings{});
  ASSERT_TRUE(crowd.ok());
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    AgentStart start;
    start.at = Place(20.0 * std::floor(random.real(0, 45)) + 0.9, random.real(0.5, 11.5));
    start.goal = Place(1000.9, 6);
    (void)crowd->add(start);
  }
  PlanScratch scratch;
  for (int second = 0; second < 600; ++second) {
    for (int i = 0; i < 10; ++i) crowd->step({});
    std::vector<Edit> toggles;
    for (const Door& door : world.doors()) toggles.push_back(SetDoor{door.name, !door.open});
    update = world.apply(toggles);
    ASSERT_TRUE(update.ok()) << update.error().message;
    world = update->world;
    ASSERT_TRUE(crowd->apply(*update, {}).ok());
    for (const AgentState& agent : crowd->agents()) {
      ASSERT_TRUE(crowd->navigator().nearestObstacle(Place(agent.position), scratch).has_value())
          << "second " << second;
    }
  }
  std::vector<Edit> open;
  for (const Door& door : world.doors()) open.push_back(SetDoor{door.name, true});
  update = world.apply(open);
  ASSERT_TRUE(update.ok());
  EXPECT_EQ(update->world.environment(), baked->environment());
}

}  // namespace
}  // namespace wend
