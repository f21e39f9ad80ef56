#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/apps/outcome_json.h"
#include "tests/apps/program.h"

// Many runs, studies, experiments and the report that people sign, as a user meets them.
namespace {

using Json = nlohmann::json;

constexpr const char* kStudyRoom = R"toml(format = 1
name = "A room"
environment = "POLYGON ((0 0, 8 0, 8 ${3 - width / 2}, 11 ${3 - width / 2}, 11 ${3 + width / 2}, 8 ${3 + width / 2}, 8 6, 0 6, 0 0))"
end_time = 120
[parameters]
width = 1.2
[[source]]
id = "in"
area = [[1, 1], [6, 1], [6, 5], [1, 5]]
count = 15
journey = "out"
[[stage]]
id = "door"
kind = "exit"
area = [[9.5, 0], [11, 0], [11, 6], [9.5, 6]]
[[journey]]
id = "out"
stages = ["door"]
[[line]]
id = "sill"
from = [8.2, "${3 - width / 2}"]
to = [8.2, "${3 + width / 2}"]
[[region]]
id = "before"
area = [[6, 2], [8, 2], [8, 4], [6, 4]]
los = "queue"
[[zone]]
id = "far away"
area = [[90, 90], [91, 90], [91, 91], [90, 91]]
speed_factor = 0.5
[[expect]]
metric = "evacuation_time"
max = 60
[[expect]]
metric = "left"
min = 16
)toml";

TEST(StudyProgram, RunsOverSeedsAndValues) {
  const Workshop w;
  w.write("room.toml", kStudyRoom);
  const Outcome runs = w.wend("simulate room.toml --runs 4 --keep -o runs --json");
  ASSERT_EQ(runs.exit, 0) << runs.err;
  const Json many = jsonOf(runs)["variants"][0];
  EXPECT_EQ(many["runs"], 4);
  EXPECT_EQ(many["unfinished"], 0);
  EXPECT_GT(many["mean"].get<double>(), 5);
  EXPECT_LE(many["p5"].get<double>(), many["median"].get<double>());
  EXPECT_FALSE(many["checks"][1]["passed"].get<bool>());
  EXPECT_NE(many["warnings"].dump().find("zone 'far away'"), std::string::npos);
  EXPECT_NE(runs.err.find("warning: zone 'far away' does not overlap"), std::string::npos) << runs.err;
  EXPECT_NE(runs.err.find("(4 of 4 runs)"), std::string::npos) << runs.err;
  for (const char* name :
       {"runs/index.html", "runs/summary.json", "runs/tables/runs.csv", "runs/tables/convergence.csv",
        "runs/tables/curve.csv", "runs/runs/run_1.sqlite", "runs/runs/run_4.sqlite"}) {
    EXPECT_TRUE(w.exists(name)) << name;
  }
  EXPECT_EQ(w.wend("simulate room.toml --runs 3 --check").exit, 1);
  const Outcome study = w.wend("simulate room.toml --vary width=0.9,2 --runs 3 -o study --json --threads 2");
  ASSERT_EQ(study.exit, 0) << study.err;
  const Json both = jsonOf(study)["variants"];
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0]["parameters"]["width"], "0.9");
  EXPECT_GT(both[0]["mean"].get<double>(), both[1]["mean"].get<double>()) << "a wider door empties faster";
  EXPECT_NE(w.text("study/index.html").find("Evacuation time against width"), std::string::npos);
  EXPECT_NE(w.wend("simulate room.toml --vary height=1,2 --runs 2 -o no").exit, 0);
  EXPECT_NE(w.wend("simulate room.toml --vary width -o no").exit, 0);
  EXPECT_NE(w.wend("simulate room.toml --runs 2 --resume -o no").exit, 0);
  const Outcome set = w.wend("simulate room.toml --set width=2 -o wide.sqlite --json");
  ASSERT_EQ(set.exit, 0) << set.err;
}

// A hundred runs differ in how many persons were left, not in what went wrong.
TEST(StudyProgram, WarningsThatDifferInNumbersAreOne) {
  const Workshop w;
  std::string text = kStudyRoom;
  text.replace(text.find("end_time = 120"), 14, "end_time = 6");
  w.write("room.toml", text);
  const Outcome runs = w.wend("simulate room.toml --runs 8 -o runs --json");
  ASSERT_EQ(runs.exit, 0) << runs.err;
  std::set<std::string> different;
  const Json json = jsonOf(runs);
  for (const Json& warning : json["variants"][0]["warnings"]) {
    if (warning.get<std::string>().find("under way") != std::string::npos) different.insert(warning);
  }
  ASSERT_GT(different.size(), 1U);
  const std::string page = w.text("runs/index.html");
  const size_t at = page.find("persons were still under way when the end time came (8 of 8 runs)");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(page.find("persons were still under way", at + 1), std::string::npos) << "told once";
  const std::string before = page.substr(at - 20, 20);
  EXPECT_NE(before.find(" to "), std::string::npos) << before;
}

