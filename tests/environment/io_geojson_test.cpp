#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/environment/hand_made.h"
#include "tests/environment/io_reading.h"

namespace wend {
namespace {

constexpr const char* kTriangle = R"({"type":"Polygon","coordinates":[[[0,0],[4,0],[4,4],[0,0]]]})";

std::string feature(std::string_view properties, std::string_view geometry = kTriangle) {
  return fmt::format(R"({{"type":"Feature","properties":{},"geometry":{}}})", properties, geometry);
}
std::string collection(std::string_view features) {
  return fmt::format(R"({{"type":"FeatureCollection","features":[{}]}})", features);
}

TEST(GeoJson, GeometriesOfEveryKind) {
  for (const auto& [text, polygons] : std::vector<std::pair<std::string, size_t>>{
           {kTriangle, 1},
           {R"({"coordinates":[[[0,0],[4,0],[4,4]],[[1,1],[2,1],[2,2]]],"type":"Polygon"})", 1},
           {R"({"type":"MultiPolygon","coordinates":[[[[0,0,9],[4,0,9],[4,4,9]]],[[[5,5],[6,5],[6,6]]]]})", 2},
           {R"({"type":"MultiPolygon","coordinates":[]})", 0},
           {R"({"type":"Polygon","coordinates":[]})", 0},
           {R"({"type":"MultiPolygon","coordinates":[[],[[]],[[[0,0],[4,0],[4,4]]]]})", 1},
           {fmt::format(R"({{"type":"GeometryCollection","geometries":[{0},{0}]}})", kTriangle), 2},
           {feature("{}"), 1},
           {feature("null"), 1},
           {feature("{}", "null"), 0},
           {collection(feature("{}") + "," + feature(R"({"role":null,"name":"x","deep":{"layer":7}})")), 2},
           {collection(""), 0},
       }) {
    const auto draft = draftOf(readGeoJson, text);
    ASSERT_TRUE(draft.ok()) << text << draft.error().message;
    ASSERT_EQ(draft->layers.size(), 1U) << text;
    EXPECT_EQ(draft->layers[0].id, 0);
    EXPECT_EQ(draft->layers[0].walkable.size(), polygons) << text;
  }
}

TEST(GeoJson, PropertiesPlaceAFeature) {
  const auto draft = draftOf(readGeoJson, collection(feature(R"({"layer":2,"height":3.5,"layerName":"up"})") + "," +
                                                     feature(R"({"layer":0,"role":"obstacle"})") + "," +
                                                     feature(R"({"layer":2,"role":"opening"})") + "," +
                                                     feature(R"({"layer":2.0,"role":"region","label":"grass"})") + "," +
                                                     feature(R"({"role":"connection","layer":2,"to":0})",
                                                             R"({"type":"LineString","coordinates":[[0,0],[4,0]]})")));
  ASSERT_TRUE(draft.ok()) << draft.error().message;
  ASSERT_EQ(draft->layers.size(), 2U);
  const LayerDraft& up = draft->layers[0];
  EXPECT_EQ(up.id, 2);
  EXPECT_EQ(up.name, "up");
  EXPECT_EQ(up.height, 3.5);
  EXPECT_EQ(up.walkable.size(), 1U);
  EXPECT_EQ(up.openings.size(), 1U);
  ASSERT_EQ(up.regions.size(), 1U);
  EXPECT_EQ(up.regions[0].label, "grass");
  EXPECT_EQ(draft->layers[1].obstacles.size(), 1U);
  ASSERT_EQ(draft->connections.size(), 1U);
  EXPECT_EQ(draft->connections[0].layerA, 2);
  EXPECT_EQ(draft->connections[0].layerB, 0);
}

TEST(GeoJson, MembersInAnyOrderAndTwice) {
  const auto draft = draftOf(readGeoJson, R"({"features":[{"geometry":{"coordinates":[[[9,9]]],"coordinates":
      [[[0,0],[4,0],[4,4]]],"type":"Polygon"},"properties":{"layer":5},"type":"Feature"}],"unit":0.5,"name":"x",
      "bbox":[0,0,4,4],"crs":{"type":"name","coordinates":[1]},"type":"FeatureCollection"})");
  ASSERT_TRUE(draft.ok()) << draft.error().message;
  EXPECT_EQ(draft->layers[0].id, 5);
  EXPECT_EQ(draft->layers[0].walkable[0], (Loops{{{0, 0}, {4, 0}, {4, 4}}}));
  EXPECT_EQ(draft->lattice.unit, 0.5);
  EXPECT_EQ(draft->name, "x");
}

