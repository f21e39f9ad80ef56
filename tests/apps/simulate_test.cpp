#include <chrono>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/apps/outcome_json.h"
#include "tests/apps/program.h"
#include "tests/apps/roaming_crowd.h"

// `wend simulate` and `wend report` as a user meets them, with what goes wrong on real machines.
namespace {

using Json = nlohmann::json;

constexpr const char* kRoomScenario = R"toml(format = 1
environment = "POLYGON ((0 0, 12 0, 12 3.4, 14 3.4, 14 4.6, 12 4.6, 12 8, 0 8, 0 0))"
end_time = 120
[[source]]
id = "in"
area = [[1, 1], [8, 1], [8, 7], [1, 7]]
count = 20
journey = "out"
[[stage]]
id = "door"
kind = "exit"
area = [[12.5, 3], [14, 3], [14, 5], [12.5, 5]]
[[journey]]
id = "out"
stages = ["door"]
[[line]]
id = "sill"
from = [12.2, 3.4]
to = [12.2, 4.6]
[[region]]
id = "before"
area = [[10, 3], [12, 3], [12, 5], [10, 5]]
[output]
text = "run.txt"
per_layer = true
)toml";

// A crowd that goes on for a while: long enough to be killed in the middle.
const std::string kLong = roamingCrowd(150, 240);

// A world is used as it was baked: a person of 1.8 m walks beneath a deck at 1.9 m, one of 2 m does not.
TEST(SimulateProgram, UsesAWorldAsItWasBaked) {
  const Workshop w;
  w.write("deck.obj",
          "v 0 0 0\nv 20 0 0\nv 20 4 0\nv 0 4 0\nf 1 2 3 4\n"
          "v 9 0 1.9\nv 11 0 1.9\nv 11 4 1.9\nv 9 4 1.9\nf 5 6 7 8\nf 8 7 6 5\n");
  ASSERT_EQ(w.wend("bake deck.obj --up z --height 1.8 -o low.wend").exit, 0);
  ASSERT_EQ(w.wend("bake deck.obj --up z -g hertel-mehlhorn -o high.wend").exit, 0);
  const auto scenario = [](const std::string& environment, const std::string& more) {
    return "format = 1\nenvironment = \"" + environment + "\"\n" + more +
           "end_time = 120\n[[source]]\nid = \"west\"\narea = [[1, 1], [3, 1], [3, 3], [1, 3]]\ncount = 4\n"
           "journey = \"out\"\n[[stage]]\nid = \"east\"\nkind = \"exit\"\n"
           "area = [[18, 1], [19, 1], [19, 3], [18, 3]]\n[[journey]]\nid = \"out\"\nstages = [\"east\"]\n";
  };
  w.write("low.toml", scenario("low.wend", ""));
  w.write("high.toml", scenario("high.wend", ""));
  w.write("other.toml", scenario("low.wend", "mesh = \"delaunay\"\n"));
  w.write("old.toml", scenario("deck.obj", "mesh = \"low.wend\"\n"));
  const Outcome low = w.wend("simulate low.toml -o low.sqlite --json");
  ASSERT_EQ(low.exit, 0) << low.err;
  EXPECT_EQ(jsonOf(low)["left"], 4);
  const Outcome high = w.wend("simulate high.toml -o high.sqlite --json");
  EXPECT_EQ(jsonOf(high).value("left", 0), 0) << high.err;
  const Outcome other = w.wend("simulate other.toml -o other.sqlite");
  EXPECT_NE(other.exit, 0);
  EXPECT_NE(other.err.find("was baked with"), std::string::npos) << other.err;
  const Outcome old = w.wend("simulate old.toml -o old.sqlite");
  EXPECT_NE(old.exit, 0);
  EXPECT_NE(old.err.find("holds the whole world"), std::string::npos) << old.err;
}

// A link does not lead the outputs of a scenario elsewhere, and they do not replace its recording.
TEST(SimulateProgram, WritesBesideItsRecordingOnly) {
  const Workshop w;
  const std::string room(kRoomScenario);
  const auto with = [&](const std::string& text) {
    std::string changed = room;
    return changed.replace(changed.find("run.txt"), 7, text);
  };
  ASSERT_EQ(
      w.shell("mkdir elsewhere here && ln -s ../elsewhere here/link && ln -s ../elsewhere/file.txt here/file").exit, 0);
  for (const char* name : {"link/x.txt", "file", "run.sqlite"}) {
    w.write("room.toml", with(name));
    const Outcome run = w.wend("simulate room.toml -o here/run.sqlite");
    EXPECT_EQ(run.exit, 1) << name;
    EXPECT_NE(run.err.find("beside the recording"), std::string::npos) << run.err;
  }
  EXPECT_EQ(w.shell("ls elsewhere | wc -l | grep -x 0").exit, 0);
}

