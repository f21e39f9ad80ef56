#include "tests/crowd/run_file.h"

// What a user would not see: each a sentence in the summary and in the recording.
namespace wend {
namespace {

constexpr const char* kRoom = R"toml(format = 1
environment = "POLYGON ((0 0, 12 0, 12 8, 0 8, 0 0), (6 0.5, 6 7.5, 6.2 7.5, 6.2 0.5, 6 0.5))"
end_time = 20
[[stage]]
id = "door"
kind = "exit"
area = [[10, 3], [12, 3], [12, 5], [10, 5]]
[[journey]]
id = "out"
stages = ["door"]
[[source]]
id = "in"
journey = "out"
)toml";

TEST(Warnings, NoneWhereAllIsWell) {
  const ScratchRecording file;
  const SimulationSummary s =
      simulated(std::string(kRoom) + "area = [[8, 1], [9, 1], [9, 7], [8, 7]]\ncount = 3", file);
  EXPECT_TRUE(s.warnings.empty()) << s.warnings.front();
  EXPECT_EQ(Recording::open(file.path())->note("wend_warnings"), "");
}

TEST(Warnings, NameWhatHasNoEffect) {
  const ScratchRecording file;
  const SimulationSummary s = simulated(std::string(kRoom) + R"toml(points = [[8, 4]]
[profile.person]
region_speed = { ice = 0.5 }
region_cost = { grass = 2 }
[profile.zombie]
[[zone]]
id = "far"
area = [[50, 50], [51, 50], [51, 51], [50, 51]]
speed_factor = 0.5
[[region]]
id = "away"
area = [[-9, 0], [-8, 0], [-8, 1], [-9, 1]]
[[line]]
id = "nowhere"
from = [20, 0]
to = [20, 8]
[[line]]
id = "no floor"
layer = 7
from = [2, 0]
to = [2, 8]
[[stage]]
id = "unused"
kind = "waypoint"
at = [8, 2]
[[event]]
time = 500
action = "alarm"
target = "all"
[[source]]
id = "empty"
area = "all"
journey = "out"
)toml",
                                        file);
  for (const char* part :
       {"the label 'ice'", "the label 'grass'", "'region_cost' of profile 'person' has no effect",
        "profile 'zombie' is used by no source", "zone 'far' does not overlap", "region 'away' does not overlap",
        "line 'nowhere' does not touch", "line 'no floor' is in layer 7, which the environment does not have",
        "stage 'unused' is in no journey", "source 'empty' sends no person", "'alarm' of 'all' never came",
        "1 persons never began to walk"}) {
    EXPECT_TRUE(says(s.warnings, part)) << part;
  }
  const std::string recorded = Recording::open(file.path())->note("wend_warnings");
  EXPECT_NE(recorded.find("zone 'far'"), std::string::npos);
}

// What a result may not be signed with: persons pressed into each other.
TEST(Warnings, NameDeepOverlaps) {
  const ScratchRecording file;
  const SimulationSummary s = simulated(R"toml(format = 1
environment = "POLYGON ((0 0, 6 0, 6 3, 0 3, 0 0))"
end_time = 2
end_when = "time"
[[source]]
id = "in"
area = "all"
density = 3
journey = "west"
[[stage]]
id = "wall"
kind = "waypoint"
at = [0.5, 1.5]
[[journey]]
id = "west"
stages = ["wall"]
[[event]]
time = 1
action = "insert"
target = "block"
area = [[1.5, 0], [6, 0], [6, 3], [1.5, 3]]
)toml",
                                        file);
  EXPECT_GT(s.overlap, 0.05);
  EXPECT_TRUE(says(s.warnings, "persons overlapped by up to"));
}

// Also where a profile goes around stairs, which makes walls of their areas.
TEST(Warnings, NameStairsBesideTheFloor) {
  const ScratchRecording file;
  const std::string wheelchair =
      std::string(kRoom) +
      "points = [[8, 4]]\n[profile.p]\nlike = \"wheelchair\"\n[[stair]]\nid = \"away\"\nup = [1, 0]\n"
      "area = [[50, 50], [51, 50], [51, 51], [50, 51]]\n";
  const SimulationSummary s = simulated(wheelchair, file);
  EXPECT_EQ(s.left, 1U);
  EXPECT_TRUE(says(s.warnings, "stair 'away' does not overlap the walkable space of layer 0"));
  const Result<Scenario> missing = parseScenario(wheelchair + "layer = 9\n", "t");
  ASSERT_TRUE(missing.ok()) << missing.error().message;
  const Result<SimulationSummary> refused = simulate(*missing, {.output = file.path(), .force = true}, {});
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("stair 'away' is in layer 9"), std::string::npos) << refused.error().message;
}

