#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/apps/program.h"
#include "tests/apps/room.h"

namespace {

using Json = nlohmann::json;

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Measure, KnownValuesOfARoom) {
  const Workshop w;
  w.write("room.wkt", kRoom);
  ASSERT_EQ(w.wend("bake room.wkt -g delaunay -o room.wend").exit, 0);
  const Outcome outcome = w.wend("measure room.wend --against room.wkt --json");
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const Json m = Json::parse(outcome.out)["metrics"];
  EXPECT_EQ(m["free_area"], 56);
  EXPECT_EQ(m["coverage"], 1);
  EXPECT_EQ(m["incorrect"], 0);
  EXPECT_EQ(m["regions"], 8);
  EXPECT_EQ(m["floats_total"], 72);
  EXPECT_EQ(m["boundaries"], 2);
  EXPECT_EQ(m["path_missed"], 0);
  EXPECT_NEAR(m["path_shortest"].get<double>(), 1, 1e-9);
  EXPECT_EQ(m["radius_wrong"], 0);
  EXPECT_EQ(m["map_missed"], 0);
  // Against a world without the pillar, its ground is missing.
  w.write("hall.wkt", "POLYGON ((0 0, 10 0, 10 6, 0 6, 0 0))");
  const Json hall = Json::parse(w.wend("measure room.wend --against hall.wkt --parts mesh --json").out);
  EXPECT_NEAR(hall["metrics"]["coverage"].get<double>(), 56.0 / 60, 1e-12);
  ASSERT_EQ(hall["defects"].size(), 1U);
  EXPECT_EQ(hall["defects"][0]["kind"], "missing");
  EXPECT_EQ(hall["defects"][0]["size"], 4);
  EXPECT_NEAR(hall["defects"][0]["place"][0].get<double>(), 5, 1);
  EXPECT_TRUE(contains(w.wend("measure room.wend --against hall.wkt --parts mesh").out, "missing at"));
  EXPECT_EQ(w.wend("measure room.wend --against room.wkt --parts beauty").exit, 2);
  EXPECT_EQ(w.wend("measure room.wend --against room.wkt --object-area 0").exit, 2);
  EXPECT_EQ(w.wend("measure room.wkt --against room.wkt").exit, 1);
}

TEST(Compare, WritesTablesPageAndPicturesAndGoesOn) {
  const Workshop w;
  w.write("room.wkt", kRoom);
  ASSERT_EQ(w.wend("make maze --size 8 -o maze.env").exit, 0);
  const std::string command =
      "compare room.wkt maze.env -g delaunay,hertel-mehlhorn --repeat 2 --queries 20 --pixels 16 -o out";
  const Outcome first = w.wend(command);
  ASSERT_EQ(first.exit, 0) << first.err;
  const Json results = Json::parse(w.text("out/results.json"));
  ASSERT_EQ(results["rows"].size(), 4U);
  ASSERT_EQ(results["worlds"].size(), 2U);
  EXPECT_EQ(results["worlds"][1]["area"], 31);
  for (const Json& row : results["rows"]) {
    EXPECT_EQ(row["status"], "ok") << row;
    EXPECT_EQ(row["message"], "") << row;
    EXPECT_EQ(row["metrics"]["coverage"], 1) << row;
    EXPECT_EQ(row["metrics"]["component_error"], 0);
    EXPECT_GT(row["metrics"]["build_ms"].get<double>(), 0);
    EXPECT_GT(row["metrics"]["peak_mb"].get<double>(), 1);
    EXPECT_TRUE(row["metrics"].contains("path_searched"));
    EXPECT_TRUE(row["metrics"].contains("map_error"));
  }
  const std::string csv = w.text("out/results.csv");
  EXPECT_EQ(count(csv, "\n"), 5U);
  EXPECT_EQ(csv.rfind("world,vertices,layers,generator,status,message,free_area,", 0), 0U);
  const std::string page = w.text("out/index.html");
  EXPECT_EQ(count(page, "<figcaption>"), 4U);
  EXPECT_EQ(count(page, "class=\"plot\""), 4U);
  EXPECT_TRUE(contains(page, "class=\"best\""));
  EXPECT_TRUE(contains(page, "What theory says"));
  EXPECT_FALSE(contains(page, "src=")) << "the page needs no other file";
  EXPECT_FALSE(contains(page, "http://") && contains(page, "href=\"http")) << "nor the net";
  EXPECT_FALSE(w.exists("out/work.wend"));
  EXPECT_FALSE(w.exists("out/child.out"));

  // A row that is kept is not made again, one that is lost is.
  std::string kept = w.text("out/rows/room--delaunay.json");
  const size_t at = kept.find("\"message\": \"\"");
  ASSERT_NE(at, std::string::npos);
  kept.replace(at, 13, "\"message\": \"kept\"");
  w.write("out/rows/room--delaunay.json", kept);
  w.write("out/rows/maze--delaunay.json", "{broken");
  ASSERT_EQ(w.wend(command).exit, 0);
  const Json second = Json::parse(w.text("out/results.json"));
  EXPECT_EQ(second["rows"][0]["message"], "kept");
  EXPECT_EQ(second["rows"][2]["metrics"]["coverage"], 1);
  ASSERT_EQ(w.wend(command + " --again").exit, 0);
  EXPECT_EQ(Json::parse(w.text("out/results.json"))["rows"][0]["message"], "");
}

