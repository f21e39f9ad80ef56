#include <filesystem>

#include <wend/analysis.h>
#include <wend/recording.h>
#include <wend/simulate.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/crowd/small_run.h"

namespace wend {
namespace {

using RunFile = ScratchRecording;

SimulationSummary runOf(const std::string& text, const RunFile& file, int threads = 1, SimulateSettings settings = {}) {
  return smallRun(text, file, threads, std::move(settings)).summary;
}

std::string errorOfRun(const std::string& text) {
  const Result<Scenario> scenario = parseScenario(text, "test.toml");
  if (!scenario.ok()) return scenario.error().message;
  const RunFile file;
  const Result<SimulationSummary> summary = simulate(*scenario, {.output = file.path()});
  return summary.ok() ? "" : summary.error().message;
}

TEST(Simulate, NobodyAndOne) {
  const RunFile file;
  const SimulationSummary none = runOf(room("area = 'all'\ncount = 0"), file);
  EXPECT_EQ(none.status, RunStatus::kEmpty);
  EXPECT_EQ(none.persons, 0U);
  const SimulationSummary one = runOf(room("points = [[2, 4]]"), file);
  EXPECT_EQ(one.status, RunStatus::kEmpty);
  EXPECT_EQ(one.left, 1U);
  EXPECT_NEAR(one.time, 10.5 / 1.4, 1.0);
  const Result<Recording> recording = Recording::open(file.path());
  ASSERT_TRUE(recording.ok());
  EXPECT_EQ(recording->persons()[0].exit, "door");
}

TEST(Simulate, AllLeaveAndNobodyIsEverOutside) {
  const RunFile file;
  const SimulationSummary s = runOf(room(kTwenty), file);
  EXPECT_EQ(s.status, RunStatus::kEmpty);
  EXPECT_EQ(s.left, 20U);
  EXPECT_EQ(s.inside, 0U);
  EXPECT_EQ(s.outside, 0U);
  EXPECT_LT(s.wallOverlap, 1e-3);
  EXPECT_LT(s.time, 60);
}

// Also when they enter over time through a source that is full now and then.
TEST(Simulate, GroupsHaveTheMembersTheyWereGiven) {
  const std::string profiles = "[profile.quick]\n[profile.slow]\nfree_speed = 0.6\n";
  for (const char* where :
       {"area = 'all'\ncount = 12\n", "area = [[1, 1], [2, 1], [2, 2], [1, 2]]\nrate = 4\nlimit = 12\n"}) {
    const RunFile file;
    const SimulationSummary s =
        runOf(room(std::string(where) + "members = ['quick', 'slow', 'quick']", profiles), file);
    ASSERT_EQ(s.persons, 12U);
    EXPECT_EQ(s.left, 12U);
    const Result<Recording> recording = Recording::open(file.path());
    ASSERT_TRUE(recording.ok());
    for (size_t i = 0; i < 12; ++i) {
      EXPECT_EQ(recording->persons()[i].profile, i % 3 == 1 ? "slow" : "quick") << i;
    }
  }
}

// Two ways around a block, the southern one shorter and with a slow part that only the fastest route knows of, whether
// it is slow for the profile, for everybody, or both.
TEST(Simulate, TheFastestRouteCountsSlowParts) {
  const auto walked = [](const std::string& profile, const std::string& zone) {
    const RunFile file;
    const std::string text = R"toml(format = 1
environment = "POLYGON ((0 0, 30 0, 30 20, 0 20, 0 0), (6 4, 6 14, 24 14, 24 4, 6 4))"
end_time = 200
[[stage]]
id = "east"
kind = "exit"
area = [[28, 6], [30, 6], [30, 10], [28, 10]]
[[journey]]
id = "out"
stages = ["east"]
[[source]]
id = "in"
journey = "out"
points = [[2, 8]]
[profile.one]
)toml" + profile + "\n[[zone]]\nid = 'steps'\narea = [[10, 0], [20, 0], [20, 4], [10, 4]]\n" +
                             zone;
    EXPECT_EQ(runOf(text, file).left, 1U);
    const Result<Recording> recording = Recording::open(file.path());
    EXPECT_TRUE(recording.ok());
    double highest = 0;
    const Status read = recording->forEach([&](int64_t, std::span<const RecordedPosition> persons) {
      for (const RecordedPosition& p : persons) highest = std::max(highest, p.place.y);
      return true;
    });
    EXPECT_TRUE(read.ok());
    return highest;
  };
  EXPECT_LT(walked("route = 'fastest'", ""), 12);
  EXPECT_LT(walked("", "speed_factor = 0.3"), 12);
  EXPECT_LT(walked("route = 'fastest'", "speed_factor = 0.9"), 12);
  EXPECT_GT(walked("route = 'fastest'", "speed_factor = 0.3"), 12);
  EXPECT_GT(walked("route = 'fastest'\nregion_speed = {steps = 0.3}", "label = 'steps'"), 12);
  EXPECT_GT(walked("route = 'fastest'\nregion_speed = {steps = 0.5}", "label = 'steps'\nspeed_factor = 0.6"), 12);
}

TEST(Simulate, SameForAnyThreadsAndWhenResumed) {
  const RunFile one;
  const RunFile four;
  const RunFile cut;
  const std::string text = room(
      "area = [[1, 1], [8, 1], [8, 7], [1, 7]]\ncount = 12\nrate = 2\nlimit = 40\narrivals = 'poisson'\n"
      "group_size = [0.5, 0.5]\npremovement = {dist = 'uniform', min = 0, max = 5}",
      "[[event]]\ntime = 6\naction = 'insert'\ntarget = 'box'\narea = [[9, 2], [10, 2], [10, 4], [9, 4]]\n"
      "[[event]]\ntime = 12\naction = 'remove'\ntarget = 'box'\n");
  const SimulationSummary a = runOf(text, one, 1);
  const SimulationSummary b = runOf(text, four, 4);
  EXPECT_EQ(a.status, RunStatus::kEmpty);
  EXPECT_EQ(a.resultHash, b.resultHash);
  for (const double end : {7.0, 3.0}) {
    SimulateSettings first;
    first.endTime = end;
    first.checkpointEvery = 2;
    runOf(text, cut, 1, first);
    SimulateSettings second;
    second.resume = true;
    const SimulationSummary c = runOf(text, cut, 2, second);
    EXPECT_DOUBLE_EQ(c.resumedAt, end);
    EXPECT_EQ(c.resultHash, a.resultHash) << "cut at " << end;
    EXPECT_EQ(c.persons, a.persons);
  }
  const Result<Recording> whole = Recording::open(one.path());
  const Result<Recording> parts = Recording::open(cut.path());
  ASSERT_TRUE(whole.ok() && parts.ok());
  EXPECT_EQ(whole->frames(), parts->frames());
  ASSERT_EQ(whole->persons().size(), parts->persons().size());
  for (size_t i = 0; i < whole->persons().size(); ++i) {
    EXPECT_EQ(whole->persons()[i].exitFrame, parts->persons()[i].exitFrame);
    EXPECT_EQ(whole->persons()[i].start, parts->persons()[i].start);
  }
}

TEST(Simulate, BadPlacesAreNamed) {
  EXPECT_NE(errorOfRun(room("points = [[20, 20]]")).find("inside a wall"), std::string::npos);
  EXPECT_NE(errorOfRun(room("area = [[20, 20], [21, 20], [21, 21]]\ncount = 1")).find("source 'in'"),
            std::string::npos);
  EXPECT_NE(errorOfRun(room("area = 'all'\nlayer = 3\npoints = []")).find("'points'"), std::string::npos);
  EXPECT_NE(errorOfRun(room("area = [[0,0],[1,0],[1,1]]\nlayer = 3\ncount = 1")).find("layer 3"), std::string::npos);
  EXPECT_NE(
      errorOfRun(room(kTwenty, "[[stage]]\nid='x'\nkind='exit'\narea=[[50,50],[51,50],[51,51]]")).find("stage 'x'"),
      std::string::npos);
  EXPECT_NE(errorOfRun(room("area = [[1,1],[2,1],[2,2],[1,2]]\ncount = 50\non_full = 'error'")).find("is full"),
            std::string::npos);
}

TEST(Simulate, FullSourcesQueueOrDrop) {
  const RunFile file;
  const std::string small = "area = [[1,1],[3,1],[3,3],[1,3]]\ncount = 40\n";
  const SimulationSummary queued = runOf(room(small), file);
  EXPECT_EQ(queued.left, 40U);
  const SimulationSummary dropped = runOf(room(small + "on_full = 'drop'"), file);
  EXPECT_EQ(dropped.left + dropped.refused, 40U);
  EXPECT_GT(dropped.refused, 5U);
}

TEST(Simulate, UnreachableGoalsAreADeadlockWithNames) {
  const RunFile file;
  const SimulationSummary s = runOf(room("area = [[1,1],[3,1],[3,3],[1,3]]\ncount = 3",
                                         "[[door]]\nid = 'gate'\nline = [[12, 3.4], [12, 4.6]]\nopen = false"),
                                    file);
  EXPECT_EQ(s.status, RunStatus::kDeadlock);
  EXPECT_EQ(s.unreachable, 3U);
  EXPECT_EQ(s.deadlocked.size(), 3U);
}

// Two persons who cannot pass each other step to and fro for ever; a queue before a narrow door is no gridlock.
TEST(Simulate, PersonsThatBlockEachOtherAreAGridlock) {
  const RunFile file;
  const std::string lane = R"toml(format = 1
environment = "POLYGON ((0 0, 6 0, 6 0.6, 0 0.6, 0 0))"
end_time = 150
[[stage]]
id = "right"
kind = "waypoint"
at = [5.6, 0.3]
distance = 0.1
[[stage]]
id = "left"
kind = "waypoint"
at = [0.4, 0.3]
distance = 0.1
[[journey]]
id = "r"
stages = ["right"]
[[journey]]
id = "l"
stages = ["left"]
[[source]]
id = "a"
journey = "r"
points = [[0.5, 0.3]]
[[source]]
id = "b"
journey = "l"
points = [[5.5, 0.3]]
)toml";
  const SimulationSummary s = runOf(lane, file);
  EXPECT_EQ(s.status, RunStatus::kGridlock);
  EXPECT_EQ(s.gridlocked, 2U);
  EXPECT_GT(s.gridlockSince, 0);
  EXPECT_LT(s.gridlockSince, 60);
  EXPECT_EQ(Recording::open(file.path())->note("wend_status"), "gridlock");