// A source without profiles takes the one named "default", else the first of the file, which is not the first by name.
TEST(Warnings, NameTheProfileOfASourceThatNamesNone) {
  const ScratchRecording file;
  const std::string room = std::string(kRoom) + "area = [[8, 1], [9, 1], [9, 7], [8, 7]]\ncount = 3\n";
  const std::string both = "[profile.walker]\nfree_speed = 1.3\n[profile.aged]\nfree_speed = 0.6\n";
  const SimulationSummary first = simulated(room + both, file);
  EXPECT_TRUE(says(first.warnings, "source 'in' names no profile and takes the first of the file, 'walker'"));
  EXPECT_TRUE(says(first.warnings, "profile 'aged' is used by no source"));
  EXPECT_EQ(Recording::open(file.path())->persons().front().profile, "walker");
  const SimulationSummary named = simulated(room + both + "[profile.default]\nfree_speed = 1\n", file);
  EXPECT_FALSE(says(named.warnings, "names no profile"));
  EXPECT_EQ(Recording::open(file.path())->persons().front().profile, "default");
}

// The wall leaves gaps of half a metre; a person of 1.2 m does not fit.
TEST(Warnings, NamePersonsThatCannotEnterOrArrive) {
  const ScratchRecording file;
  const SimulationSummary wide =
      simulated(std::string(kRoom) + "points = [[3, 4]]\n[profile.giant]\nradius = 0.6\n", file);
  EXPECT_EQ(wide.unreachable, 1U);
  EXPECT_TRUE(says(wide.warnings, "find no way to stage 'door'"));
  EXPECT_TRUE(says(wide.warnings, "still under way when the end time came")) << wide.warnings.size();
  const SimulationSummary full =
      simulated(std::string(kRoom) +
                    "area = [[1, 1], [2, 1], [2, 2], [1, 2]]\ncount = 200\nprofiles = 'slow'\n[profile.slow]\n"
                    "free_speed = 0.05\n",
                file);
  EXPECT_TRUE(says(full.warnings, "never found a place to enter"));
}

// The names of labels and parameters are only known to be wrong once everything has been read.
TEST(Warnings, NameKeysThatHaveNoEffect) {
  const ScratchRecording file;
  const SimulationSummary s = simulated(R"toml(
local_obstacles = ["bench"]
)toml" + std::string(kRoom) + R"toml(area = [[8, 1], [9, 1], [9, 7], [8, 7]]
count = 1
arrivals = "poisson"
[parameters]
speed = 1.2
width = 2
[profile.person]
free_speed = "${speed}"
side = 0.5
sight = 10
lifts = true
[[zone]]
id = "plain"
area = [[1, 1], [2, 1], [2, 2], [1, 2]]
[[zone]]
id = "carpet"
label = "carpet"
area = [[1, 1], [2, 1], [2, 2], [1, 2]]
)toml",
                                        file);
  for (const char* part : {"'local_obstacles' names the label 'bench'", "parameter 'width' is read by nothing",
                           "'side' of profile 'person' has no effect", "'sight' of profile 'person' has no effect",
                           "'arrivals' of source 'in' has no effect", "'lifts' of profile 'person' has no effect",
                           "zone 'plain' has no effect", "zone 'carpet' has no effect"}) {
    EXPECT_TRUE(says(s.warnings, part)) << part;
  }
  EXPECT_FALSE(says(s.warnings, "parameter 'speed'"));
  EXPECT_FALSE(says(s.warnings, "'object'")) << "the default needs no such region";
}

// An effect is a region with the label, a profile that names it, a stage with the lift.
TEST(Warnings, NoneForKeysThatHaveAnEffect) {
  const ScratchRecording file;
  const SimulationSummary s = simulated(R"toml(
local_obstacles = ["bench"]
)toml" + std::string(kRoom) + R"toml(area = [[8, 1], [9, 1], [9, 7], [8, 7]]
rate = 1
limit = 1
arrivals = "poisson"
[profile.person]
region_speed = { carpet = 0.9 }
[[zone]]
id = "bench"
label = "bench"
area = [[1, 1], [2, 1], [2, 2], [1, 2]]
[[zone]]
id = "carpet"
label = "carpet"
area = [[1, 3], [2, 3], [2, 4], [1, 4]]
)toml",
                                        file);
  EXPECT_TRUE(s.warnings.empty()) << s.warnings.front();
}

TEST(Warnings, NameWhatWouldHaveBegunAfterTheEnd) {
  const ScratchRecording file;
  const SimulationSummary s = simulated(std::string(kRoom) + R"toml(area = [[8, 1], [9, 1], [9, 7], [8, 7]]
count = 1
[[source]]
id = "night bus"
journey = "out"
area = "all"
schedule = [[0, 0], [100, 2]]
[[smoke]]
id = "fire"
area = "all"
table = [[300, 1, 0.1]]
[[smoke]]
id = "haze"
area = "all"
table = [[0, 30, 0]]
[[region]]
id = "later"
area = [[8, 1], [9, 1], [9, 7], [8, 7]]
start = 200
)toml",
                                        file);
  for (const char* part : {"smoke 'fire' begins at 300 s, after the end", "region 'later' is measured from 200 s on",
                           "source 'night bus' begins at 100 s"}) {
    EXPECT_TRUE(says(s.warnings, part)) << part;
  }
  EXPECT_FALSE(says(s.warnings, "'haze'"));
}