TEST(SimulateProgram, RunsReportsAndChecks) {
  const Workshop w;
  w.write("room.toml", kRoomScenario);
  const Outcome run = w.wend("simulate room.toml -o run.sqlite --json");
  ASSERT_EQ(run.exit, 0) << run.err;
  const Json json = jsonOf(run);
  EXPECT_EQ(json["left"], 20);
  EXPECT_EQ(json["outside"], 0);
  EXPECT_EQ(json["status"], "empty");
  EXPECT_TRUE(w.exists("run.txt"));
  EXPECT_TRUE(w.exists("run.layer0.sqlite"));
  const Outcome report = w.wend("report run.sqlite -o out --json");
  ASSERT_EQ(report.exit, 0) << report.err;
  EXPECT_EQ(jsonOf(report)["left"], 20);
  for (const char* name :
       {"index.html", "summary.json", "tables/curve.csv", "tables/persons.csv", "tables/line_sill.csv",
        "tables/flow_sill.csv", "tables/region_before.csv", "tables/map_0.csv", "tables/fundamental.csv",
        "pictures/curve.svg", "pictures/density_mean_0.svg", "pictures/los_worst_0.svg", "pictures/rset_0.svg",
        "pictures/fundamental.svg", "pictures/travel_times.svg"}) {
    EXPECT_TRUE(w.exists(std::string("out/") + name)) << name;
  }
  EXPECT_EQ(w.shell("ls out").out, "index.html\npictures\nsummary.json\ntables\n");
  // Every link of the page leads to something that was written.
  const std::string page = w.text("out/index.html");
  size_t links = 0;
  for (size_t at = page.find("href=\""); at != std::string::npos; at = page.find("href=\"", at + 6)) {
    const std::string target = page.substr(at + 6, page.find('"', at + 6) - at - 6);
    if (target == "data:,") continue;
    EXPECT_TRUE(w.exists("out/" + target)) << target;
    ++links;
  }
  EXPECT_EQ(links, 4U);
  // The same by the layer's own file, which is a recording like any other.
  EXPECT_EQ(w.wend("report run.layer0.sqlite -o out2").exit, 0);

  w.write("good.toml",
          std::string(kRoomScenario) +
              "[[expect]]\nmetric = 'left'\nmin = 20\n[[expect]]\nmetric = 'crossings'\nof = 'sill'\nmin = 20\n");
  EXPECT_EQ(w.wend("simulate good.toml --check").exit, 0);
  w.write("bad.toml", std::string(kRoomScenario) + "[[expect]]\nmetric = 'left'\nmin = 21\nruns = 2\nstat = 'max'\n");
  const Outcome bad = w.wend("simulate bad.toml --check");
  EXPECT_EQ(bad.exit, 1);
  EXPECT_NE(bad.out.find("FAIL left = 20"), std::string::npos) << bad.out;
  w.write("lost.toml", std::string(kRoomScenario) + "[[expect]]\nmetric = 'flow'\nof = 'silo'\nmin = 1\n");
  const Outcome lost = w.wend("simulate lost.toml --check");
  EXPECT_NE(lost.err.find("line 26"), std::string::npos) << lost.err;
}

TEST(SimulateProgram, BadUseIsAnswered) {
  const Workshop w;
  w.write("room.toml", kRoomScenario);
  EXPECT_EQ(w.wend("simulate room.toml").exit, 2);
  EXPECT_EQ(w.wend("simulate missing.toml -o run.sqlite").exit, 1);
  w.write("broken.toml", "format = 1\nenvironment = [");
  const Outcome broken = w.wend("simulate broken.toml -o run.sqlite");
  EXPECT_EQ(broken.exit, 1);
  EXPECT_NE(broken.err.find("line 2"), std::string::npos) << broken.err;
  EXPECT_FALSE(w.exists("run.sqlite"));
  const Outcome folder = w.wend("simulate room.toml -o no/such/run.sqlite");
  EXPECT_EQ(folder.exit, 1);
  EXPECT_NE(folder.err.find("folder"), std::string::npos) << folder.err;
  const Outcome slip = w.wend("simulate room.toml -o room.toml");
  EXPECT_EQ(slip.exit, 1) << "the scenario itself must not be replaced";
  EXPECT_EQ(w.text("room.toml"), kRoomScenario);
  EXPECT_EQ(w.wend("simulate room.toml -o none.sqlite --resume").exit, 1);
  EXPECT_EQ(w.wend("report room.toml -o out").exit, 1);
  w.write("half.sqlite", "SQLite format 3");
  EXPECT_EQ(w.wend("report half.sqlite -o out").exit, 1);
  EXPECT_FALSE(w.exists("out"));
}

