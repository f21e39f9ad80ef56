#include <cstring>

#include <gtest/gtest.h>

#include "tests/apps/program.h"

// The files that a scenario asks for in [output]: a scenario may come from anybody.
namespace {

std::string scenario(const std::string& output) {
  return "format = 1\nenvironment = \"POLYGON ((0 0, 12 0, 12 8, 0 8, 0 0))\"\nend_time = 1\n[[source]]\nid = \"in\"\n"
         "area = [[1, 1], [4, 1], [4, 4], [1, 4]]\ncount = 2\njourney = \"out\"\n[[stage]]\nid = \"door\"\n"
         "kind = \"exit\"\narea = [[9, 3], [11, 3], [11, 5], [9, 5]]\n[[journey]]\nid = \"out\"\n"
         "stages = [\"door\"]\n[output]\n" +
         output + "\n";
}

// A folder 'out' for the recording, and beside it a file that nobody may touch.
class Outputs : public ::testing::Test {
 protected:
  Outputs() { w.shell("mkdir -p out theirs"); }

  Outcome simulate(const std::string& output, const std::string& options = "") {
    w.write("theirs/file", "theirs");
    w.write("out/mine.txt", "mine");
    w.write("out/run.toml", scenario(output));
    return w.shell("timeout 60 '" WEND_PROGRAM "' simulate out/run.toml -o out/run.sqlite --quiet " + options);
  }
  void expectRefused(const std::string& output, const std::string& options = "") {
    const Outcome outcome = simulate(output, options);
    EXPECT_EQ(outcome.exit, 1) << output << outcome.err;
    EXPECT_EQ(w.text("theirs/file"), "theirs") << output;
    EXPECT_EQ(w.text("out/mine.txt"), "mine") << output;
    EXPECT_EQ(w.text("out/run.toml"), scenario(output));
    EXPECT_EQ(w.shell("ls theirs").out, "file\n") << output;
  }