  // In a room of 4 m nobody strays far, but they arrive again and again.
  const SimulationSummary roaming = runOf(R"toml(format = 1
environment = "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))"
end_time = 150
end_when = "time"
[[stage]]
id = "anywhere"
kind = "waypoint"
area = "all"
[[journey]]
id = "roam"
stages = ["anywhere"]
next = [{ from = "start", to = "anywhere" }, { from = "anywhere", to = "anywhere" }]
[[source]]
id = "three"
journey = "roam"
points = [[1, 1], [2, 2], [3, 3]]
)toml",
                                          file);
  EXPECT_EQ(roaming.status, RunStatus::kTime);
  EXPECT_EQ(roaming.mostGridlocked, 0U);

  const SimulationSummary queue = runOf(room("area = [[1, 1], [11, 1], [11, 7], [1, 7]]\ncount = 140"), file);
  EXPECT_EQ(queue.mostGridlocked, 0U);
}

TEST(Simulate, PremovementAndAlarm) {
  const RunFile file;
  runOf(room("points = [[2, 4], [3, 6]]\npremovement = 2", "[[event]]\ntime = 5\naction = 'alarm'\ntarget = 'all'"),
        file);
  const Result<Recording> recording = Recording::open(file.path());
  ASSERT_TRUE(recording.ok());
  for (const RecordedPerson& person : recording->persons()) EXPECT_NEAR(person.start, 7.0, 1e-9);
}

