#include <wend/analysis.h>
#include <wend/study/trajectories.h>

#include "tests/crowd/run_file.h"

// Trajectories of experiments, as the Jülich archive and PedPy write them.
namespace wend {
namespace {

TEST(Trajectories, ReadTheFormsOfTheArchive) {
  const Result<Trajectories> metres = parseTrajectories(
      "# framerate: 25.00\n# id frame x/m y/m z/m\n1 10 0.5 1.5 1.7\n1 11 0.6 1.5 1.7\n2 11 3 4 1\n", "a");
  ASSERT_TRUE(metres.ok()) << metres.error().message;
  EXPECT_EQ(metres->framesPerSecond, 25);
  ASSERT_EQ(metres->persons.size(), 2U);
  EXPECT_EQ(metres->frames(), 2);
  EXPECT_EQ(metres->firstFrame, 10);
  EXPECT_EQ(metres->persons[1].points[0].frame, 1);
  const Result<Trajectories> old =
      parseTrajectories("# description: x\n# framerate: 16 fps\n# ID\tFR\tX\tY\tZ (in cm)\n7\t0\t50\t-150\t170\n", "b");
  ASSERT_TRUE(old.ok()) << old.error().message;
  EXPECT_DOUBLE_EQ(old->persons[0].points[0].at.y, -1.5);
  const Result<Trajectories> table = parseTrajectories("id,frame,x/m,y/m\n3,0,1,2\n", "c", {.framesPerSecond = 10});
  ASSERT_TRUE(table.ok()) << table.error().message;
  EXPECT_EQ(table->persons[0].id, 3U);
}

TEST(Trajectories, MistakesAreNamed) {
  const auto errorOf = [](std::string_view text, TrajectorySettings settings = {10, 1}) {
    const Result<Trajectories> read = parseTrajectories(text, "file.txt", settings);
    return read.ok() ? std::string() : read.error().message;
  };
  EXPECT_NE(errorOf("1 0 2 3\n1 1 2\n").find("line 2"), std::string::npos);
  EXPECT_NE(errorOf("1 0 2 3\n1 0 2 3\n").find("twice in frame 0"), std::string::npos);
  EXPECT_NE(errorOf("1 0 2 3\n1.5 1 2 3\n").find("whole number"), std::string::npos);
  EXPECT_NE(errorOf("1 0 2 3\nx y z\n").find("line 2"), std::string::npos);
  EXPECT_NE(errorOf("1 0 nan 3\n1 1 2 inf\n"), "");
  // A few bytes must not become a recording of a hundred million frames.
  EXPECT_NE(errorOf("1 0 2 3\n1 100000000 2 3\n").find("most frames are empty"), std::string::npos);
  EXPECT_EQ(errorOf("1 0 2 3\n1 100000 2 3\n"), "");
  // A recording of such places could not be read.
  EXPECT_NE(errorOf("1 0 1e308 3\n").find("nowhere on earth"), std::string::npos);
  EXPECT_NE(errorOf("# nothing\n").find("no lines"), std::string::npos);
  EXPECT_NE(errorOf("1 0 2 3\n", {0, 1}).find("--fps"), std::string::npos);
  EXPECT_NE(errorOf("1 0 2 3\n", {10, 0}).find("--unit"), std::string::npos);
}

// Ten persons walk 10 m at 1 m/s, two seconds apart, over a line in the middle.
TEST(Trajectories, BecomeARecordingThatReportsMeasure) {
  std::string text = "# framerate: 10\n# id frame x/m y/m\n";
  for (int id = 0; id < 10; ++id) {
    for (int k = 0; k <= 100; ++k) text += fmt::format("{} {} {} 1\n", id, 20 * id + k, 0.5 + 0.1 * k);
  }
  const Result<Trajectories> read = parseTrajectories(text, "walk.txt");
  ASSERT_TRUE(read.ok());
  EnvironmentDraft draft;
  draft.layers.resize(1);
  draft.layers[0].walkable = {{{{0, 0}, {11, 0}, {11, 2}, {0, 2}}}};
  const ScratchRecording file;
  const Result<uint64_t> outside = writeRecording(*read, buildEnvironment(draft).value(), file.path());
  ASSERT_TRUE(outside.ok()) << outside.error().message;
  EXPECT_EQ(*outside, 0U);
  const Result<Recording> recording = Recording::open(file.path());
  ASSERT_TRUE(recording.ok()) << recording.error().message;
  const Scenario scenario =
      parseScenario("format = 1\nenvironment = 'x'\n[[line]]\nid = 'middle'\nfrom = [5.25, 0]\nto = [5.25, 2]\n", "s")
          .value();
  const Analysis a = analyse(*recording, &scenario).value();
  EXPECT_EQ(a.lines[0].crossings.size(), 10U);
  EXPECT_NEAR(a.lines[0].crossings[1].time - a.lines[0].crossings[0].time, 2, 1e-9);
  EXPECT_NEAR(a.meanSpeed, 1, 1e-6);
  EXPECT_EQ(a.curve.back().left, 9U) << "the last one is there until the end";
  // Off the plan is said, not hidden.
  draft.layers[0].walkable = {{{{0, 0}, {5, 0}, {5, 2}, {0, 2}}}};
  EXPECT_GT(writeRecording(*read, buildEnvironment(draft).value(), file.path()).value(), 400U);
}

}  // namespace
}  // namespace wend