// What was not judged has not passed, and a run that ended in a deadlock has no evacuation time.
TEST(StudyProgram, WhatIsNotJudgedIsSaid) {
  const Workshop w;
  const std::string room = R"toml(format = 1
environment = "POLYGON ((0 0, 8 0, 8 6, 0 6, 0 0))"
end_time = 120
[[source]]
id = "in"
area = [[1, 1], [3, 1], [3, 5], [1, 5]]
count = 4
journey = "out"
[[stage]]
id = "door"
kind = "exit"
area = [[6, 2], [8, 2], [8, 4], [6, 4]]
open = SHUT
[[region]]
id = "late"
area = [[6, 2], [8, 2], [8, 4], [6, 4]]
start = 100
[[journey]]
id = "out"
stages = ["door"]
)toml";
  const auto with = [&](const char* open, const std::string& expect) {
    std::string text = room;
    text.replace(text.find("SHUT"), 4, open);
    w.write("room.toml", text + expect);
  };
  with("true", "");
  const Outcome nothing = w.wend("simulate room.toml --check -o run.sqlite --json");
  EXPECT_EQ(nothing.exit, 0) << nothing.err;
  EXPECT_NE(nothing.err.find("no [[expect]]"), std::string::npos) << nothing.err;
  EXPECT_NE(jsonOf(nothing)["warnings"].dump().find("no [[expect]]"), std::string::npos);
  ASSERT_EQ(w.wend("report run.sqlite -o page").exit, 0);
  const std::string page = w.text("page/index.html");
  EXPECT_NE(page.find("no [[expect]]"), std::string::npos);
  EXPECT_NE(page.find("nothing on this page was judged"), std::string::npos);

  with("true", "[[expect]]\nmetric = 'density'\nof = 'late'\nmax = 9\n");
  const Outcome late = w.wend("simulate room.toml --check --json");
  EXPECT_EQ(late.exit, 1);
  const std::string said = w.wend("simulate room.toml --check").out;
  EXPECT_NE(said.find("FAIL density of late = no value, expected at most 9"), std::string::npos) << said;
  EXPECT_FALSE(jsonOf(late)["checks"][0]["measured"].get<bool>());
  EXPECT_EQ(w.wend("simulate room.toml --check --runs 3").exit, 1);

  with("false", "[[expect]]\nmetric = 'outside'\nmax = 0\n");
  EXPECT_EQ(w.wend("simulate room.toml --check").exit, 1) << "all wait before a shut exit";
  const Outcome runs = w.wend("simulate room.toml --check --runs 2 -o runs --json");
  EXPECT_EQ(runs.exit, 1);
  const std::string ended = w.wend("simulate room.toml --check --runs 2").out;
  EXPECT_NE(ended.find("FAIL 2 of 2 runs ended in gridlock or deadlock"), std::string::npos) << ended;
  EXPECT_EQ(jsonOf(runs)["variants"][0]["blocked"], 2);
  EXPECT_NE(w.text("runs/index.html").find("not reached"), std::string::npos);
}

