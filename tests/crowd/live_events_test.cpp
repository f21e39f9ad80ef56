#include <filesystem>
#include <map>
#include <set>

#include <wend/recording.h>
#include <wend/simulate.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/crowd/small_run.h"

// Events of a scenario that change its world.
namespace wend {
namespace {

using RunFile = ScratchRecording;

std::vector<std::string> actionsOf(const RunFile& file) {
  std::vector<std::string> actions;
  const Result<Recording> recording = Recording::open(file.path());
  EXPECT_TRUE(recording.ok());
  if (!recording.ok()) return actions;
  for (const RecordedEvent& event : recording->events()) actions.push_back(event.action + " " + event.target);
  return actions;
}

TEST(LiveEvents, WhatCannotBeDoneIsRefusedAndTheRunGoesOn) {
  const RunFile file;
  const SmallRun run = smallRun(
      room(kTwenty,
           "[[event]]\ntime = 1\naction = 'insert'\ntarget = 'all'\narea = [[-1, -1], [20, -1], [20, 20], [-1, 20]]\n"
           "[[event]]\ntime = 1\naction = 'insert'\ntarget = 'bow'\narea = [[2, 2], [4, 4], [4, 2], [2, 4]]\n"
           "[[event]]\ntime = 1\naction = 'insert'\ntarget = 'far'\narea = [[50, 50], [51, 50], [51, 51]]\n"
           "[[event]]\ntime = 1\naction = 'insert'\ntarget = 'post'\npost = [10, 2]\n"),
      file);
  EXPECT_EQ(run.summary.status, RunStatus::kEmpty);
  EXPECT_EQ(run.summary.left, 20U);
  EXPECT_EQ(run.summary.outside, 0U);
  const std::vector<std::string> actions = actionsOf(file);
  const std::set<std::string> seen(actions.begin(), actions.end());
  EXPECT_TRUE(seen.contains("refused-insert all"));
  EXPECT_TRUE(seen.contains("refused-insert bow"));
  EXPECT_TRUE(seen.contains("refused-insert far"));
  EXPECT_TRUE(seen.contains("insert post"));
  EXPECT_FALSE(seen.contains("refused-insert post"));
  EXPECT_GE(run.notes.size(), 3U);
}

TEST(LiveEvents, ConditionsOpenAndShut) {
  // The door shuts after ten persons have passed the line, and opens again when five stand before it.
  const std::string text =
      room(kTwenty,
           "[[door]]\nid = 'gate'\nline = [[12.2, 3.4], [12.2, 4.6]]\n"
           "[[line]]\nid = 'mouth'\nfrom = [12.4, 3]\nto = [12.4, 5]\n"
           "[[region]]\nid = 'front'\narea = [[9, 2], [12, 2], [12, 6], [9, 6]]\n"
           "[[event]]\npassed = 'mouth'\npersons = 10\naction = 'close'\ntarget = 'gate'\n"
           "[[event]]\ntime = 25\ninside = 'front'\npersons = 5\naction = 'open'\ntarget = 'gate'\n");
  const RunFile file;
  const SmallRun run = smallRun(text, file);
  EXPECT_EQ(run.summary.status, RunStatus::kEmpty);
  EXPECT_EQ(run.summary.left, 20U);
  EXPECT_EQ(actionsOf(file), (std::vector<std::string>{"close gate", "open gate"}));
  EXPECT_GT(run.summary.time, 25);
}

TEST(LiveEvents, AnObstacleMovesAlongAPath) {
  const std::string text =
      room(kTwenty,
           "[[event]]\ntime = 0.5\naction = 'insert'\ntarget = 'cart'\narea = [[9, 1], [10, 1], [10, 2], [9, 2]]\n"
           "[[event]]\ntime = 1\naction = 'move'\ntarget = 'cart'\npath = [[9.5, 1.5], [9.5, 6], [4, 6]]\nspeed = "
           "1\nevery = 0.5\n"
           "[[event]]\ntime = 14\naction = 'remove'\ntarget = 'cart'\n");
  std::vector<uint64_t> hashes;
  for (const int threads : {1, 2, 4}) {
    const RunFile file;
    const SmallRun run = smallRun(text, file, threads);
    EXPECT_EQ(run.summary.status, RunStatus::kEmpty);
    EXPECT_EQ(run.summary.outside, 0U);
    EXPECT_LT(run.summary.wallOverlap, 0.2);
    hashes.push_back(run.summary.resultHash);
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
  // Cut in the middle of the move, and later.
  for (const double end : {4.3, 7.0}) {
    const RunFile cut;
    SimulateSettings first;
    first.endTime = end;
    smallRun(text, cut, 1, first);
    SimulateSettings second;
    second.resume = true;
    EXPECT_EQ(smallRun(text, cut, 2, second).summary.resultHash, hashes[0]) << "cut at " << end;
  }
}

TEST(LiveEvents, KeysAreChecked) {
  const auto errorOf = [](const std::string& event) {
    const Result<Scenario> scenario = parseScenario(room(kTwenty, "[[event]]\n" + event), "test.toml");
    return scenario.ok() ? std::string() : scenario.error().message;
  };
  EXPECT_NE(errorOf("time = 1\naction = 'move'\ntarget = 'x'\npath = [[1, 1]]\n").find("inserts"), std::string::npos);
  EXPECT_NE(errorOf("passed = 'no'\naction = 'open'\ntarget = 'door'\n").find("no line"), std::string::npos);
  EXPECT_NE(errorOf("inside = 'no'\naction = 'open'\ntarget = 'door'\n").find("no region"), std::string::npos);
  EXPECT_NE(errorOf("time = 1\naction = 'insert'\ntarget = 'x'\n").find("post"), std::string::npos);
  EXPECT_NE(errorOf("action = 'open'\ntarget = 'door'\n").find("time"), std::string::npos);
  EXPECT_NE(errorOf("time = 1\npersons = 3\naction = 'open'\ntarget = 'door'\n").find("persons"), std::string::npos);
}

// A hall of many rooms whose doors all change every second.
TEST(LiveEvents, ManyDoorsToggle) {
  std::string wkt = "POLYGON ((0 0, 60 0, 60 20, 0 20, 0 0)";
  std::string doors;
  for (int i = 0; i < 24; ++i) {
    const double x = 2 + 2.4 * i;
    wkt += fmt::format(", ({0} 1, {0} 9, {1} 9, {1} 1, {0} 1), ({0} 11, {0} 19, {1} 19, {1} 11, {0} 11)", x, x + 0.2);
    doors += fmt::format("[[door]]\nid = 'd{0}'\nline = [[{1}, 9], [{1}, 11]]\n", i, x + 0.1);
    for (int second = 1; second <= 6; ++second) {
      doors += fmt::format("[[event]]\ntime = {}\naction = '{}'\ntarget = 'd{}'\n", second,
                           (second + i) % 2 ? "close" : "open", i);
    }
  }
  wkt += ")";
  const std::string text = fmt::format(R"toml(format = 1
environment = "{}"
end_time = 8
[[stage]]
id = "end"
kind = "exit"
area = [[58, 0], [60, 0], [60, 20], [58, 20]]
[[journey]]
id = "out"
stages = ["end"]
[[source]]
id = "in"
journey = "out"
area = [[0, 0], [20, 0], [20, 20], [0, 20]]
count = 60
{})toml",
                                       wkt, doors);
  std::vector<uint64_t> hashes;
  for (const int threads : {1, 4}) {
    const RunFile file;
    const SmallRun run = smallRun(text, file, threads);
    EXPECT_EQ(run.summary.outside, 0U);
    hashes.push_back(run.summary.resultHash);
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

}  // namespace
}  // namespace wend