// A person on the upper floor of a dormitory, whose exit is on the lower one.
constexpr const char* kFloors = R"toml(format = 1
environment = "make:dormitory floors=2 rooms=6 corridor=2"
end_time = 1
[[stage]]
id = "exit"
kind = "exit"
area = [[0.7, -3.2], [1.7, -3.2], [1.7, -1.6], [0.7, -1.6]]
[[journey]]
id = "out"
stages = ["exit"]
[[source]]
id = "in"
journey = "out"
points = [[9.5, 1]]
)toml";

TEST(Warnings, NameLiftsThatCarryNobody) {
  const ScratchRecording file;
  const std::string floors = std::string(kFloors) + R"toml(profiles = "one"
[[lift]]
id = "lift"
area = [[2.5, -3.1], [4.3, -3.1], [4.3, -1.8], [2.5, -1.8]]
lobby = [3.4, -1.0]
floors = [0, 1]
[profile.one]
)toml";
  EXPECT_TRUE(says(simulated(floors, file).warnings, "lift 'lift' carries no person"));
  EXPECT_FALSE(says(simulated(floors + "lifts = true\n", file).warnings, "lift 'lift' carries no person"));
}

// Persons wait before an exit that is shut; without an event that opens it they wait for ever.
TEST(Warnings, NameExitsThatStayShut) {
  const ScratchRecording file;
  const std::string room = std::string(kRoom) + "area = [[8, 1], [9, 1], [9, 7], [8, 7]]\ncount = 3\n";
  const auto with = [&](std::string text, const std::string& exit, const std::string& event) {
    text.insert(text.find("area = [[10, 3]"), exit);
    return simulated(text + event, file);
  };
  const auto event = [](int time, const char* action) {
    return fmt::format("[[event]]\ntime = {}\naction = '{}'\ntarget = 'door'\n", time, action);
  };
  const SimulationSummary shut = with(room, "open = false\n", "");
  EXPECT_TRUE(says(shut.warnings, "journey 'out' leads to no exit that ever opens: 'door' is shut"));
  EXPECT_TRUE(says(shut.warnings, "3 persons stood in exit 'door' at the end"));
  EXPECT_TRUE(with(room, "open = false\n", event(5, "open")).warnings.empty());
  EXPECT_TRUE(says(with(room, "", event(0, "close")).warnings, "leads to no exit that ever opens"));
  EXPECT_TRUE(says(with(room, "", event(1, "close")).warnings, "from 1 s on all exits of journey 'out' are shut"));
  EXPECT_TRUE(with(room, "", event(1, "close") + event(8, "open")).warnings.empty());
  EXPECT_TRUE(says(with(room, "", event(1, "close") + event(8, "open") + event(9, "close")).warnings,
                   "from 9 s on all exits of journey 'out' are shut"));
  const SimulationSummary full = with(room, "capacity = 2\n", "");
  EXPECT_TRUE(says(full.warnings, "1 persons stood in exit 'door' at the end"));
  EXPECT_EQ(full.left, 2U);
}

// A stair that the scenario does not name is walked like a level floor.
TEST(Warnings, NameSteepFloorsThatSlowNobody) {
  const ScratchRecording file;
  const std::string floors = kFloors;
  const std::string lower = R"toml([[stair]]
id = "lower flight"
layer = 2
area = [[-4, 0], [-1.2, 0], [-1.2, 1], [-4, 1]]
)toml";
  const std::string upper = R"toml([[zone]]
id = "upper flight"
layer = 2
area = [[-4, 1.2], [-1.2, 1.2], [-1.2, 2.2], [-4, 2.2]]
speed_factor = 0.5
)toml";
  const auto warnsOf = [&](const std::string& text, const char* part) {
    return says(simulated(text, file).warnings, part);
  };
  EXPECT_TRUE(warnsOf(floors, "6 m2 of floor are steeper than 1 : 10")) << "two flights of 1 x 2.8 m";
  EXPECT_TRUE(warnsOf(floors + lower, "3 m2 of floor are steeper than 1 : 10"));
  EXPECT_FALSE(warnsOf(floors + lower + upper, "steeper"));
}

// Whoever an obstacle removes has not walked out.
TEST(Warnings, NamePersonsThatAnObstacleRemoved) {
  const ScratchRecording file;
  const SimulationSummary s = simulated(std::string(kRoom) + R"toml(points = [[3, 4], [8, 4]]
[[event]]
time = 0.5
action = "insert"
target = "beam"
area = [[2, 3], [4, 3], [4, 5], [2, 5]]
policy = "remove"
)toml",
                                        file);
  EXPECT_TRUE(says(s.warnings, "obstacle 'beam' removed the 1 persons that stood under it"));
}

}  // namespace
}  // namespace wend
