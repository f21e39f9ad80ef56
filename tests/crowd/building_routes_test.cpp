#include <wend/analysis.h>

#include "tests/crowd/run_file.h"

// Routes by lifts and around stairs.
namespace wend {
namespace {

// Two rooms joined by a stair (above) and by a level passage that is longer (below), with a door in it. The person
// starts in the west; the exit is in the east.
std::string stairOrLevel(const std::string& profile, const std::string& extra = {}, bool level = true) {
  return fmt::format(R"toml(format = 1
environment = "POLYGON ((0 0, 30 0, 30 12, 20 12, 20 11, 10 11, 10 12, 0 12, 0 0), (10 {}, 10 8, 20 8, 20 {}, 10 {}))"
end_time = 300
[profile.p]
{}
[[stair]]
id = "steps"
area = [[10, 8], [20, 8], [20, 11], [10, 11]]
up = [1, 0]
[[source]]
id = "in"
points = [[5, 9.5]]
journey = "out"
[[stage]]
id = "end"
kind = "exit"
area = [[27, 8], [29, 8], [29, 11], [27, 11]]
[[journey]]
id = "out"
stages = ["end"]
{}
)toml",
                     level ? 3 : 0.5, level ? 3 : 0.5, level ? 3 : 0.5, profile, extra);
}

// The number of recorded positions in a rectangle of a layer.
size_t positionsIn(const ScratchRecording& file, Vec2 low, Vec2 high, int32_t layer = 0) {
  const Result<Recording> recording = Recording::open(file.path());
  size_t count = 0;
  EXPECT_TRUE(recording
                  ->forEach([&](int64_t, std::span<const RecordedPosition> persons) {
                    for (const RecordedPosition& p : persons) {
                      count += p.layer == layer && p.place.x > low.x && p.place.x < high.x && p.place.y > low.y &&
                               p.place.y < high.y;
                    }
                    return true;
                  })
                  .ok());
  return count;
}

TEST(BuildingRoutes, WheelchairsGoAroundStairs) {
  const ScratchRecording file;
  EXPECT_EQ(simulated(stairOrLevel(""), file).left, 1U);
  EXPECT_GT(positionsIn(file, {10, 8}, {20, 11}), 50U);
  for (const char* follow : {"irm", "miran"}) {
    const SimulationSummary s =
        simulated(stairOrLevel(fmt::format("like = 'wheelchair'\nfollow = '{}'", follow)), file);
    EXPECT_EQ(s.left, 1U) << follow;
    EXPECT_EQ(s.outside, 0U);
    EXPECT_EQ(positionsIn(file, {10, 8}, {20, 11}), 0U) << follow;
  }
  // Whoever is carried takes the stair.
  EXPECT_EQ(simulated(stairOrLevel("like = 'wheelchair'\nstairs = true"), file).left, 1U);
  EXPECT_GT(positionsIn(file, {10, 8}, {20, 11}), 50U);
}

TEST(BuildingRoutes, SaysWhoHasNoWayWithoutStairs) {
  const ScratchRecording file;
  const SimulationSummary s = simulated(stairOrLevel("like = 'wheelchair'", "", false), file);
  EXPECT_EQ(s.left, 0U);
  EXPECT_EQ(s.unreachable, 1U);
  EXPECT_TRUE(says(s.warnings, "profile 'p' find no way without stairs and escalators to stage 'end'"));
  EXPECT_EQ(positionsIn(file, {10, 8}, {20, 11}), 0U);
  // A ramp is no stair.
  std::string text = stairOrLevel("like = 'wheelchair'", "", false);
  text.replace(text.find("id = \"steps\""), 12, "id = \"steps\"\nkind = \"ramp\"\nslope = 0.05");
  EXPECT_EQ(simulated(text, file).left, 1U);
  EXPECT_FALSE(parseScenario(stairOrLevel("stairs = false\nfollow = 'waypoints'"), "t").ok());
  EXPECT_FALSE(parseScenario(stairOrLevel("stairs = false\nroute = 'table'"), "t").ok());
}

// The world changes while they are on their way: the door of the level passage shuts and opens again.
TEST(BuildingRoutes, GoAroundStairsAlsoAfterTheWorldChanged) {
  const std::string door = R"toml([[door]]
id = "passage"
line = [[15, 0], [15, 3]]
[[event]]
time = 5
action = "close"
target = "passage"
[[event]]
time = 20
action = "open"
target = "passage"
)toml";
  const ScratchRecording file;
  const std::string profile = "radius = 0.24\nstairs = false";
  const SimulationSummary s = simulated(stairOrLevel(profile, door), file);
  EXPECT_EQ(s.left, 1U);
  EXPECT_GT(s.time, 25);
  EXPECT_EQ(positionsIn(file, {10, 8}, {20, 11}), 0U);
  EXPECT_EQ(simulated(stairOrLevel("", door), file).left, 1U);
  EXPECT_GT(positionsIn(file, {10, 8}, {20, 11}), 50U);
}

// Two floors of 3 m, joined by a stair with two flights (layer 2) and by a lift.
std::string storeys(const std::string& profile, const std::string& lift, int count = 1) {
  return fmt::format(R"toml(format = 1
environment = "make:dormitory floors=2 rooms=4 corridor=2"
end_time = 600
[profile.p]
{}
[[source]]
id = "in"
layer = 1
area = [[5, 0.2], [8.5, 0.2], [8.5, 1.8], [5, 1.8]]
count = {}
journey = "down"
[[stair]]
id = "lower"
layer = 2
area = [[-4, 0], [-1.2, 0], [-1.2, 1], [-4, 1]]
[[stair]]
id = "upper"
layer = 2
area = [[-4, 1.2], [-1.2, 1.2], [-1.2, 2.2], [-4, 2.2]]
[[stage]]
id = "out"
kind = "exit"
area = [[0.7, -3.2], [1.7, -3.2], [1.7, -1.6], [0.7, -1.6]]
[[journey]]
id = "down"
stages = ["out"]
{}
)toml",
                     profile, count, lift);
}

