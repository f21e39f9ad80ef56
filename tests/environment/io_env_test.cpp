#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/environment/hand_made.h"
#include "tests/environment/io_reading.h"

namespace wend {
namespace {

std::string inEnvironment(std::string_view inside) {
  return fmt::format("<environment version=\"1\">\n{}\n</environment>", inside);
}
std::string inLayer(std::string_view inside) {
  return inEnvironment(fmt::format("<layer id=\"0\">\n{}\n</layer>", inside));
}
constexpr const char* kSquare = "<walkable><polygon>0,0 4,0 4,4 0,4</polygon></walkable>";

TEST(Env, Everything) {
  const auto draft = draftOf(readEnv, R"(<?xml version="1.0"?>
<!-- two floors -->
<environment version="1" name="House &amp; garden" unit="0.001">
  <layer id="3" name="ground" height="-1.5">
    <walkable>
      <polygon> 0,0  10,0
        10,10 <!-- the corner --> 0 , 10 0,0 </polygon>
      <polygon><ring>20,0 30,0 30,10 20,10</ring><ring>22,2 24,2 24,4</ring></polygon>
    </walkable>
    <obstacles><polygon>1,1 2,1 2,2</polygon></obstacles>
    <openings><polygon>1,1 1.5,1 1.5,1.5</polygon></openings>
    <region label="grass"><polygon>3,3 4,3 4,4</polygon></region>
    <surface><triangle>0,0,1 10,0,1 10,10,2.5e-1</triangle></surface>
    <connection to="7">10,0 10,5,0.5 10,10</connection>
  </layer>
  <layer id="7">
    <connection to="3">10,10 10,5 10,0</connection>
  </layer>
  <truth area="1" doubled-area="2000000" components="1" boundaries="2" genus="0"/>
</environment>)");
  ASSERT_TRUE(draft.ok()) << draft.error().message;
  EXPECT_EQ(draft->name, "House & garden");
  EXPECT_EQ(draft->lattice.unit, 0.001);
  ASSERT_EQ(draft->layers.size(), 2U);
  const LayerDraft& ground = draft->layers[0];
  EXPECT_EQ(ground.id, 3);
  EXPECT_EQ(ground.name, "ground");
  EXPECT_EQ(ground.height, -1.5);
  ASSERT_EQ(ground.walkable.size(), 2U);
  EXPECT_EQ(ground.walkable[0], (Loops{{{0, 0}, {10, 0}, {10, 10}, {0, 10}}}));
  EXPECT_EQ(ground.walkable[1].size(), 2U);
  EXPECT_EQ(ground.obstacles.size(), 1U);
  EXPECT_EQ(ground.openings.size(), 1U);
  ASSERT_EQ(ground.regions.size(), 1U);
  EXPECT_EQ(ground.regions[0].label, "grass");
  ASSERT_EQ(ground.surface.size(), 1U);
  EXPECT_EQ(ground.surface[0][2], (Vec3{10, 10, 0.25}));
  ASSERT_EQ(draft->connections.size(), 1U);
  EXPECT_EQ(draft->connections[0].layerA, 3);
  EXPECT_EQ(draft->connections[0].layerB, 7);
  EXPECT_EQ(draft->connections[0].line, (std::vector<Vec2>{{10, 0}, {10, 5}, {10, 10}}));
  EXPECT_EQ(draft->truth, (Topology{2'000'000, 1, 2, 0}));
}

TEST(Env, NameAndUnitDefaultToTheFile) {
  ReadSettings settings;
  settings.unit = 0.01;
  const auto draft = draftOf(readEnv, inLayer(kSquare), settings);
  ASSERT_TRUE(draft.ok());
  EXPECT_EQ(draft->name, "file");
  EXPECT_EQ(draft->lattice.unit, 0.01);
  EXPECT_EQ(draftOf(readEnv, "<environment version=\"1\" name=\"\"/>")->name, "");
}

TEST(Env, WhatTheSchemaDoesNotKnowIsAnError) {
  for (const auto& [text, part] : std::vector<std::pair<std::string, std::string>>{
           {"<world/>", "the root element is <world>"},
           {"<environment/>", "version ''"},
           {"<environment version=\"2\"/>", "version '2'"},
           {"<environment version=\"1\" color=\"red\"/>", "no attribute 'color'"},
           {"<environment version=\"1\" version=\"1\"/>", "given twice"},
           {"<environment version=\"1\" unit=\"5\"/>", "'unit' must lie"},
           {"<environment version=\"1\" unit=\"nan\"/>", "finite number"},
           {"<environment version=\"1\" name=\"&#7;\"/>", "control characters"},
           {inEnvironment("<floor/>"), "<floor> is unknown inside <environment>"},
           {inEnvironment("hello"), "line 2: expected an element instead of text, but found 'hello'"},
           {inEnvironment("<layer/>"), "'id'"},
           {inEnvironment("<layer id=\"1.5\"/>"), "'1.5'"},
           {inEnvironment("<layer id=\"3000000000\"/>"), "'3000000000'"},
           {inEnvironment("<layer id=\"1\"/><layer id=\"1\"/>"), "a second layer with id 1"},
           {inEnvironment("<layer id=\"1\" height=\"inf\"/>"), "'height'"},
           {inLayer("<obstacle/>"), "<obstacle> is unknown inside <layer>"},
           {inLayer("<walkable><poly/></walkable>"), "<poly> is unknown inside <walkable>"},
           {inLayer("<walkable x=\"1\"/>"), "no attribute 'x'"},
           {inLayer("<walkable><polygon><ring>0,0 1,0 1,1</ring>5,5</polygon></walkable>"), "found '5,5'"},
           {inLayer("<walkable><polygon>0,0 <b/>1,0 1,1</polygon></walkable>"), "<b> inside <polygon>"},
           {inLayer("<region><polygon>0,0 1,0 1,1</polygon></region>"), "needs an attribute 'label'"},
           {inLayer("<surface><triangle>0,0,0 1,0,0</triangle></surface>"), "<triangle> with 2 points"},
           {inLayer("<surface><triangle>0,0 1,0 1,1</triangle></surface>"), "a height"},
           {inLayer("<connection>0,0 1,0</connection>"), "'to'"},
           {inLayer("<connection to=\"1\">0,0</connection>"), "fewer than two points"},
           {inEnvironment("<truth components=\"1\"/>"), "doubled-area"},
           {inEnvironment("<truth doubled-area=\"1\" components=\"x\"/>"), "'components'"},
       }) {
    const std::string message = complaint(readEnv, text);
    EXPECT_TRUE(contains(message, part)) << text << "\n" << message;
    EXPECT_TRUE(contains(message, "line ")) << message;
  }
}

TEST(Env, BadPointsAreNamedWithTheirLine) {
  EXPECT_EQ(complaint(readEnv,
                      "<environment version=\"1\">\r\n<layer id=\"0\"><walkable>\r\n<polygon>0,0\r\n1,0\r\nnan,1"
                      "</polygon></walkable></layer></environment>"),
            "'folder/file.ext', line 5: expected a number, but found 'nan,1'");
  for (const char* const points : {"0,0 1,0", "", "0 0 1 0 1 1", "0,0 1,0 1,inf", "0,0,0 1,0,0 1,1,0", "0,0 1,0 1,1 2",
                                   "0,0 1,0 1,1,", "0,0 1,0 1e9,1", "0,0 1,0 1e999,1", "0,0;1,0;1,1"}) {
    const std::string text = inLayer(fmt::format("<walkable><polygon>{}</polygon></walkable>", points));
    EXPECT_TRUE(contains(complaint(readEnv, text), "line 3: ")) << points << "\n" << complaint(readEnv, text);
  }
}

TEST(Env, BrokenXmlIsNamedWithItsLine) {
  EXPECT_TRUE(contains(complaint(readEnv, "<environment version=\"1\">\n<layer id=\"0\">\n</environment>"),
                       "line 3: no valid XML"));
  EXPECT_TRUE(contains(complaint(readEnv, "<environment version=\"1\">"), "no valid XML"));
  EXPECT_TRUE(contains(complaint(readEnv, "<environment version=\"1\"/><environment version=\"1\"/>"), "second root"));
}

TEST(Env, DocumentTypesAreRefused) {
  const std::string text =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE lolz [<!ENTITY lol \"lol\"><!ENTITY lol2 \"&lol;&lol;&lol;\">]>\n"
      "<environment version=\"1\" name=\"&lol2;\"/>";
  EXPECT_TRUE(contains(complaint(readEnv, text), "line 2: a document type"));
  // Without its definition an entity stays the text that it is.
  EXPECT_EQ(draftOf(readEnv, "<environment version=\"1\" name=\"&lol2;\"/>")->name, "&lol2;");
}

TEST(Env, DeepNestingIsAnError) {
  std::string text = "<environment version=\"1\">";
  for (int i = 0; i < 200'000; ++i) text += "<layer id=\"1\">";
  for (int i = 0; i < 200'000; ++i) text += "</layer>";
  EXPECT_TRUE(contains(complaint(readEnv, text + "</environment>"), "<layer> is unknown inside <layer>"));
}

std::string twoLayers(std::string_view first, std::string_view second) {
  return fmt::format(
      "<environment version=\"1\">\n<layer id=\"0\" height=\"0\">{}</layer>\n<layer id=\"1\" height=\"0.5\">{}</layer>"
      "\n</environment>",
      first, second);
}
std::string connectionTo(int to, std::string_view points) {
  return fmt::format("<connection to=\"{}\">{}</connection>", to, points);
}

TEST(EnvConnections, ListedInOneLayerOnly) {
  EXPECT_EQ(complaint(readEnv, twoLayers(connectionTo(1, "0,0 1,0"), "")),
            "'folder/file.ext', line 2: layer 0 has a connection to layer 1, but layer 1 does not list it; add "
            "<connection to=\"0\"> with the same points there");
  EXPECT_TRUE(contains(complaint(readEnv, twoLayers("", connectionTo(0, "0,0 1,0"))), "layer 0 does not list it"));
}

TEST(EnvConnections, DifferentPoints) {
  EXPECT_TRUE(contains(complaint(readEnv, twoLayers(connectionTo(1, "0,0 1,0"), connectionTo(0, "0,0 1,1"))),
                       "layers 0 and 1 give different points for their connection (line 2 and line 3)"));
  EXPECT_TRUE(contains(complaint(readEnv, twoLayers(connectionTo(1, "0,0 1,0 2,0"), connectionTo(0, "0,0 2,0"))),
                       "different points"));
}

TEST(EnvConnections, EqualOnTheLatticeIsEqual) {
  EXPECT_TRUE(draftOf(readEnv, twoLayers(connectionTo(1, "0,0 1,0"), connectionTo(0, "0.00001,0 1,0"))).ok());
}

TEST(EnvConnections, UnknownLayerAndSelf) {
  EXPECT_TRUE(contains(complaint(readEnv, twoLayers(connectionTo(9, "0,0 1,0"), "")), "layer 9, which does not exist"));
  EXPECT_TRUE(contains(complaint(readEnv, twoLayers(connectionTo(0, "0,0 1,0"), "")), "to itself"));
}

TEST(EnvConnections, SeveralAreMatchedByPointsInAnyOrderAndDirection) {
  const auto draft = draftOf(
      readEnv, twoLayers(connectionTo(1, "0,0 1,0") + connectionTo(1, "5,0 6,0") + connectionTo(1, "2,0 3,0 3,1"),
                         connectionTo(0, "3,1 3,0 2,0") + connectionTo(0, "0,0 1,0") + connectionTo(0, "6,0 5,0")));
  ASSERT_TRUE(draft.ok()) << draft.error().message;
  ASSERT_EQ(draft->connections.size(), 3U);
  EXPECT_EQ(draft->connections[1].line, (std::vector<Vec2>{{5, 0}, {6, 0}}));
  EXPECT_TRUE(contains(complaint(readEnv, twoLayers(connectionTo(1, "0,0 1,0") + connectionTo(1, "0,0 1,0"),
                                                    connectionTo(0, "0,0 1,0"))),
                       "does not list it"));
}

TEST(EnvConnections, HeightsMustAgreeWithinAStep) {
  EXPECT_TRUE(draftOf(readEnv, twoLayers(connectionTo(1, "0,0,1 1,0,-1"), connectionTo(0, "1,0,-0.5 0,0,1.5"))).ok());
  EXPECT_TRUE(contains(complaint(readEnv, twoLayers(connectionTo(1, "0,0,1.1 1,0"), connectionTo(0, "0,0 1,0"))),
                       "layer 0 lies at 0 m"));
  EXPECT_TRUE(contains(complaint(readEnv, twoLayers(connectionTo(1, "0,0 1,0"), connectionTo(0, "0,0 1,0,2"))),
                       "layer 1 lies at 0.5 m"));
  EXPECT_TRUE(contains(complaint(readEnv, twoLayers(connectionTo(1, "0,0,-1 1,0"), connectionTo(0, "1,0 0,0,0.5"))),
                       "heights of -1 m and 0.5 m"));
}

TEST(Env, Writing) {
  Environment environment = twoRooms();
  environment.name = "a <b> & \"c\"";
  environment.lattice.unit = 0.5;
  environment.layers[1].heights.base = 0.25;
  environment.layers[1].regions = {{"grass", {{box(10, 0, 12, 2), {}}}}};
  environment.layers[0].heights = {1, {{0, 0}, {10, 0}, {10, 10}}, {0.1, 1e-9, -3}, {{0, 1, 2}}};
  environment.truth = Topology{400, 1, 1, 0};
  EXPECT_EQ(*formatEnv(environment),
            R"(<?xml version="1.0" encoding="UTF-8"?>
<environment version="1" name="a &lt;b&gt; &amp; &quot;c&quot;" unit="0.5">
  <layer id="0" name="" height="1">
    <walkable>
      <polygon>0,0 5,0 5,2 5,3 5,5 0,5</polygon>
    </walkable>
    <surface>
      <triangle>0,0,0.1 5,0,1e-09 5,5,-3</triangle>
    </surface>
    <connection to="1">5,2 5,3</connection>
  </layer>
  <layer id="1" name="" height="0.25">
    <walkable>
      <polygon>5,0 10,0 10,5 5,5 5,3 5,2</polygon>
    </walkable>
    <region label="grass">
      <polygon>5,0 6,0 6,1 5,1</polygon>
    </region>
    <connection to="0">5,2 5,3</connection>
  </layer>
  <truth area="50" doubled-area="400" components="1" boundaries="1" genus="0"/>
</environment>
)");
}

TEST(Env, WhatCannotBeReadAgainIsNotWritten) {
  Environment environment = twoRooms();
  environment.name = "a\nb";
  EXPECT_EQ(formatEnv(environment).error().code, ErrorCode::kUnsupported);
  environment = twoRooms();
  environment.layers[0].heights.base = std::numeric_limits<double>::infinity();
  EXPECT_EQ(formatEnv(environment).error().code, ErrorCode::kInvalidGeometry);
  environment = twoRooms();
  environment.layers[0].heights.triangles = {{0, 1, 2}};
  EXPECT_EQ(formatEnv(environment).error().code, ErrorCode::kInvalidGeometry);
  environment = twoRooms();
  environment.connections[0].layerB = 5;
  EXPECT_EQ(formatEnv(environment).error().code, ErrorCode::kInvalidGeometry);
}

}  // namespace
}  // namespace wend