  const Workshop w;
};

TEST_F(Outputs, NoFileOfTheUserIsOverwritten) {
  expectRefused("text = \"mine.txt\"");
  expectRefused("text = \"run.toml\"");
  expectRefused("text = \"run.toml\"", "--force");
  expectRefused("text = \"run.sqlite\"");
  expectRefused("text = \"run.sqlite-wal\"", "--force");
  w.shell("mkdir out/folder; touch out/folder/notes");
  expectRefused("text = \"folder\"");
  expectRefused("dir = \"folder\"");
  expectRefused("dir = \"mine.txt\"");
  EXPECT_FALSE(w.exists("out/run.sqlite")) << "what cannot be written is known before the run";
}

TEST_F(Outputs, IncludedFilesStay) {
  w.write("out/part.toml", "name = \"part\"\n");
  w.write("out/run.toml", "include = \"part.toml\"\n" + scenario("text = \"part.toml\""));
  EXPECT_EQ(w.wend("simulate out/run.toml -o out/run.sqlite").exit, 1);
  EXPECT_EQ(w.text("out/part.toml"), "name = \"part\"\n");
}

TEST_F(Outputs, LinksDoNotLeadOutOfTheFolder) {
  w.shell("ln -s ../theirs/file out/link; ln -s ../theirs/new out/nowhere; ln -s ../theirs out/folder");
  for (const char* options : {"", "--force"}) {
    expectRefused("text = \"link\"", options);
    expectRefused("text = \"nowhere\"", options);
    expectRefused("text = \"folder/file\"", options);
    expectRefused("dir = \"folder\"", options);
    expectRefused("dir = \"nowhere\"", options);
  }
}

TEST_F(Outputs, NeitherDoLinksWithinAReport) {
  w.shell("mkdir -p out/report/tables; touch out/report/summary.json; ln -s ../../theirs/file out/report/index.html");
  expectRefused("dir = \"report\"", "--force");
  w.shell("rm out/report/index.html; ln -s ../../../theirs/file out/report/tables/curve.csv");
  expectRefused("dir = \"report\"", "--force");
  w.shell("rm -r out/report/tables; ln -s ../../theirs out/report/tables");
  expectRefused("dir = \"report\"", "--force");
}

TEST_F(Outputs, NeitherDoLinksInThePlaceOfLayers) {
  w.shell("ln -s ../theirs/empty out/run.layer0.sqlite; touch theirs/empty");
  EXPECT_EQ(simulate("per_layer = true").exit, 1);
  EXPECT_EQ(w.shell("stat -c %s theirs/empty").out, "0\n");
  w.shell("rm out/run.layer0.sqlite; echo precious >out/run.layer0.sqlite");
  EXPECT_EQ(simulate("per_layer = true").exit, 1);
  EXPECT_EQ(w.text("out/run.layer0.sqlite"), "precious\n");
}

TEST_F(Outputs, APipeIsNoFile) {
  w.shell("mkfifo out/pipe");
  expectRefused("text = \"pipe\"");
}

TEST_F(Outputs, AnOlderOutputIsReplaced) {
  for (int i = 0; i < 2; ++i) {
    const Outcome outcome = simulate("text = \"run.txt\"\ndir = \"report\"\nper_layer = true");
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
  }
  EXPECT_EQ(w.text("out/run.txt").substr(0, 12), "# framerate:");
  EXPECT_TRUE(w.exists("out/report/index.html"));
  EXPECT_TRUE(w.exists("out/run.layer0.sqlite"));
  // With --force whatever lies beside the recording.
  EXPECT_EQ(simulate("text = \"mine.txt\"", "--force").exit, 0);
  EXPECT_EQ(w.text("out/mine.txt").substr(0, 12), "# framerate:");
}

// The steps end with a checkpoint, however long it takes; what comes after them does not.
TEST_F(Outputs, ASignalIsHeardAfterTheSteps) {
  w.shell("mkfifo frames");
  simulate("");
  const Outcome outcome = w.shell("timeout -k 20 --preserve-status -s INT 3 '" WEND_PROGRAM
                                  "' simulate out/run.toml -o out/run.sqlite --quiet --frames frames");
  EXPECT_EQ(outcome.exit, 1) << outcome.err;
}

// Names of a recording end up in a page.
TEST_F(Outputs, NamesDoNotBecomeCodeOfAPage) {
  const std::string code = "<!--<script></script><script>alert(1)</script><img src=x onerror=alert(2)>";
  std::string text = scenario("dir = \"page\"");
  for (const char* name : {"\"in\"", "\"out\"", "\"door\""}) {
    for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + code.size())) {
      text.replace(at, std::strlen(name), "\"" + (code + name[1]) + "\"");
    }
  }
  w.write("out/run.toml", text + "[[line]]\nid = \"" + code + "\"\nfrom = [5, 0]\nto = [5, 8]\n");
  const Outcome outcome = w.wend("simulate out/run.toml -o out/run.sqlite");
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const std::string page = w.text("out/page/index.html");
  EXPECT_NE(page.find("alert(1)"), std::string::npos);
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_EQ(page.find("<!--<"), std::string::npos);
  EXPECT_EQ(page.find("<img"), std::string::npos);
}

TEST(Inputs, AreNotOverwrittenByAnyCommand) {
  const Workshop w;
  w.write("a.wkt", "POLYGON ((0 0, 12 0, 12 8, 0 8, 0 0))");
  ASSERT_EQ(w.wend("make s01 --3d -o a.obj").exit, 0);
  const std::string scene = w.text("a.obj");
  for (const char* arguments : {"prisms a.obj -o a.obj", "volumes a.obj -o a.wvol --project a.obj",
                                "volumes a.obj -o ./a.obj", "extract a.obj -o a.obj"}) {
    const Outcome outcome = w.wend(arguments);
    EXPECT_EQ(outcome.exit, 1) << arguments;
    EXPECT_NE(outcome.err.find("is the input"), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(w.text("a.obj"), scene);
  EXPECT_EQ(w.wend("select a.wkt --try delaunay --shortlist a.wkt").exit, 1);
  EXPECT_EQ(w.text("a.wkt").substr(0, 7), "POLYGON");
}

}  // namespace
