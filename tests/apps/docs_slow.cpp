#include <memory>

#include <gtest/gtest.h>

#include "tests/apps/docs_blocks.h"
#include "tests/apps/program.h"

// The shell blocks of the documents, run as they stand.
namespace {

// The files that the blocks begin with: models, a world, queries, a recording.
void prepare(const Workshop& w) {
  for (const char* folder : {"examples", "tests", "scripts"}) {
    std::filesystem::create_directory_symlink(docs::kRoot / folder, w.path(folder));
  }
  w.write("house.obj", "v 0 0 0\nv 10 0 0\nv 10 10 0\nv 0 10 0\nf 1 2 3 4\n");  // z is up
  w.write("island.obj", "v 0 0 0\nv 0 1 9\nv 9 1 9\nv 9 0 0\nf 1 2 3 4\n");
  w.write(
      "scan.ply",
      "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
      "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n4 0 0\n4 4 0\n0 4 0\n4 0 1 2 3\n");
  w.write("pairs.csv", "from_x,from_y,to_x,to_y,radius\n5,5,495,495,0.3\n5,5,250,5,0.3\n");
  const std::string plan = "POLYGON ((0 0, 12 0, 12 ${4 - width / 2}, 13 ${4 - width / 2}, 13 8, 0 8, 0 0))";
  w.write("SCENARIO.toml", "format = 1\nenvironment = \"" + plan + "\"\nend_time = 30\n[parameters]\nwidth = 1.2\n" +
                               "[[source]]\nid = \"in\"\narea = [[1, 1], [9, 1], [9, 7], [1, 7]]\ncount = 5\n" +
                               "journey = \"out\"\n[[stage]]\nid = \"door\"\nkind = \"exit\"\n" +
                               "area = [[12.4, 5], [13, 5], [13, 8], [12.4, 8]]\n[[journey]]\nid = \"out\"\n" +
                               "stages = [\"door\"]\n[[expect]]\nmetric = \"evacuation_time\"\nmax = 60\n");
  for (const char* command :
       {"make --3d s02 -o level.glb", "make city -o city.env", "make city -o world.env", "bake city.env -o city.wend",
        "make station -o station.env", "simulate SCENARIO.toml -o run.sqlite"}) {
    const Outcome outcome = w.wend(std::string(command) + " --quiet");
    ASSERT_EQ(outcome.exit, 0) << command << ": " << outcome.err;
  }
}

// A server, studies of hours, and runs of minutes that other tests have.
bool isTooLong(const std::string& command) {
  for (const char* part : {"wend view", "--suite study", "agents=4800", "examples/crowd/station.toml", "--matches"}) {
    if (command.find(part) != std::string::npos) return true;
  }
  return false;
}

TEST(DocsSlow, ShellBlocksRun) {
  std::string page;
  std::unique_ptr<Workshop> w;
  size_t run = 0;
  for (const docs::Block& block : docs::blocksOf("sh")) {
    if (block.page != page) {
      w = std::make_unique<Workshop>();
      ASSERT_NO_FATAL_FAILURE(prepare(*w));
      page = block.page;
    }
    for (const std::string& command : docs::commandsIn(block)) {
      if (isTooLong(command)) continue;
      const Outcome outcome = w->wend(command.substr(5));
      // A check of a scene finds its defects.
      const bool isFinding = command.starts_with("wend check level.glb") && outcome.exit == 1;
      EXPECT_TRUE(outcome.exit == 0 || isFinding) << page << ": " << command << "\n" << outcome.err;
      ++run;
    }
  }
  EXPECT_GT(run, 60U);
}

}  // namespace
