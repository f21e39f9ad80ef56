#include <gtest/gtest.h>

#include "tests/apps/program.h"
#include "tests/data.h"

// Files that broke wend once (shared/data/defects): each command ends soon with one sentence, or works, within 2 GiB
// and with nothing written where it does not belong.
namespace {

// Seconds and kB of address space that a command may take.
constexpr const char* kBounded = "ulimit -v 2097152; timeout 60 '" WEND_PROGRAM "' ";

std::string defect(const std::string& name) {
  return dataFile("defects/" + name);
}

void expectSentence(const Outcome& outcome, const std::string& words) {
  EXPECT_EQ(outcome.exit, 1) << outcome.err;
  EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("internal error"), std::string::npos) << outcome.err;
}

#define DEFECT_OR_SKIP(variable, name)       \
  const std::string variable = defect(name); \
  if (variable.empty()) GTEST_SKIP() << "skipped: no data (shared/data/defects/" << (name) << ")"

TEST(Defects, D1ScenarioOverwritesAnyFile) {
  DEFECT_OR_SKIP(file, "D1_scenario_overwrites_any_file.toml");
  const Workshop workshop;
  const Outcome outcome =
      workshop.shell("mkdir out; " + std::string(kBounded) + "simulate '" + file + "' -o out/r.sqlite");
  EXPECT_NE(outcome.exit, 0);
  EXPECT_NE(outcome.err.find("output"), std::string::npos) << outcome.err;
  EXPECT_EQ(workshop.files(), 1U) << "something was written outside the folder of the recording";
}

// The format has another version since then. WorldFile.ForgedArraysAreRefused makes the same change in a file of today.
TEST(Defects, D2CraftedMeshCrashes) {
  DEFECT_OR_SKIP(file, "D2_crafted_mesh_segv.wend");
  const Workshop workshop;
  const Outcome outcome = workshop.shell(kBounded + ("path '" + file + "' --from 0,0 --to 1,1"));
  expectSentence(outcome, file);
}

TEST(Defects, D3CheckpointOutOfRange) {
  DEFECT_OR_SKIP(recording, "D3_checkpoint.sqlite");
  DEFECT_OR_SKIP(scenario, "D3_scenario.toml");
  const Workshop workshop;
  const Outcome outcome = workshop.shell("cp '" + recording + "' copy.sqlite; chmod u+w copy.sqlite; " + kBounded +
                                         "simulate '" + scenario + "' -o copy.sqlite --resume");
  EXPECT_TRUE(outcome.exit == 1 || outcome.exit == 2) << outcome.exit << outcome.err;
  EXPECT_NE(outcome.err.find("without --resume"), std::string::npos) << outcome.err;
  EXPECT_EQ(workshop.files(), 1U);
}

TEST(Defects, D4ReportOfHugeFrameNumber) {
  DEFECT_OR_SKIP(file, "D4_report_hangs_huge_frame.sqlite");
  const Workshop workshop;
  expectSentence(workshop.shell(kBounded + ("report '" + file + "' -o page")), "frame");
  EXPECT_FALSE(workshop.exists("page/index.html"));
}

TEST(Defects, D4bReportOfRecursiveView) {
  DEFECT_OR_SKIP(file, "D4b_report_hangs_recursive_view.sqlite");
  const Workshop workshop;
  expectSentence(workshop.shell(kBounded + ("report '" + file + "' -o page")), "is a view");
  // The same file is not continued either.
  const Outcome resumed = workshop.shell("cp '" + file + "' copy.sqlite; chmod u+w copy.sqlite; " + kBounded +
                                         "simulate '" + defect("D3_scenario.toml") + "' -o copy.sqlite --resume");
  EXPECT_NE(resumed.exit, 0);
  EXPECT_NE(resumed.err.find("is a view"), std::string::npos) << resumed.err;
}

TEST(Defects, D8SlowQuery) {
  DEFECT_OR_SKIP(file, "D8_slow_query.env");
  const Workshop workshop;
  ASSERT_EQ(workshop.shell(kBounded + ("bake '" + file + "' -g neogen -o world.wend")).exit, 0);
  const Outcome outcome =
      workshop.shell(std::string(kBounded) +
                     "path world.wend --from 33.0222,9.358,0 --to 33.1882,19.8726,15.7 --radius 0.7104 --json");
  EXPECT_TRUE(outcome.exit == 0 || outcome.exit == 1) << outcome.err;
}

TEST(Defects, D9MemoryOfTheImporter) {
  DEFECT_OR_SKIP(file, "D9_dae_memory.dae");
  const Workshop workshop;
  const Outcome outcome = workshop.shell("timeout 120 '" WEND_PROGRAM "' info '" + file + "'");
  EXPECT_EQ(outcome.exit, 1) << outcome.out << outcome.err;
  EXPECT_NE(outcome.err.find(file), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("--import-memory"), std::string::npos) << outcome.err;
}

// The format has another version since then. Promises.ThatAreWrongHurtNoCommand measures such meshes in files of today.
TEST(Defects, D10MemoryOfMeasure) {
  DEFECT_OR_SKIP(file, "D10_measure_memory.wend");
  DEFECT_OR_SKIP(against, "D10_parking-lot.env");
  const Workshop workshop;
  const Outcome outcome =
      workshop.shell(kBounded + ("measure '" + file + "' --against '" + against + "' --queries 10 --pixels 16"));
  EXPECT_TRUE(outcome.exit == 0 || outcome.exit == 1) << outcome.exit << outcome.err;
}

}  // namespace