TEST(Compare, ATimeOutOrLackOfMemoryIsARow) {
  const Workshop w;
  ASSERT_EQ(w.wend("make random-boxes --boxes 20000 -o boxes.env").exit, 0);
  const Outcome late = w.wend("compare boxes.env -g delaunay --timeout 0.02 --repeat 1 -o late");
  ASSERT_EQ(late.exit, 0) << late.err;
  EXPECT_EQ(Json::parse(w.text("late/results.json"))["rows"][0]["status"], "timeout");
  EXPECT_TRUE(contains(w.text("late/index.html"), "took more than 0.02 s"));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // with them there is no limit
  const Outcome small = w.wend("compare boxes.env -g delaunay --memory 24 --repeat 1 -o small");
  ASSERT_EQ(small.exit, 0) << small.err;
  EXPECT_EQ(Json::parse(w.text("small/results.json"))["rows"][0]["status"], "out-of-memory");
#endif
}

TEST(Compare, WrongUse) {
  const Workshop w;
  w.write("room.wkt", kRoom);
  EXPECT_EQ(w.wend("compare -o out").exit, 2);
  EXPECT_EQ(w.wend("compare room.wkt").exit, 2);
  EXPECT_EQ(w.wend("compare room.wkt -g magic -o out").exit, 2);
  EXPECT_EQ(w.wend("compare room.wkt --suite magic -o out").exit, 2);
  EXPECT_EQ(w.wend("compare nothing.env -o out").exit, 1);
  EXPECT_EQ(w.wend("compare --suite maps nowhere -o out").exit, 1);
  EXPECT_EQ(w.wend("compare room.wkt -o room.wkt/out").exit, 1);
}

TEST(Compare, AFolderOfMaps) {
  const Workshop w;
  ASSERT_EQ(w.shell("mkdir maps").exit, 0);
  w.write("maps/b.wkt", kRoom);
  w.write("maps/a b.map", "type octile\nheight 2\nwidth 3\nmap\n..@\n...\n");
  const Outcome outcome =
      w.wend("compare --suite maps maps -g delaunay --repeat 1 --queries 0 --pixels 0 -o out --json");
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const Json rows = Json::parse(outcome.out)["rows"];
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0]["world"], "a_b");
  EXPECT_EQ(rows[0]["metrics"]["free_area"], 5);
  EXPECT_FALSE(rows[0]["metrics"].contains("path_searched"));
}

TEST(Select, KeepsTheBest) {
  const Workshop w;
  w.write("room.wkt", kRoom);
  const Outcome outcome = w.wend("select room.wkt --try delaunay --try hertel-mehlhorn -o best.wend --json");
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json["winner"], "hertel-mehlhorn");
  double sum = 0;
  for (const Json& score : json["scores"]) sum += score["points"].get<double>();
  EXPECT_NEAR(sum, 12, 1e-9) << "a point for each of twelve metrics";
  EXPECT_EQ(w.wend("check best.wend --against room.wkt").exit, 0);
  // Another weighting, another winner: the triangles have more neighbours in no case, but more regions.
  const Json flipped = Json::parse(w.wend("select room.wkt --try delaunay --try hertel-mehlhorn --weight "
                                          "placement_total=0 --require 'regions>=8' --json")
                                       .out);
  EXPECT_EQ(flipped["winner"], "delaunay");
  EXPECT_EQ(flipped["decided"], true) << "the other is dropped";
}

// A page for a person to choose from: the best side by side, with pictures and histograms.
TEST(Select, TheShortlistShowsPicturesAndHistograms) {
  const Workshop w;
  w.write("room.wkt", kRoom);
  const Outcome outcome = w.wend(
      "select room.wkt --try delaunay --try hertel-mehlhorn --try pasfv --shortlist choice.html --shortlisted 2");
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const std::string page = w.text("choice.html");
  const auto count = [&](const std::string& what) {
    size_t found = 0;
    for (size_t at = page.find(what); at != std::string::npos; at = page.find(what, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("<h2>"), 2U);
  EXPECT_EQ(count("<svg"), 2 * 5U);  // a picture and four histograms each
  ASSERT_EQ(w.wend("bake room.wkt -g pasfv -o room.wend").exit, 0);
  const std::string text = w.wend("measure room.wend --parts mesh --histograms").out;
  for (const char* title :
       {"Area", "Neighbours of a cell", "Corners of cells at one place", "Smallest angle of a cell"})
    EXPECT_TRUE(contains(text, title)) << title;
}

TEST(Select, SaysWhenNothingFits) {
  const Workshop w;
  w.write("room.wkt", kRoom);
  const Outcome none = w.wend("select room.wkt --require 'regions<=1' -o best.wend");
  EXPECT_EQ(none.exit, 1);
  EXPECT_FALSE(w.exists("best.wend"));
  EXPECT_TRUE(contains(none.out, "dropped")) << none.out;
  EXPECT_EQ(w.wend("select room.wkt --require 'beauty>=1'").exit, 2);
  EXPECT_EQ(w.wend("select room.wkt --require coverage").exit, 2);
  EXPECT_EQ(w.wend("select room.wkt --weight regions=x").exit, 2);
  EXPECT_EQ(w.wend("select room.wkt --try magic").exit, 2);
  EXPECT_EQ(w.wend("select room.wkt --try neogen:optimise").exit, 2);
}

TEST(Select, VariantsAndSeedsThatMakeNoDifferenceCountOnce) {
  const Workshop w;
  w.write("room.wkt", kRoom);
  const Outcome outcome = w.wend("select room.wkt --try delaunay --seeds 5 --weight path_searched=1 --json");
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_EQ(Json::parse(outcome.out)["scores"].size(), 1U);
  EXPECT_EQ(w.wend("select room.wkt --variants --quiet").exit, 0);
}

}  // namespace
