#include "tests/apps/program.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/apps/room.h"

namespace {

using Json = nlohmann::json;

TEST(Program, WholeFlowFromPlanToPicture) {
  const Workshop w;
  w.write("room.wkt", kRoom);
  EXPECT_EQ(w.wend("check room.wkt").exit, 0);
  const Outcome bake = w.wend("bake room.wkt -o room.wend --check");
  ASSERT_EQ(bake.exit, 0) << bake.err;
  EXPECT_TRUE(contains(bake.out, "56.00 m2")) << bake.out;
  EXPECT_EQ(w.wend("check room.wend --against room.wkt").exit, 0);
  const Outcome path = w.wend("path room.wend --from 1,3 --to 9,3 --json");
  ASSERT_EQ(path.exit, 0) << path.err;
  const Json route = Json::parse(path.out);
  // Round one corner pair of the pillar: 1,3 -> 4,2 -> 6,2 -> 9,3.
  EXPECT_NEAR(route["length"].get<double>(), 2 + 2 * std::sqrt(10.0), 1e-9);
  EXPECT_EQ(route["points"].size(), 4U);
  ASSERT_EQ(w.wend("draw room.wend -o room.svg --route 1,3:9,3").exit, 0);
  EXPECT_TRUE(contains(w.text("room.svg"), "</svg>"));
  ASSERT_EQ(w.wend("draw room.wkt -o plan.svg").exit, 0);
  EXPECT_EQ(w.wend("info room.wkt").exit, 0);
  EXPECT_EQ(w.wend("info room.wend").exit, 0);
}

TEST(Program, StoreysFromMakeToStackedPicture) {
  const Workshop w;
  ASSERT_EQ(w.wend("make station -o s.env").exit, 0);
  ASSERT_EQ(w.wend("bake s.env -o s.wend -g delaunay").exit, 0);
  EXPECT_EQ(w.wend("check s.env").exit, 0);
  EXPECT_EQ(w.wend("check s.wend --against s.env").exit, 0);
  EXPECT_EQ(w.wend("draw s.wend -o s.svg --layers stacked").exit, 0);
  EXPECT_EQ(w.wend("draw s.env -o e.svg").exit, 0);
}

TEST(Program, EveryCommandHelpsWithAnExample) {
  const Workshop w;
  EXPECT_EQ(w.wend("--help").exit, 0);
  EXPECT_TRUE(contains(w.wend("--version").out, "wend "));
  for (const char* command :
       {"make", "extract", "bake", "info", "check", "draw", "path", "generators", "measure", "compare", "select"}) {
    const Outcome help = w.wend(std::string(command) + " --help");
    EXPECT_EQ(help.exit, 0) << command;
    EXPECT_TRUE(contains(help.out, "Example")) << command;
    EXPECT_TRUE(contains(help.out, "--json")) << command;
  }
}

TEST(Program, JsonIsOneObjectOnStandardOutput) {
  const Workshop w;
  w.write("room.wkt", kRoom);
  for (const std::string arguments :
       {"make maze --size 8 -o m.env", "bake room.wkt -o r.wend", "info room.wkt", "info r.wend", "check room.wkt",
        "check r.wend", "draw r.wend -o r.svg", "path r.wend --from 1,1 --to 9,5", "generators", "make --list"}) {
    const Outcome outcome = w.wend(arguments + " --json");
    EXPECT_EQ(outcome.exit, 0) << arguments << outcome.err;
    const Json object = Json::parse(outcome.out, nullptr, false);
    ASSERT_TRUE(object.is_object()) << arguments << outcome.out;
    EXPECT_EQ(object["ok"], true) << arguments;
  }
  const Outcome failed = w.wend("info nothing.wkt --json");
  EXPECT_EQ(failed.exit, 1);
  EXPECT_EQ(Json::parse(failed.out)["error"], "file-not-found");
}

TEST(Program, JsonTellsWhyThereIsNoRoute) {
  const Workshop w;
  w.write("two.wkt", "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 1, 0 0)), ((5 0, 6 0, 6 1, 5 1, 5 0)))");
  ASSERT_EQ(w.wend("bake two.wkt -o two.wend").exit, 0);
  ASSERT_EQ(w.wend("bake two.wkt --generator ecm -o ecm.wend").exit, 0);
  const auto errorOf = [&](const std::string& arguments) {
    const Outcome outcome = w.wend(arguments + " --json");
    EXPECT_EQ(outcome.exit, 1) << arguments;
    return Json::parse(outcome.out)["error"].get<std::string>();
  };
  for (const std::string mesh : {"two.wend", "ecm.wend"}) {
    EXPECT_EQ(errorOf("path " + mesh + " --from 0.5,0.5 --to 3,0.5"), "not-on-mesh");
    EXPECT_EQ(errorOf("path " + mesh + " --from 0.5,0.5 --to 5.5,0.5"), "no-way");
    EXPECT_EQ(errorOf("path " + mesh + " --from 0.1,0.5 --to 0.5,0.5 --radius 0.3"), "too-narrow");
    EXPECT_EQ(errorOf("draw " + mesh + " --route 0.5,0.5:5.5,0.5 -o x.svg"), "no-way");
  }
}

TEST(Program, SameSeedSameBytesForAnyThreads) {
  const Workshop w;
  ASSERT_EQ(w.wend("make big-city -o a.env --seed 5").exit, 0);
  ASSERT_EQ(w.wend("make big-city -o b.env --seed 5").exit, 0);
  EXPECT_EQ(w.text("a.env"), w.text("b.env"));
  ASSERT_EQ(w.wend("bake a.env -o a.wend --threads 1").exit, 0);
  ASSERT_EQ(w.wend("bake a.env -o b.wend --threads 4").exit, 0);
  EXPECT_EQ(w.text("a.wend"), w.text("b.wend"));
}

TEST(Program, AMeshOfAnotherWorldIsFoundOut) {
  const Workshop w;
  w.write("room.wkt", kRoom);
  w.write("other.wkt", "POLYGON ((0 0, 10 0, 10 6, 0 6, 0 0), (4 2, 4 4, 5 4, 5 2, 4 2))");
  ASSERT_EQ(w.wend("bake room.wkt -o r.wend").exit, 0);
  const Outcome outcome = w.wend("check r.wend --against other.wkt");
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_TRUE(contains(outcome.out, "fault")) << outcome.out;
}

TEST(Program, BatchQueriesAnswerInOrder) {
  const Workshop w;
  w.write("room.wkt", kRoom);
  ASSERT_EQ(w.wend("bake room.wkt -o r.wend").exit, 0);
  w.write("q.csv", "from_x,from_y,to_x,to_y,note\n1,1,2,1,a\n1,3,5,3,in the pillar\n-5,0,1,1,outside\n\n1,3,9,3,b\n");
  const Outcome outcome = w.wend("path r.wend --queries q.csv -o a.csv");
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const std::string csv = w.text("a.csv");
  EXPECT_TRUE(contains(csv, "0,found,1,")) << csv;
  EXPECT_TRUE(contains(csv, "1,goal-off-mesh,")) << csv;
  EXPECT_TRUE(contains(csv, "2,start-off-mesh,")) << csv;
  EXPECT_TRUE(contains(csv, "3,found,8.32455532033")) << csv;
  EXPECT_TRUE(contains(outcome.err, "4 queries, 2 found"));
}

// One clear sentence, the right exit code, and nothing half written.
struct BadCase {
  const char* name;
  const char* arguments;
  int exit;
  const char* says;
};

void PrintTo(const BadCase& bad, std::ostream* out) {
  *out << bad.arguments;
}

class BadInput : public testing::TestWithParam<BadCase> {};

TEST_P(BadInput, OneSentenceAndNoDebris) {
  const Workshop w;
  w.write("room.wkt", kRoom);
  w.write("two.wkt", "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 1, 0 0)), ((5 0, 6 0, 6 1, 5 1, 5 0)))");
  w.write("junk.bin", std::string("\x7f\x45\x4c\x46\x00\x01", 6));
  w.write("empty.wkt", "GEOMETRYCOLLECTION EMPTY");
  w.write("nothing", "");
  w.write("nan.wkt", "POLYGON ((0 0, nan 0, 1 1, 0 0))");
  w.write("far.wkt", "POLYGON ((0 0, 1e9 0, 1 1, 0 0))");
  w.write("line.wkt", "POLYGON ((0 0, 1 0, 2 0, 0 0))");
  w.write("q.csv", "from_x,from_y,to_x,to_y\n1,1,2,zwei\n");
  w.write("h.csv", "x,y\n1,1\n");
  ASSERT_EQ(w.wend("bake room.wkt -o room.wend").exit, 0);
  ASSERT_EQ(w.wend("bake two.wkt -o two.wend").exit, 0);
  w.write("cut.wend", w.text("room.wend").substr(0, 200));
  const size_t before = w.files();

  const Outcome outcome = w.wend(GetParam().arguments);
  EXPECT_EQ(outcome.exit, GetParam().exit) << outcome.out << outcome.err;
  EXPECT_TRUE(contains(outcome.err, GetParam().says)) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_EQ(w.files(), before) << "something was left behind";
}

INSTANTIATE_TEST_SUITE_P(
    Program, BadInput,
    testing::Values(BadCase{"MissingFile", "bake none.env -o x.wend", 1, "none.env"},
                    BadCase{"Folder", "info .", 1, "folder"},
                    BadCase{"Foreign", "bake junk.bin -o x.wend", 1, "junk.bin"},
                    BadCase{"EmptyFile", "info nothing", 1, "nothing"},
                    BadCase{"EmptyWorld", "bake empty.wkt -o x.wend", 1, "empty.wkt"},
                    BadCase{"NoArea", "bake line.wkt -o x.wend", 1, "line.wkt"},
                    BadCase{"NotANumber", "bake nan.wkt -o x.wend", 1, "nan.wkt"},
                    BadCase{"BeyondTheLattice", "bake far.wkt -o x.wend", 1, "lattice"},
                    BadCase{"NoFolderToWriteTo", "bake room.wkt -o no/such/x.wend", 1, "no/such"},
                    BadCase{"FullDisk", "bake room.wkt -o /dev/full", 1, "/dev/full"},
                    BadCase{"TruncatedMesh", "info cut.wend", 1, "cut.wend"},
                    BadCase{"EnvironmentAsMesh", "path room.wkt --from 1,1 --to 2,2", 1, "bake it first"},
                    BadCase{"StartInObstacle", "path room.wend --from 5,3 --to 1,1", 1, "start"},
                    BadCase{"GoalOutside", "path room.wend --from 1,1 --to 50,50", 1, "goal"},
                    BadCase{"Unreachable", "path two.wend --from 0.5,0.5 --to 5.5,0.5", 1, "no way"},
                    BadCase{"Radius", "path room.wend --from 1,1 --to 2,2 --radius 3", 1, "radius"},
                    BadCase{"NegativeRadius", "path room.wend --from 1,1 --to 2,2 --radius -1", 2, "radius"},
                    BadCase{"NanPlace", "path room.wend --from nan,1 --to 2,2", 2, "nan,1"},
                    BadCase{"HalfAPlace", "path room.wend --from 1 --to 2,2", 2, "not a place"},
                    BadCase{"NoQuery", "path room.wend", 2, "--from"},
                    BadCase{"BadCsv", "path room.wend --queries q.csv", 1, "line 2"},
                    BadCase{"BadCsvHeader", "path room.wend --queries h.csv", 1, "from_x"},
                    BadCase{"UnknownGenerator", "bake room.wkt -o x.wend -g nope", 2, "nope"},
                    BadCase{"UnknownChoice", "bake room.wkt -g hertel-mehlhorn -o x.wend --order nope", 2, "nope"},
                    BadCase{"UnknownKind", "make nope -o x.env", 2, "nope"},
                    BadCase{"SizeOutOfRange", "make maze --size 7 -o x.env", 2, "size"},
                    BadCase{"UnknownCommand", "fly", 2, "fly"},
                    BadCase{"UnknownOption", "info room.wkt --nope", 2, "nope"}, BadCase{"NoCommand", "", 2, "--help"},
                    BadCase{"UnitOutOfRange", "info room.wkt --unit 0", 2, "unit"},
                    BadCase{"RouteOnPlan", "draw room.wkt -o x.svg --route 1,1:2,2", 2, "bake"},
                    BadCase{"ViewOfAPlan", "draw room.wkt -o x.svg --view oblique", 2, "--layers stacked"},
                    BadCase{"CeilingOfAMesh", "draw room.wend -o x.svg --ceiling 1.5", 2, "--layers stacked"},
                    BadCase{"RouteGarbled", "draw room.wend -o x.svg --route 1,1", 2, "route"},
                    BadCase{"PictureThatIsNone", "draw room.wkt -o x.png", 2, ".svg"},
                    BadCase{"NanRadius", "path room.wend --from 1,1 --to 2,2 --radius nan", 2, "'nan' is not a number"},
                    BadCase{"SceneAsWorld", "make house -o x.env", 2, "add --3d"},
                    BadCase{"WorldAsScene", "make --3d maze -o x.glb", 2, "leave out --3d"},
                    BadCase{"UnknownOutput", "extract none.obj -o x.svg", 2, ".geojson"},
                    BadCase{"AgainstAPlan", "check room.wkt --against room.wkt", 2, "not a world"}),
    [](const testing::TestParamInfo<BadCase>& bad) { return bad.param.name; });

}  // namespace
