#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/apps/program.h"

// Range images, adaptive grids and next-hop tables as a user meets them.
namespace {

using Json = nlohmann::json;

TEST(ImageProgram, FromAPictureToARouteByTable) {
  const Workshop w;
  ASSERT_EQ(w.wend("make grid-city --size 200 --lidar 1 -o city.png").exit, 0);
  const Outcome extracted =
      w.wend("extract city.png --height-scale 0.01 --no-data 0 --lidar --window 31 --steps steps -o city.env --json");
  ASSERT_EQ(extracted.exit, 0) << extracted.err;
  const Json report = Json::parse(extracted.out);
  EXPECT_EQ(report["components"], 1);
  EXPECT_EQ(report["image"]["width"], 200);
  EXPECT_GT(report["image"]["no_return"], 0);
  EXPECT_EQ(w.shell("ls steps/7-navigable.png steps/1-heights.png").exit, 0);
  ASSERT_EQ(w.wend("bake city.png --range --height-scale 0.01 --no-data 0 --lidar --window 31 -g adaptive-grid "
                   "--seed-period 32 --check -o city.wend")
                .exit,
            0);
  EXPECT_EQ(w.wend("check city.wend").exit, 0);
  EXPECT_NE(w.wend("path city.wend --table --from 1,1 --to 199,199").exit, 0);  // no table yet
  ASSERT_EQ(w.wend("table city.wend --goal 199,199 -o city.wend").exit, 0);
  const Outcome path = w.wend("path city.wend --table --from 1,1 --to 199,199 --json");
  ASSERT_EQ(path.exit, 0) << path.err;
  const double byTable = Json::parse(path.out)["length"];
  const Outcome best = w.wend("path city.wend --from 1,1 --to 199,199 --json");
  ASSERT_EQ(best.exit, 0) << best.err;
  EXPECT_GE(byTable, Json::parse(best.out)["length"].get<double>() - 1e-6);
  EXPECT_LT(byTable, 2 * Json::parse(best.out)["length"].get<double>());
  EXPECT_NE(w.wend("path city.wend --table --from 1,1 --to 1,199").exit, 0);  // no goal of the table
}

TEST(ImageProgram, WrongUseIsASentence) {
  const Workshop w;
  w.write("plan.wkt", "POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0))");
  const Outcome plan = w.wend("bake plan.wkt --lidar -o plan.wend");
  EXPECT_NE(plan.exit, 0);
  EXPECT_NE(plan.err.find("--lidar"), std::string::npos);
  w.write("cut.tif", std::string("II\x2a\0\x08\0\0\0", 8));
  const Outcome cut = w.wend("extract cut.tif -o cut.env");
  EXPECT_NE(cut.exit, 0);
  EXPECT_FALSE(cut.err.empty());
  EXPECT_NE(w.wend("make maze -o maze.png").exit, 0);
}

TEST(ImageProgram, SceneSeenFromAbove) {
  const Workshop w;
  w.write("boxes.obj",
          "v 0 0 0\nv 40 0 0\nv 40 0 -30\nv 0 0 -30\nf 1 2 3 4\n"
          "v 10 8 -10\nv 20 8 -10\nv 20 8 -20\nv 10 8 -20\nf 5 6 7 8\n"
          "v 30 2 -10\nv 31 2 -10\nv 31 2 -11\nv 30 2 -11\nf 9 10 11 12\n");
  const Outcome out = w.wend("extract boxes.obj --top-view --view-pixel 0.5 --omit-smaller 2 -o boxes.env --json");
  ASSERT_EQ(out.exit, 0) << out.err;
  const Json report = Json::parse(out.out);
  EXPECT_EQ(report["boundaries"], 2);
  EXPECT_NE(w.text("boxes.env").find("object"), std::string::npos);
}

// Benches that the picture leaves out are no obstacles of the mesh, and persons walk around them.
TEST(ImageProgram, PersonsWalkAroundWhatWasLeftOut) {
  const Workshop w;
  // A square with a bench of 0.5 x 3 m, and above the way a lamp at a height of 4 m.
  w.write("square.obj",
          "v 0 0 0\nv 40 0 0\nv 40 0 -20\nv 0 0 -20\nf 1 2 3 4\n"
          "v 20 0.5 -8.5\nv 20.5 0.5 -8.5\nv 20.5 0.5 -11.5\nv 20 0.5 -11.5\nf 5 6 7 8\n"
          "v 30 4 -9\nv 31 4 -9\nv 31 4 -11\nv 30 4 -11\nf 9 10 11 12\n");
  const Outcome out = w.wend("extract square.obj --top-view --omit-smaller 4 -o square.env --json");
  ASSERT_EQ(out.exit, 0) << out.err;
  EXPECT_EQ(Json::parse(out.out)["boundaries"], 1);
  const auto scenario = [](const std::string& more) {
    return "format = 1\nenvironment = \"square.env\"\nmesh = \"adaptive-grid pixel=0.5\"\n" + more +
           "[profile.p]\nfree_speed = 1.3\n"
           "[[source]]\nid = \"s\"\npoints = [[2, 10]]\njourney = \"j\"\n"
           "[[stage]]\nid = \"out\"\nkind = \"exit\"\narea = [[37, 9], [39, 9], [39, 11], [37, 11]]\n"
           "[[journey]]\nid = \"j\"\nstages = [\"out\"]\n";
  };
  w.write("around.toml", scenario(""));
  w.write("through.toml", scenario("local_obstacles = []\n"));
  const auto secondsOf = [&](const std::string& name) {
    const Outcome run = w.wend("simulate " + name + " --json -o run.sqlite --force");
    EXPECT_EQ(run.exit, 0) << run.err;
    return Json::parse(run.out)["time"].get<double>();
  };
  EXPECT_GT(secondsOf("around.toml"), secondsOf("through.toml"));
}

TEST(ImageProgram, SweepOfGrids) {
  const Workshop w;
  const Outcome out = w.wend("compare --suite grids --cities 1 --pixels 96 -o sweep --json");
  ASSERT_EQ(out.exit, 0) << out.err;
  const Json report = Json::parse(out.out);
  EXPECT_EQ(report["grids"], 132);
  EXPECT_GE(report["rows"].size(), 133U);
  EXPECT_NE(w.text("sweep/index.html").find("<svg"), std::string::npos);
}

}  // namespace