TEST(Simulate, QueuesServeOneAfterTheOther) {
  const RunFile file;
  std::string text =
      room("points = [[1, 1], [2, 1], [3, 1], [4, 1]]",
           "[[stage]]\nid = 'desk'\nkind = 'queue'\nslots = [[8, 6], [7, 6], [6, 6], [5, 6]]\nservice = 4\n");
  text.replace(text.find("stages = [\"door\"]"), 17, "stages = [\"desk\", \"door\"]");
  const SimulationSummary s = runOf(text, file);
  EXPECT_EQ(s.status, RunStatus::kEmpty);
  const Result<Recording> recording = Recording::open(file.path());
  ASSERT_TRUE(recording.ok());
  std::vector<double> times;
  for (const RecordedPerson& person : recording->persons()) times.push_back(person.exitTime);
  std::sort(times.begin(), times.end());
  ASSERT_EQ(times.size(), 4U);
  for (size_t i = 1; i < times.size(); ++i) EXPECT_GE(times[i] - times[i - 1], 3.5);
}

TEST(Simulate, WaitingEndsByTimeAndByEvent) {
  const RunFile file;
  const std::string waiting = "[[stage]]\nid = 'bench'\nkind = 'waiting'\nslots = [[8, 6], [7, 6]]\n";
  std::string text = room("points = [[1, 1], [2, 1]]", waiting + "duration = 10\n");
  text.replace(text.find("stages = [\"door\"]"), 17, "stages = [\"bench\", \"door\"]");
  const SimulationSummary timed = runOf(text, file);
  EXPECT_EQ(timed.status, RunStatus::kEmpty);
  EXPECT_GT(timed.time, 15);
  text = room("points = [[1, 1], [2, 1]]", waiting + "[[event]]\ntime = 40\naction = 'deactivate'\ntarget = 'bench'\n");
  text.replace(text.find("stages = [\"door\"]"), 17, "stages = [\"bench\", \"door\"]");
  const SimulationSummary freed = runOf(text, file);
  EXPECT_EQ(freed.status, RunStatus::kEmpty);
  EXPECT_GT(freed.time, 42);
}

