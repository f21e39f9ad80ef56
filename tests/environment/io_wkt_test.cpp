#include <wend/file.h>

#include <gtest/gtest.h>

#include "tests/data.h"
#include "tests/environment/hand_made.h"
#include "tests/environment/io_reading.h"

namespace wend {
namespace {

using Loop = std::vector<Vec2>;

TEST(Wkt, Polygon) {
  const auto draft = draftOf(readWkt, "POLYGON ((0 0, 4 0, 4 4, 0 0), (1 1, 2 1, 2 2))");
  ASSERT_TRUE(draft.ok());
  EXPECT_EQ(draft->name, "file");
  ASSERT_EQ(draft->layers.size(), 1U);
  ASSERT_EQ(draft->layers[0].walkable.size(), 1U);
  EXPECT_EQ(draft->layers[0].walkable[0], (Loops{{{0, 0}, {4, 0}, {4, 4}}, {{1, 1}, {2, 1}, {2, 2}}}));
}

TEST(Wkt, AnyCaseAndSpacing) {
  EXPECT_TRUE(draftOf(readWkt, "polygon((0 0,1 0,1 1))").ok());
  EXPECT_TRUE(draftOf(readWkt, "\n MultiPolygon\n(\n((0 0,1 0,1 1)) , ((5 5,6 5,6 6)))\n").ok());
  EXPECT_TRUE(draftOf(readWkt, "POLYGON((0 0,1 0,1 1));POLYGON((0 0,1 0,1 1))\nPOLYGON EMPTY").ok());
}

TEST(Wkt, Collections) {
  const auto draft = draftOf(readWkt,
                             "GEOMETRYCOLLECTION (POLYGON ((0 0,1 0,1 1)), GEOMETRYCOLLECTION EMPTY, MULTIPOLYGON "
                             "(((0 0,1 0,1 1)), EMPTY, ((2 2,3 2,3 3))), POLYGON EMPTY)");
  ASSERT_TRUE(draft.ok());
  EXPECT_EQ(draft->layers[0].walkable.size(), 3U);
}

TEST(Wkt, ExtraNumbersAreIgnoredWithANote) {
  for (const char* const text :
       {"POLYGON Z ((0 0 5, 1 0 5, 1 1 5))", "POLYGONZ((0 0 5,1 0 5,1 1 5))", "POLYGON ZM ((0 0 1 2,1 0 1 2,1 1 1 2))",
        "GEOMETRYCOLLECTION Z (POLYGON Z ((0 0 5,1 0 5,1 1 5)))"}) {
    std::vector<std::string> notes;
    Context context;
    context.onNote = [&](std::string_view note) { notes.emplace_back(note); };
    const auto draft = draftOf(readWkt, text, {}, context);
    ASSERT_TRUE(draft.ok()) << draft.error().message;
    EXPECT_EQ(draft->layers[0].walkable[0][0], (Loop{{0, 0}, {1, 0}, {1, 1}}));
    EXPECT_EQ(notes.size(), 1U);
  }
  EXPECT_TRUE(contains(complaint(readWkt, "POLYGON ((0 0 1 2 3, 1 0, 1 1))"), "expected ',' or ')', but found '3"));
}

TEST(Wkt, ReferenceSystemIsIgnored) {
  EXPECT_TRUE(draftOf(readWkt, "SRID=4326;POLYGON((0 0,1 0,1 1))").ok());
}

TEST(Wkt, Scale) {
  ReadSettings settings;
  settings.scale = 0.01;
  const auto draft = draftOf(readWkt, "POLYGON((0 0,100 0,100 100))", settings);
  ASSERT_TRUE(draft.ok());
  EXPECT_EQ(draft->layers[0].walkable[0][0][1], (Vec2{1, 0}));
}

TEST(Wkt, BadTextIsNamedWithItsLine) {
  EXPECT_EQ(complaint(readWkt, "POLYGON ((0 0,\n1 x, 1 1))"),
            "'folder/file.ext', line 2: expected a coordinate, but found 'x, 1 1))'");
  EXPECT_TRUE(contains(complaint(readWkt, "POLYGON ((0 0, 1 0, nan 1))"), "expected a coordinate"));
  EXPECT_TRUE(contains(complaint(readWkt, "POLYGON ((0 0, 1 0, 1e300 1))"), "beyond the lattice"));
  EXPECT_TRUE(contains(complaint(readWkt, "POLYGON ((0 0, 1 0))"), "fewer than three points"));
  EXPECT_TRUE(contains(complaint(readWkt, "POLYGON ((0 0, 1 0, 1 1)"), "but the text ends"));
  EXPECT_TRUE(contains(complaint(readWkt, "POLYGON"), "but the text ends"));
  EXPECT_TRUE(contains(complaint(readWkt, "POLYGON FOO"), "expected '(' or EMPTY"));
  EXPECT_TRUE(contains(complaint(readWkt, "CIRCULARSTRING (1 2)"), "'CIRCULARSTRING' is neither area"));
  EXPECT_TRUE(contains(complaint(readWkt, "LINESTRING (1 2, 3)"), "coordinate"));
  EXPECT_TRUE(contains(complaint(readWkt, "POLYGON ((0 0, 1 0, 1 1)) ,"), "expected POLYGON"));
  EXPECT_TRUE(contains(complaint(readWkt, ""), "expected POLYGON"));
}

TEST(Wkt, DeepNestingIsRefused) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "GEOMETRYCOLLECTION(";
  EXPECT_TRUE(contains(complaint(readWkt, text), "nested deeper"));
}

TEST(Wkt, TooManyVerticesAreRefused) {
  ReadSettings settings;
  settings.maxVertices = 3;
  EXPECT_TRUE(draftOf(readWkt, "POLYGON ((0 0, 1 0, 1 1))", settings).ok());
  EXPECT_TRUE(contains(complaint(readWkt, "POLYGON ((0 0, 1 0, 1 1, 0 1))", settings), "more than 3 vertices"));
}

TEST(Wkt, FloorPlans) {
  for (const auto& [name, polygons] : std::vector<std::pair<std::string, size_t>>{
           {"aknz_evac", 1}, {"double_bottleneck", 1}, {"room_with_alcoven", 1}, {"t_shaped_room", 1}}) {
    const std::string file = dataFile("floorplans/" + name + ".wkt");
    if (file.empty()) GTEST_SKIP() << "skipped: no data";
    const auto bytes = readFile(file);
    ASSERT_TRUE(bytes.ok());
    const auto draft = draftOf(readWkt, {reinterpret_cast<const char*>(bytes->data()), bytes->size()});
    ASSERT_TRUE(draft.ok()) << draft.error().message;
    EXPECT_EQ(draft->layers[0].walkable.size(), polygons);
  }
}

TEST(Wkt, PolygonsAlone) {
  const auto polygons = parseWktPolygons("POLYGON ((0 0, 4 0, 4 4, 0 0)) POLYGON ((5 0, 6 0, 6 1))", "area", 7);
  ASSERT_TRUE(polygons.ok());
  EXPECT_EQ(*polygons, (std::vector<Loops>{{{{0, 0}, {4, 0}, {4, 4}}}, {{{5, 0}, {6, 0}, {6, 1}}}}));
  EXPECT_EQ(parseWktPolygons("POLYGON ((0 0, 4 0, 4 4, 0 0))", "area", 3).error().code, ErrorCode::kLimit);
  EXPECT_EQ(parseWktPolygons("POINT (0 0)", "area").error().code, ErrorCode::kUnsupported);
}

TEST(Wkt, Writing) {
  Environment environment = environmentOf({layerOf(0, {{box(0, 0, 10, 20), {hole(5, 5, 6, 6)}}})});
  environment.lattice.unit = 0.1;
  EXPECT_EQ(*formatWkt(environment),
            "POLYGON ((0 0, 1 0, 1 2, 0 2, 0 0), (0.5 0.5, 0.5 0.6, 0.6 0.6, 0.6 0.5, 0.5 0.5))\n");
  environment.layers[0].free = {{box(0, 0, 10, 10), {}}, {box(20, 0, 30, 10), {}}};
  EXPECT_EQ(*formatWkt(environment), "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 1, 0 0)),\n((2 0, 3 0, 3 1, 2 1, 2 0)))\n");
  environment.layers[0].free.clear();
  EXPECT_EQ(*formatWkt(environment), "MULTIPOLYGON EMPTY\n");
}

TEST(Wkt, WhatItCannotHoldIsNotLostSilently) {
  EXPECT_EQ(formatWkt(twoRooms()).error().code, ErrorCode::kUnsupported);
  Environment environment = environmentOf({layerOf(0, {{box(0, 0, 10, 20), {}}})});
  environment.layers[0].regions = {{"grass", {{box(0, 0, 5, 5), {}}}}};
  EXPECT_EQ(formatWkt(environment).error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace wend