TEST(StudyProgram, TheReportSaysWhatWasRunAndWhatFailed) {
  const Workshop w;
  w.write("room.toml", kStudyRoom);
  const Outcome run = w.wend("simulate room.toml -o run.sqlite --json --seed 5");
  ASSERT_EQ(run.exit, 0) << run.err;
  EXPECT_NE(jsonOf(run)["warnings"].dump().find("zone 'far away'"), std::string::npos);
  const Outcome report = w.wend("report run.sqlite -o out --json");
  ASSERT_EQ(report.exit, 0) << report.err;
  const Json json = jsonOf(report);
  EXPECT_EQ(json["run"]["seed"], "5");
  EXPECT_EQ(json["run"]["result_hash"], jsonOf(run)["hash"]);
  EXPECT_EQ(json["run"]["scenario_hash"].get<std::string>().size(), 16U);
  EXPECT_NE(json["run"]["profiles"].dump().find("avoid vision"), std::string::npos);
  // Another plan under the same name is another environment.
  const std::string environment = json["run"]["environment_hash"];
  ASSERT_EQ(environment.size(), 16U);
  ASSERT_EQ(w.wend("simulate room.toml -o wide.sqlite --set width=1.6").exit, 0);
  EXPECT_NE(jsonOf(w.wend("report wide.sqlite -o wide --json"))["run"]["environment_hash"], environment);
  EXPECT_TRUE(json["expectations"][0]["passed"].get<bool>());
  EXPECT_FALSE(json["expectations"][1]["passed"].get<bool>());
  EXPECT_NE(json["warnings"].dump().find("zone 'far away'"), std::string::npos);
  EXPECT_EQ(json["lines"][0]["forward"].get<int>() + json["lines"][0]["backward"].get<int>(), 15);
  EXPECT_EQ(json["regions"][0]["table"], "Fruin 1971, waiting areas");
  const std::string page = w.text("out/index.html");
  EXPECT_NE(page.find(environment), std::string::npos);
  for (const char* part :
       {"does not overlap the walkable space", "FAIL", "result hash", "environment hash", "1 layer, 51.6 m²",
        "specific flow", "worst level", "clip-path", "class=\"mark exit\"", "class=\"scale\"", "N (y)"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  // No window of the flow has more persons than crossed in its length.
  std::string flows = w.text("out/tables/flow_sill.csv");
  size_t persons = 0;
  for (size_t at = flows.find('\n') + 1; at < flows.size(); at = flows.find('\n', at) + 1) {
    double time = 0;
    double flow = 0;
    double specific = 0;
    unsigned forward = 0;
    unsigned backward = 0;
    ASSERT_EQ(std::sscanf(flows.c_str() + at, "%lf,%lf,%lf,%u,%u", &time, &flow, &specific, &forward, &backward), 5);
    EXPECT_LE(flow, (forward + backward) / 5.0 + 1e-9);
    persons += forward + backward;
  }
  EXPECT_EQ(persons, 15U);
}

TEST(StudyProgram, MapsShowWherePersonsWait) {
  const Workshop w;
  std::string text = kStudyRoom;
  text.replace(text.find("stages = [\"door\"]"), 17, "stages = [\"desk\", \"seats\", \"kiosk\", \"door\"]");
  w.write("room.toml", text + R"toml([[stage]]
id = "desk"
kind = "queue"
slots = [[7, 5], [6.4, 5], [5.8, 5]]
service = 0.2
[[stage]]
id = "seats"
kind = "waiting"
area = [[6, 0.5], [7.5, 0.5], [7.5, 1.5], [6, 1.5]]
duration = 1
[[stage]]
id = "kiosk"
kind = "waypoint"
at = [7, 3]
)toml");
  ASSERT_EQ(w.wend("simulate room.toml -o run.sqlite").exit, 0);
  ASSERT_EQ(w.wend("report run.sqlite -o out").exit, 0);
  const std::string map = w.text("out/pictures/speed_0.svg");
  for (const char* name : {">desk<", ">seats<", ">kiosk<"}) EXPECT_NE(map.find(name), std::string::npos) << name;
  EXPECT_NE(w.text("out/index.html").find("\"kind\":\"stage\""), std::string::npos) << "the player has them too";
}

// The region of a waiting area and the rest of the floor have levels of their own, so the map gives both limits.
TEST(StudyProgram, MapsOfLevelsGiveTheLimitsThatHold) {
  const Workshop w;
  w.write("room.toml", kStudyRoom);
  ASSERT_EQ(w.wend("simulate room.toml -o run.sqlite").exit, 0);
  ASSERT_EQ(w.wend("report run.sqlite -o mixed").exit, 0);
  const std::string mixed = w.text("mixed/pictures/los_worst_0.svg");
  for (const char* part : {"Fruin 1971, walkways:", "A below 0.31", "Fruin 1971, waiting areas:", "A below 0.83"}) {
    EXPECT_NE(mixed.find(part), std::string::npos) << part;
  }
  std::string text = kStudyRoom;
  text.replace(text.find("los = \"queue\"\n"), 14, "");
  w.write("room.toml", text);
  ASSERT_EQ(w.wend("simulate room.toml -o one.sqlite").exit, 0);
  ASSERT_EQ(w.wend("report one.sqlite -o one").exit, 0);
  const std::string one = w.text("one/pictures/los_worst_0.svg");
  EXPECT_NE(one.find("A below 0.31"), std::string::npos);
  EXPECT_EQ(one.find("Fruin 1971"), std::string::npos) << "the page names the table once";
}

TEST(StudyProgram, ExperimentsAreMeasuredBesideASimulation) {
  const Workshop w;
  w.write("room.toml", std::string(kStudyRoom) + "[output]\ntext = 'run.txt'\n");
  ASSERT_EQ(w.wend("simulate room.toml -o run.sqlite").exit, 0);
  const std::string plan = "\"POLYGON ((0 0, 8 0, 8 2.4, 11 2.4, 11 3.6, 8 3.6, 8 6, 0 6, 0 0))\"";
  // Its own text as an experiment: the same figures come out.
  const Outcome converted = w.wend("trajectories run.txt --environment " + plan + " -o exp.sqlite --json");
  ASSERT_EQ(converted.exit, 0) << converted.err;
  EXPECT_EQ(jsonOf(converted)["persons"], 15);
  EXPECT_EQ(jsonOf(converted)["outside"], 0);
  const Outcome beside = w.wend("report run.sqlite --beside exp.sqlite -o out --json");
  ASSERT_EQ(beside.exit, 0) << beside.err;
  size_t compared = 0;
  const Json rows = jsonOf(beside);
  for (const Json& row : rows["beside"]) {
    if (row["what"].get<std::string>().find("left") != std::string::npos || row["own"].is_null()) continue;
    EXPECT_NEAR(row["own"].get<double>(), row["other"].get<double>(), 0.03 * row["own"].get<double>() + 0.02)
        << row["what"];
    ++compared;
  }
  EXPECT_GE(compared, 6U);
  EXPECT_TRUE(w.exists("out/beside.html"));
  EXPECT_TRUE(w.exists("out/other/index.html"));
  EXPECT_EQ(w.wend("trajectories room.toml --environment " + plan + " -o no.sqlite").exit, 1);
}

}  // namespace
