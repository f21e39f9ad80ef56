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
        "line 'nowhere' does not touch", "stage 'unused' is in no journey", "source 'empty' sends nobody",
        "'alarm' of 'all' never came", "1 persons never began to walk"}) {
    EXPECT_TRUE(says(s.warnings, part)) << part;
  }
  const std::string recorded = Recording::open(file.path())->note("wend_warnings");
  EXPECT_NE(recorded.find("zone 'far'"), std::string::npos);
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

}  // namespace
}  // namespace wend
