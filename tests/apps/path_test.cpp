#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "tests/apps/outcome_json.h"
#include "tests/apps/program.h"
#include "tests/apps/room.h"

// Every kind of query of `wend path`, on the default mesh and on another one.
namespace {

using Json = nlohmann::json;

// Two rooms of 4 x 6 m, joined by a passage of 1 m: x from 4 to 5, y from 2 to 3.
constexpr const char* kTwoRooms = "POLYGON ((0 0, 4 0, 4 2, 5 2, 5 0, 9 0, 9 6, 5 6, 5 3, 4 3, 4 6, 0 6, 0 0))";

class PathQueries : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    w.write("rooms.wkt", kTwoRooms);
    ASSERT_EQ(w.wend(std::string("bake rooms.wkt -o rooms.wend --generator ") + GetParam()).exit, 0);
  }
  Json ask(const std::string& arguments, int exit = 0) const {
    const Outcome outcome = w.wend("path rooms.wend --json " + arguments);
    EXPECT_EQ(outcome.exit, exit) << arguments << ": " << outcome.err;
    Json object = jsonOf(outcome);
    EXPECT_TRUE(object.is_object()) << arguments << ": " << outcome.out;
    EXPECT_EQ(object.value("ok", false), exit == 0) << arguments;
    return object;
  }
  static void expectPlace(const Json& place, double x, double y) {
    ASSERT_TRUE(place.is_array() && place.size() >= 2) << place;
    EXPECT_NEAR(place[0].get<double>(), x, 1e-4);
    EXPECT_NEAR(place[1].get<double>(), y, 1e-4);
  }
  const Workshop w;
};

TEST_P(PathQueries, SnapMovesTheEnds) {
  const Json refused = ask("--from -0.5,1 --to 8,1", 1);
  EXPECT_EQ(refused["error"], "not-on-mesh");
  EXPECT_EQ(refused["reason"], "off-mesh");
  EXPECT_EQ(refused["end"], "start");
  EXPECT_NEAR(refused["distance"].get<double>(), 0.5, 1e-4);
  const Json route = ask("--from -0.5,1 --to 8,0.1 --radius 0.3 --snap 1");
  EXPECT_NEAR(route["start_moved"].get<double>(), 0.8, 1e-4);
  EXPECT_NEAR(route["goal_moved"].get<double>(), 0.2, 1e-4);
  expectPlace(route["points"].front(), 0.3, 1);
  expectPlace(route["points"].back(), 8, 0.3);
}

TEST_P(PathQueries, PartialLeadsToTheNearestPlace) {
  const Json refused = ask("--from 1,2.5 --to 8,2.5 --radius 0.6", 1);
  EXPECT_EQ(refused["reason"], "too-narrow");
  EXPECT_NEAR(refused["width"].get<double>(), 1, 1e-4);
  const Json route = ask("--from 1,2.5 --to 8,2.5 --radius 0.6 --partial");
  EXPECT_EQ(route["partial"], true);
  // As far into the passage as the disk fits between its corners.
  const double x = 4 - std::sqrt(0.36 - 0.25);
  EXPECT_NEAR(route["missing"].get<double>(), 8 - x, 1e-3);
  expectPlace(Json::array({route["points"].back()[0], 2.5}), x, 2.5);
}

TEST_P(PathQueries, ReasonsAreToldApart) {
  EXPECT_EQ(ask("--from 0.1,1 --to 2,2 --radius 0.3", 1)["reason"], "too-near-wall");
  EXPECT_EQ(ask("--from 1,1 --to 20,2", 1)["end"], "goal");
  w.write("apart.wkt", "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 1, 0 0)), ((5 0, 6 0, 6 1, 5 1, 5 0)))");
  ASSERT_EQ(w.wend(std::string("bake apart.wkt -o apart.wend --generator ") + GetParam()).exit, 0);
  const Outcome apart = w.wend("path apart.wend --from 0.5,0.5 --to 5.5,0.5 --json");
  EXPECT_EQ(apart.exit, 1);
  EXPECT_EQ(jsonOf(apart)["reason"], "not-connected");
  const Outcome words = w.wend("path rooms.wend --from 1,2.5 --to 8,2.5 --radius 0.6");
  EXPECT_EQ(words.exit, 1);
  EXPECT_TRUE(contains(words.err, "1.0000 m wide")) << words.err;
}