std::string liftOf(double speed, int capacity = 8, double door = 3) {
  return fmt::format(
      "[[lift]]\nid = 'A'\narea = [[2.5, -3.1], [4.3, -3.1], [4.3, -1.8], [2.5, -1.8]]\nlobby = [3.4, -1.0]\n"
      "floors = [0, 1]\nspeed = {}\ncapacity = {}\ndoor_time = {}\ndwell = 2\n",
      speed, capacity, door);
}

size_t onStairs(const ScratchRecording& file) {
  return positionsIn(file, {-6, -1}, {-1.2, 3}, 2);
}

TEST(BuildingRoutes, PersonsTakeTheLiftOrTheStairByTime) {
  const ScratchRecording file;
  // Walking takes about 9 + 9 + 9 m, a third of it at half the speed.
  const SimulationSummary quick = simulated(storeys("lifts = true\nfree_speed = 0.5", liftOf(2, 8, 1)), file);
  EXPECT_EQ(quick.left, 1U);
  EXPECT_EQ(quick.outside, 0U);
  EXPECT_EQ(onStairs(file), 0U);
  const SimulationSummary slow = simulated(storeys("lifts = true\nfree_speed = 0.5", liftOf(0.05)), file);
  EXPECT_EQ(slow.left, 1U);
  EXPECT_GT(onStairs(file), 20U);
  EXPECT_LT(quick.time, slow.time - 5);
  // Without the key nobody takes a lift: it is out of use in a fire.
  simulated(storeys("free_speed = 0.5", liftOf(2, 8, 1)), file);
  EXPECT_GT(onStairs(file), 20U);
}

TEST(BuildingRoutes, WaitingForTheLiftCounts) {
  const ScratchRecording few;
  const ScratchRecording many;
  const SimulationSummary two = simulated(storeys("lifts = true\nfree_speed = 0.6", liftOf(1, 2, 2), 2), few);
  const SimulationSummary twelve = simulated(storeys("lifts = true\nfree_speed = 0.6", liftOf(1, 2, 2), 12), many);
  EXPECT_EQ(two.left, 2U);
  EXPECT_EQ(twelve.left, 12U);
  EXPECT_EQ(onStairs(few), 0U) << "a free lift is faster";
  EXPECT_GT(onStairs(many), 100U) << "a car of two does not carry twelve in time";
  EXPECT_GT(positionsIn(many, {2.5, -3.1}, {4.3, -1.8}), 0U) << "some take it";
  const SimulationSummary all =
      simulated(storeys("lifts = true\nstairs = false\nfree_speed = 0.6", liftOf(1, 2, 2), 12), few);
  EXPECT_EQ(all.left, 12U);
  EXPECT_EQ(onStairs(few), 0U);
  EXPECT_LT(twelve.time, all.time - 20) << "those who can walk do not wait for five more rides";
}

TEST(BuildingRoutes, WheelchairsNeedALift) {
  const ScratchRecording file;
  const SimulationSummary with = simulated(storeys("like = 'wheelchair'\nfree_speed = 0.7", liftOf(1)), file);
  EXPECT_EQ(with.left, 1U);
  EXPECT_EQ(onStairs(file), 0U);
  const Result<Analysis> report = analyse(*Recording::open(file.path()), nullptr);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->persons[0].stuckFor, 0) << "waiting for a lift is not being stuck";
  const SimulationSummary without = simulated(storeys("like = 'wheelchair'\nfree_speed = 0.7", ""), file);
  EXPECT_EQ(without.left, 0U);
  EXPECT_TRUE(says(without.warnings, "find no way without stairs and escalators to stage 'out'"));
  EXPECT_EQ(onStairs(file), 0U);
}

// A profile that takes no stairs in a building whose stairs the scenario does not name.
TEST(BuildingRoutes, WarnsWhereNoStairsAreNamed) {
  std::string text = storeys("like = 'wheelchair'", "");
  text.erase(text.find("[[stair]]"), text.find("[[stage]]") - text.find("[[stair]]"));
  const ScratchRecording file;
  EXPECT_TRUE(says(simulated(text, file).warnings, "profile 'p' takes no stairs, but the scenario names none"));
}

// Interrupted while persons wait, ride and walk: the rest of the run is the same.
TEST(BuildingRoutes, ResumedRunsAreTheSame) {
  const std::string text = storeys("lifts = true\nfree_speed = 0.6", liftOf(1, 2, 2), 8);
  const Result<Scenario> scenario = parseScenario(text, "test.toml");
  ASSERT_TRUE(scenario.ok());
  const ScratchRecording whole;
  const SimulationSummary expected = simulated(text, whole);
  for (const double cut : {9.0, 14.0, 21.0}) {
    const ScratchRecording part;
    const Context context;
    ASSERT_TRUE(simulate(*scenario, {.output = part.path(), .endTime = cut}, context).ok());
    const Result<SimulationSummary> rest = simulate(*scenario, {.output = part.path(), .resume = true}, context);
    ASSERT_TRUE(rest.ok()) << rest.error().message;
    EXPECT_EQ(rest->resultHash, expected.resultHash) << cut;
    EXPECT_EQ(rest->left, expected.left);
  }
}

}  // namespace
}  // namespace wend