TEST(Simulate, AnExitWithALargestFlowKeepsIt) {
  const RunFile file;
  std::string text = room(kTwenty);
  text.replace(text.find("kind = \"exit\""), 13, "kind = \"exit\"\nmax_flow = 0.5");
  const SimulationSummary s = runOf(text, file);
  EXPECT_EQ(s.left, 20U);
  EXPECT_GE(s.time, 2 * 19.0);
}

TEST(Simulate, ClosedExitsAreLeftAlone) {
  const RunFile file;
  std::string text = room("area = [[6,1],[10,1],[10,7],[6,7]]\ncount = 10",
                          "[[stage]]\nid = 'other'\nkind = 'exit'\narea = [[0,0],[1,0],[1,1],[0,1]]\n"
                          "[[event]]\ntime = 1\naction = 'close'\ntarget = 'door'\n");
  text.replace(
      text.find("stages = [\"door\"]"), 17,
      "stages = [\"door\", \"other\"]\nnext = [{from = \"start\", to = [\"door\", \"other\"], rule = \"nearest\"}]");
  const SimulationSummary s = runOf(text, file);
  EXPECT_EQ(s.status, RunStatus::kEmpty);
  const Result<Recording> recording = Recording::open(file.path());
  ASSERT_TRUE(recording.ok());
  size_t other = 0;
  for (const RecordedPerson& person : recording->persons()) other += person.exit == "other" ? 1 : 0;
  EXPECT_GE(other, 8U);
}

TEST(Simulate, RulesShareOut) {
  const RunFile file;
  for (const std::string rule : {"round_robin", "random", "least_targeted"}) {
    std::string text = room("area = [[4,1],[10,1],[10,7],[4,7]]\ncount = 40",
                            "[[stage]]\nid = 'other'\nkind = 'exit'\narea = [[0,0],[1,0],[1,8],[0,8]]\n");
    text.replace(text.find("stages = [\"door\"]"), 17,
                 "stages = [\"door\", \"other\"]\nnext = [{from = \"start\", to = [\"door\", \"other\"], rule = \"" +
                     rule + "\"}]");
    runOf(text, file);
    const Result<Recording> recording = Recording::open(file.path());
    ASSERT_TRUE(recording.ok());
    size_t other = 0;
    for (const RecordedPerson& person : recording->persons()) other += person.exit == "other" ? 1 : 0;
    if (rule == "random") {
      EXPECT_NEAR(static_cast<double>(other), 20, 12);
    } else {
      EXPECT_EQ(other, 20U) << rule;
    }
  }
}

TEST(Simulate, EveryOtherFrameStillHasTheLastPosition) {
  const RunFile file;
  const SimulationSummary s =
      runOf(room(kTwenty, "[output]\nevery = 7\n[[line]]\nid='l'\nfrom=[12.4,3.4]\nto=[12.4,4.6]\n"), file);
  EXPECT_EQ(s.left, 20U);
  const Result<Recording> recording = Recording::open(file.path());
  ASSERT_TRUE(recording.ok());
  const Result<Scenario> scenario = parseScenario(recording->note("wend_scenario"), "note");
  ASSERT_TRUE(scenario.ok());
  const Result<Analysis> analysis = analyse(*recording, &scenario.value());
  ASSERT_TRUE(analysis.ok()) << analysis.error().message;
  EXPECT_EQ(metricValue(*analysis, *recording, *scenario, "crossings", "l").value(), 20);
  EXPECT_EQ(metricValue(*analysis, *recording, *scenario, "left", "").value(), 20);
  EXPECT_NEAR(timeOfShare(*analysis, 1), s.time, 1.0);
  EXPECT_FALSE(metricValue(*analysis, *recording, *scenario, "flow", "nothing").ok());
}

}  // namespace
}  // namespace wend