TEST_P(PathQueries, RayAndSlide) {
  const Json free = ask("--from 1,2.5 --to 8,2.5 --ray");
  EXPECT_EQ(free["hit"], false);
  expectPlace(free["place"], 8, 2.5);
  const Json ray = ask("--from 1,1 --to 8,1 --ray");
  EXPECT_EQ(ray["hit"], true);
  EXPECT_NEAR(ray["distance"].get<double>(), 3, 1e-6);
  expectPlace(ray["contact"], 4, 1);
  expectPlace(ray["normal"], -1, 0);
  EXPECT_NEAR(ask("--from 1,1 --to 8,1 --ray --radius 0.3")["distance"].get<double>(), 2.7, 1e-6);
  const Json slide = ask("--from 1,1 --to 8,2.4 --slide");
  expectPlace(slide["place"], 8, 2.4);
}

TEST_P(PathQueries, PlacesAndWalls) {
  const Json nearest = ask("--from -1,3 --nearest --radius 0.3 --reach 5");
  expectPlace(nearest["place"], 0.3, 3);
  EXPECT_NEAR(nearest["moved"].get<double>(), 1.3, 1e-4);
  ask("--from -10,3 --nearest --reach 5", 1);
  const Json wall = ask("--from 1,3 --wall");
  EXPECT_NEAR(wall["distance"].get<double>(), 1, 1e-6);
  expectPlace(wall["direction"], -1, 0);
  const Json random = ask("--from 1,3 --random --range 0.5 --seed 3");
  EXPECT_LE(std::hypot(random["place"][0].get<double>() - 1, random["place"][1].get<double>() - 3), 0.5);
  EXPECT_EQ(ask("--from 1,3 --random --range 0.5 --seed 3"), random);
}

TEST_P(PathQueries, LengthsAndCellsWithinADistance) {
  const double length = ask("--from 1,1 --to 8,1")["length"].get<double>();
  EXPECT_NEAR(length, 1 + 2 * std::sqrt(10.0), 1e-6);
  EXPECT_NEAR(ask("--from 1,1 --to 8,1 --cost")["length"].get<double>(), length, 1e-9);
  const Json within = ask("--from 1,1 --within 100");
  EXPECT_NEAR(within["area"].get<double>(), 49, 1e-3);
  EXPECT_EQ(within["cells"].get<size_t>(), within["reached"].size());
}

// One line per query, in order, whatever the threads; also where the first has no answer.
TEST_P(PathQueries, BatchesOfEveryKind) {
  std::string csv = "from_x,from_y,to_x,to_y,radius\n-50,1,8,1,0\n";
  for (int i = 0; i < 300; ++i) {
    csv += std::to_string(0.5 + 0.01 * i) + ",1," + std::to_string(8.5 - 0.01 * i) + ",1.5,0." + std::to_string(i % 4) +
           "\n";
  }
  w.write("q.csv", csv);
  for (const std::string kind : {"", "--ray", "--slide", "--nearest", "--wall", "--random", "--cost", "--within 3"}) {
    const std::string command = "path rooms.wend --queries q.csv " + kind;
    ASSERT_EQ(w.wend(command + " --threads 1 -o one.csv").exit, 0) << kind;
    ASSERT_EQ(w.wend(command + " --threads 4 -o four.csv").exit, 0) << kind;
    const std::string one = w.text("one.csv");
    EXPECT_EQ(std::count(one.begin(), one.end(), '\n'), 302) << kind;
    const auto columns = [](const std::string& line) { return std::count(line.begin(), line.end(), ','); };
    size_t begin = 0;
    const auto header = columns(one.substr(0, one.find('\n')));
    for (size_t end = 0; (end = one.find('\n', begin)) != std::string::npos; begin = end + 1) {
      ASSERT_EQ(columns(one.substr(begin, end - begin)), header) << kind << ": " << one.substr(begin, end - begin);
    }
    if (!kind.empty()) {  // routes have a column with their time
      EXPECT_EQ(one, w.text("four.csv")) << kind;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Meshes, PathQueries, testing::Values("ecm", "hertel-mehlhorn"),
                         [](const auto& mesh) { return std::string(mesh.param) == "ecm" ? "Ecm" : "HertelMehlhorn"; });

}  // namespace