TEST(SimulateProgram, NoWritePermission) {
  if (::geteuid() == 0) {
    // Root may write everywhere but into the kernel's own folders.
    const Workshop w;
    w.write("room.toml", kRoomScenario);
    const Outcome outcome = w.wend("simulate room.toml -o /proc/run.sqlite");
    EXPECT_EQ(outcome.exit, 1);
    EXPECT_NE(outcome.err.find("/proc/run.sqlite"), std::string::npos) << outcome.err;
    return;
  }
  const Workshop w;
  w.write("room.toml", kRoomScenario);
  ASSERT_EQ(w.shell("mkdir locked && chmod 555 locked").exit, 0);
  EXPECT_EQ(w.wend("simulate room.toml -o locked/run.sqlite").exit, 1);
}

TEST(SimulateProgram, AKilledRunIsReadableAndResumes) {
  const Workshop w;
  w.write("long.toml", kLong);
  const auto start = std::chrono::steady_clock::now();
  const Outcome whole = w.wend("simulate long.toml -o whole.sqlite --json --threads 1");
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  ASSERT_EQ(whole.exit, 0) << whole.err;
  // Killed somewhere in the middle: wherever it hits, the file must do.
  const Outcome killed = w.shell("timeout -s KILL " + std::to_string(0.5 * seconds) +
                                 " '" WEND_PROGRAM "' simulate long.toml -o run.sqlite --quiet --threads 1");
  if (killed.exit == 0) GTEST_SKIP() << "skipped: the machine was done before the kill";
  ASSERT_TRUE(w.exists("run.sqlite"));
  const Outcome report = w.wend("report run.sqlite -o out --json");
  EXPECT_EQ(report.exit, 0) << report.err;
  const Outcome resumed = w.wend("simulate long.toml -o run.sqlite --resume --json --threads 2");
  ASSERT_EQ(resumed.exit, 0) << resumed.err;
  EXPECT_EQ(jsonOf(resumed)["hash"], jsonOf(whole)["hash"]);
  EXPECT_EQ(jsonOf(resumed)["steps"], 2400);
  const Outcome again = w.wend("simulate long.toml -o run.sqlite --resume");
  EXPECT_EQ(again.exit, 2);
  EXPECT_NE(again.err.find("complete"), std::string::npos) << again.err;
  std::string other = kLong;
  other.replace(other.find("count = 150"), 11, "count = 151");
  w.write("other.toml", other);
  ASSERT_EQ(w.wend("simulate long.toml -o cut.sqlite --end 20").exit, 0);
  const Outcome foreign = w.wend("simulate other.toml -o cut.sqlite --resume");
  EXPECT_EQ(foreign.exit, 2);
  EXPECT_NE(foreign.err.find("another scenario"), std::string::npos) << foreign.err;
}

TEST(SimulateProgram, ControlCStopsCleanly) {
  const Workshop w;
  w.write("long.toml", kLong);
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(w.wend("simulate long.toml -o whole.sqlite --quiet --threads 1").exit, 0);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const Outcome stopped = w.shell("timeout -s INT " + std::to_string(0.5 * seconds) +
                                  " '" WEND_PROGRAM "' simulate long.toml -o run.sqlite --threads 1");
  if (stopped.err.find("--resume") == std::string::npos)
    GTEST_SKIP() << "skipped: the machine was done before the signal";
  EXPECT_FALSE(w.exists("run.sqlite-journal"));
  const Outcome resumed = w.wend("simulate long.toml -o run.sqlite --resume --json");
  ASSERT_EQ(resumed.exit, 0) << resumed.err;
  EXPECT_GE(jsonOf(resumed)["resumed_at"].get<double>(), 0);
}

TEST(SimulateProgram, AFullDiskIsOneSentence) {
  const Workshop w;
  w.write("long.toml", kLong);
  const Outcome full =
      w.shell("bash -c \"ulimit -f 3000; '" WEND_PROGRAM "' simulate long.toml -o run.sqlite --threads 1\"");
  EXPECT_EQ(full.exit, 1) << full.err;
  EXPECT_NE(full.err.find("run.sqlite"), std::string::npos) << full.err;
  EXPECT_NE(full.err.find("complete up to"), std::string::npos) << full.err;
  EXPECT_EQ(std::count(full.err.begin(), full.err.end(), '\n'), 1) << full.err;
  const Outcome report = w.wend("report run.sqlite -o out");
  EXPECT_EQ(report.exit, 0) << report.err;
}

}  // namespace
