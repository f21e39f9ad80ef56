#include <cmath>

#include <wend/analysis.h>

#include "tests/crowd/run_file.h"

// Figures of reports that would mislead whoever signs them.
namespace wend {
namespace {

std::string roomReportedEvery(int every) {
  return fmt::format(R"toml(format = 1
environment = "POLYGON ((0 0, 12 0, 12 3.4, 15 3.4, 15 4.6, 12 4.6, 12 8, 0 8, 0 0))"
end_time = 120
[[stage]]
id = "door"
kind = "exit"
area = [[12.5, 3], [15, 3], [15, 5], [12.5, 5]]
[[journey]]
id = "out"
stages = ["door"]
[[source]]
id = "in"
journey = "out"
area = [[1, 1], [10, 1], [10, 7], [1, 7]]
count = 40
[[line]]
id = "sill"
from = [12.45, 3.4]
to = [12.45, 4.6]
[output]
every = {}
)toml",
                     every);
}

Analysis analysed(const std::string& text, const ScratchRecording& file) {
  simulated(text, file);
  const Result<Recording> recording = Recording::open(file.path());
  EXPECT_TRUE(recording.ok());
  const Scenario scenario = parseScenario(text, "test.toml").value();
  return analyse(*recording, &scenario).value();
}

// Persons that left between two frames are in no later frame: they would stand where others walk.
TEST(Report, NobodyStandsWhereSomebodyLeft) {
  const ScratchRecording file;
  const Analysis a = analysed(roomReportedEvery(10), file);
  EXPECT_LT(a.overlapShare, 0.5);
  const Result<Recording> recording = Recording::open(file.path());
  const double fps = recording->framesPerSecond();
  ASSERT_TRUE(recording
                  ->forEach([&](int64_t frame, std::span<const RecordedPosition> persons) {
                    for (const RecordedPosition& p : persons) {
                      const RecordedPerson& person = recording->persons()[p.person];
                      EXPECT_GE(person.exitTime, static_cast<double>(frame) / fps - 1e-9) << p.person;
                    }
                    return true;
                  })
                  .ok());
}

// The sill is crossed just before the exit: with a frame per second hardly anybody is seen between both.
TEST(Report, LinesBeforeExitsAreCrossedByAll) {
  for (const int every : {1, 10}) {
    const ScratchRecording file;
    const Analysis a = analysed(roomReportedEvery(every), file);
    EXPECT_EQ(a.lines[0].crossings.size(), 40U) << every;
  }
}

TEST(Report, TheCurveEndsWithTheLastExit) {
  for (const int every : {1, 7}) {
    const ScratchRecording file;
    const Analysis a = analysed(roomReportedEvery(every), file);
    ASSERT_FALSE(a.curve.empty());
    EXPECT_EQ(a.curve.back().left, 40U);
    EXPECT_EQ(a.curve.back().inside, 0U);
    EXPECT_GE(a.curve.back().time, timeOfShare(a, 1) - 1e-9);
    for (const CurvePoint& p : a.curve) EXPECT_EQ(p.inside + p.left, 40U) << p.time;
  }
}

TEST(Report, WhoIsAloneHasLevelA) {
  std::string text = roomReportedEvery(1);
  text.replace(text.find("count = 40"), 10, "count = 1 ");
  const ScratchRecording file;
  const Analysis a = analysed(text, file);
  EXPECT_GT(a.personMinutes[0], 0.8 * (a.personMinutes[0] + a.personMinutes[1] + a.personMinutes[2]));
}

// A stair needs no region of its own; one of the same name wins.
TEST(Report, StairsAreMeasuredByTheirOwnLevels) {
  const std::string stair = "[[stair]]\nid = 'flight'\narea = [[6, 1], [9, 1], [9, 7], [6, 7]]\nup = [1, 0]\n";
  const ScratchRecording file;
  const Analysis a = analysed(roomReportedEvery(1) + stair, file);
  ASSERT_EQ(a.regions.size(), 1U);
  EXPECT_EQ(a.regions[0].region.id, "flight");
  EXPECT_EQ(a.regions[0].region.los, ServiceTable::kStairs);
  EXPECT_NEAR(a.regions[0].area, 18, 0.01);
  const Analysis own = analysed(
      roomReportedEvery(1) + stair + "[[region]]\nid = 'flight'\narea = [[6, 1], [7, 1], [7, 7], [6, 7]]\n", file);
  ASSERT_EQ(own.regions.size(), 1U);
  EXPECT_FALSE(own.regions[0].region.los.has_value());
}

// Whoever waits in a queue is not stuck; whoever stands before a shut exit is.
TEST(Report, WaitingIsNotBeingStuck) {
  const std::string head = R"toml(format = 1
environment = "POLYGON ((0 0, 12 0, 12 8, 0 8, 0 0))"
end_time = 30
end_when = "time"
[[source]]
id = "in"
journey = "out"
points = [[2, 4]]
[[journey]]
id = "out"
stages = ["goal"]
[[stage]]
id = "goal"
)toml";
  const ScratchRecording file;
  const Analysis waits = analysed(head + "kind = 'waiting'\nslots = [[6, 4]]\n", file);
  EXPECT_EQ(waits.persons[0].stuckFor, 0);
  const Analysis held = analysed(head + "kind = 'exit'\narea = [[6, 3], [8, 3], [8, 5], [6, 5]]\nopen = false\n", file);
  EXPECT_GT(held.persons[0].stuckFor, 15);
  EXPECT_NEAR(held.persons[0].stuckAt.y, 4, 1.2);
}

// A limit from above must not pass because there was nothing to measure.
TEST(Report, NothingMeasuredIsNoValue) {
  std::string text = roomReportedEvery(1);
  text += R"toml([[stage]]
id = "window"
kind = "exit"
area = [[0, 7], [1, 7], [1, 8], [0, 8]]
[[line]]
id = "nobody crosses"
from = [0.5, 7]
to = [0.5, 8]
[[region]]
id = "too late"
area = [[1, 1], [3, 1], [3, 3], [1, 3]]
start = 1000
)toml";
  const ScratchRecording file;
  const Analysis a = analysed(text, file);
  const Result<Recording> recording = Recording::open(file.path());
  const Scenario scenario = parseScenario(text, "test.toml").value();
  const auto value = [&](const char* metric, const char* of) {
    return metricValue(a, *recording, scenario, metric, of).value();
  };
  for (const auto& [metric, of] : {std::pair("last_arrival", "window"),
                                   {"arrival_spread", "window"},
                                   {"evacuation_time", "window"},
                                   {"dose", "window"},
                                   {"largest_gap", "nobody crosses"},
                                   {"median_gap", "nobody crosses"},
                                   {"density", "too late"},
                                   {"speed", "too late"},
                                   {"peak_density", "too late"},
                                   {"most_inside", "too late"}}) {
    EXPECT_TRUE(std::isnan(value(metric, of))) << metric;
  }
  EXPECT_GT(value("last_arrival", "door"), 1);
  EXPECT_GT(value("largest_gap", "sill"), 0);
  EXPECT_EQ(value("crossings", "nobody crosses"), 0);
}

}  // namespace
}  // namespace wend
