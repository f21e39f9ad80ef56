#include <gtest/gtest.h>

#include "tests/apps/program.h"

// Recordings of contests and of exploring, which have no scenario, in the commands that show recordings.
namespace {

void expectShown(const Workshop& w, const std::string& name) {
  const Outcome info = w.wend("info " + name + ".sqlite");
  EXPECT_EQ(info.exit, 0) << info.err;
  const Outcome report = w.wend("report " + name + ".sqlite -o " + name);
  EXPECT_EQ(report.exit, 0) << report.err;
  EXPECT_TRUE(w.exists(name + "/index.html"));
}

TEST(Games, ARecordedContestBecomesAReport) {
  const Workshop w;
  const Outcome outcome = w.wend("contest --teams universal builder -o match.sqlite");
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  expectShown(w, "match");
}

TEST(Games, RecordedExplorersBecomeAReport) {
  const Workshop w;
  w.write("rooms.wkt", "POLYGON ((0 0, 30 0, 30 20, 0 20, 0 0), (14 0.5, 16 0.5, 16 12, 14 12, 14 0.5))");
  const Outcome outcome = w.wend("explore rooms.wkt --explorers 2 --sight 5 -o tour.sqlite --world believed.wend");
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  expectShown(w, "tour");
}

}  // namespace