TEST(GeoJson, BadTextIsExplained) {
  for (const auto& [text, part] : std::vector<std::pair<std::string, std::string>>{
           {"", "no valid JSON"},
           {"{", "no valid JSON"},
           {"{\n\"a\":\n1e999}", "no valid JSON"},
           {std::string(kTriangle) + " x", "no valid JSON"},
           {"[]", "the text is a list"},
           {"7", "a single value"},
           {"{}", "without a \"type\""},
           {R"({"type":"Polygon"})", "without \"coordinates\""},
           {R"({"type":"Point","coordinates":[1,2]})", "'Point' is not an area"},
           {R"({"type":"LineString","coordinates":[[1,2],[3,4]]})", "LineString is not an area"},
           {R"({"type":"Polygon","coordinates":[[[0,0],[4,0]]]})", "fewer than three"},
           {R"({"type":"Polygon","coordinates":[[0,0],[4,0],[4,4]]})", "nested 3 deep"},
           {R"({"type":"Polygon","coordinates":[[[0,0],[4],[4,4]]]})", "one coordinate"},
           {R"({"type":"Polygon","coordinates":[[[0,0],[4,null],[4,4]]]})", "not a number"},
           {R"({"type":"Polygon","coordinates":[[[0,0],[4,"x"],[4,4]]]})", "not a number"},
           {R"({"type":"Polygon","coordinates":[[[0,[0]],[4,0],[4,4]]]})", "mixes"},
           {R"({"type":"Polygon","coordinates":[[[0,0],{},[4,4]]]})", "an object among"},
           {R"({"type":"Polygon","coordinates":[[[0,0],[1e12,0],[4,4]]]})", "beyond the lattice"},
           {R"({"type":"Polygon","coordinates":[[[[0,0]],[4,0]]]})", "different depths"},
           {feature(R"({"layer":"ground"})"), "\"layer\" must be an integer"},
           {feature(R"({"layer":1.5})"), "\"layer\" must be an integer"},
           {feature(R"({"layer":3000000000})"), "\"layer\" must be an integer"},
           {feature(R"({"role":"lava"})"), "\"role\" is 'lava'"},
           {feature(R"({"role":"region"})"), "without a \"label\""},
           {feature(R"({"role":"connection","to":1})"), "a connection is a LineString"},
           {feature(R"({"label":"\u0007"})"), "control characters"},
           {feature(R"({"height":"tall"})"), "must be a number"},
           {collection(feature(R"({"height":1})") + "," + feature(R"({"height":2})")),
            "feature 1: layer 0 has two heights"},
           {R"({"type":"FeatureCollection","unit":7,"features":[]})", "\"unit\" must lie"},
       }) {
    const std::string message = complaint(readGeoJson, text);
    EXPECT_TRUE(contains(message, part)) << text << "\n" << message;
  }
}

TEST(GeoJson, DeepNestingIsRefusedWithoutUsingTheStack) {
  for (const std::string open : {"[", "{\"a\":", "[{\"geometry\":", "{\"geometry\":"}) {
    std::string text = "{\"features\":";
    for (int i = 0; i < 300'000; ++i) text += open;
    EXPECT_FALSE(complaint(readGeoJson, text).empty());
  }
  EXPECT_TRUE(contains(complaint(readGeoJson, "{\"coordinates\":" + std::string(1'000'000, '[')), "nested deeper"));
}

TEST(GeoJson, TooManyVerticesAreRefused) {
  ReadSettings settings;
  settings.maxVertices = 3;
  EXPECT_TRUE(contains(complaint(readGeoJson, kTriangle, settings), "more than 3 vertices"));
}

TEST(GeoJson, Writing) {
  Environment environment = twoRooms();
  environment.lattice.unit = 1;
  environment.name = "say \"hi\" \\";
  environment.layers[0].regions = {{"grass", {{box(0, 0, 5, 5), {}}}}};
  const std::string text = *formatGeoJson(environment);
  EXPECT_TRUE(contains(text, R"("name":"say \"hi\" \\","unit":1,)"));
  EXPECT_TRUE(contains(text, R"({"type":"Feature","properties":{"layer":0,"role":"region","label":"grass"},"geometry":)"
                             R"({"type":"MultiPolygon","coordinates":[[[[0,0],[5,0],[5,5],[0,5],[0,0]]]]}})"));
  const auto draft = draftOf(readGeoJson, text);
  ASSERT_TRUE(draft.ok()) << draft.error().message;
  EXPECT_EQ(draft->name, environment.name);
  ASSERT_EQ(draft->layers.size(), 2U);
  EXPECT_EQ(draft->layers[1].walkable[0][0].size(), 6U);
  ASSERT_EQ(draft->connections.size(), 1U);
  EXPECT_EQ(draft->connections[0].line, (std::vector<Vec2>{{10, 4}, {10, 6}}));
  environment.layers[0].heights = {1, {{0, 0}, {10, 0}, {10, 10}}, {0, 0, 0}, {{0, 1, 2}}};
  EXPECT_EQ(formatGeoJson(environment).error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace wend
