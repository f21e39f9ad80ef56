#include <span>
#include <string>
#include <vector>

#include <wend/environment_file.h>

#include <gtest/gtest.h>

#include "geometry/overlay.h"

// Loops of one polygon that cross, repeat or lie in each other.
namespace wend {
namespace {

struct Reading {
  double area = 0;
  std::vector<std::string> notes;
};

Reading read(const std::string& wkt, FillRule rule) {
  Reading reading;
  Context context;
  context.onNote = [&](std::string_view note) { reading.notes.emplace_back(note); };
  ReadSettings settings;
  settings.fill = rule;
  const auto environment = parseEnvironment(std::as_bytes(std::span(wkt)), "plan.wkt", settings, context);
  EXPECT_TRUE(environment.ok()) << (environment.ok() ? "" : environment.error().message);
  if (environment.ok()) reading.area = polygonArea(environment->layers[0].free, environment->lattice);
  return reading;
}

const char* const kHall = "(0 0, 10 0, 10 10, 0 10, 0 0)";

void expectAreas(const std::string& wkt, double evenOdd, double nonzero, const std::string& place) {
  const Reading first = read(wkt, FillRule::kEvenOdd);
  const Reading second = read(wkt, FillRule::kNonzero);
  EXPECT_NEAR(first.area, evenOdd, 1e-6);
  EXPECT_NEAR(second.area, nonzero, 1e-6);
  for (const Reading& reading : {first, second}) {
    ASSERT_EQ(reading.notes.size(), place.empty() ? 0U : 1U) << wkt;
    if (place.empty()) continue;
    EXPECT_NE(reading.notes[0].find(place), std::string::npos) << reading.notes[0];
  }
}

std::string hallWith(const std::string& holes) {
  return std::string("POLYGON (") + kHall + holes + ")";
}

TEST(FillRule, HolesThatAreApartNeedNone) {
  expectAreas(hallWith(", (1 1, 3 1, 3 3, 1 3, 1 1), (5 5, 6 5, 6 6, 5 6, 5 5)"), 95, 95, "");
  expectAreas(hallWith(", (1 1, 3 1, 3 3, 1 3, 1 1), (3 3, 6 3, 6 6, 3 6, 3 3)"), 87, 87, "");  // touch in a point
}

TEST(FillRule, ARepeatedHoleIsNamedAndIsAHoleIfAskedFor) {
  const std::string hole = ", (1 1, 3 1, 3 3, 1 3, 1 1)";
  expectAreas(hallWith(hole + hole), 100, 96, "(2.000, 2.000)");
  expectAreas(hallWith(hole + ", (1 1, 1 3, 3 3, 3 1, 1 1)"), 100, 96, "(2.000, 2.000)");  // the other way round
  // Three times: both rules agree.
  expectAreas(hallWith(hole + hole + hole), 96, 96, "");
}

// The polygons before and after one that is filled otherwise stay as they are.
TEST(FillRule, OtherPolygonsKeepTheirPlace) {
  const std::string twice = "((20 0, 30 0, 30 10, 20 10, 20 0, 30 0, 30 10, 20 10, 20 0))";
  const std::string wkt = "MULTIPOLYGON (((0 0, 10 0, 10 10, 0 10, 0 0)), " + twice +
                          ", ((40 0, 45 0, 45 10, 40 10, 40 0), (41 1, 42 1, 42 2, 41 2, 41 1)), " +
                          "((60 0, 61 0, 61 1, 60 1, 60 0)))";
  EXPECT_NEAR(read(wkt, FillRule::kEvenOdd).area, 100 + 49 + 1, 1e-6);
  EXPECT_NEAR(read(wkt, FillRule::kNonzero).area, 100 + 100 + 49 + 1, 1e-6);
}

TEST(FillRule, CrossingHolesAddUpIfAskedFor) {
  expectAreas(hallWith(", (1 1, 4 1, 4 4, 1 4, 1 1), (3 3, 6 3, 6 6, 3 6, 3 3)"), 84, 83, "(3.500, 3.500)");
}

TEST(FillRule, AHoleInAHoleStaysAHoleIfAskedFor) {
  expectAreas(hallWith(", (1 1, 5 1, 5 5, 1 5, 1 1), (2 2, 4 2, 4 4, 2 4, 2 2)"), 88, 84, "(3.000, 3.000)");
}

TEST(FillRule, AnOutlineThatGoesRoundTwiceIsFilledIfAskedFor) {
  expectAreas("POLYGON ((0 0, 6 0, 6 6, 1 6, 1 1, 5 1, 5 5, 0 5, 0 0))", 19, 35, "(3.000, 3.000)");
}

TEST(FillRule, TheWindingNumberDecides) {
  // A pentagram: its middle is wound around twice.
  const std::vector<Ring> star{{{0, 1000}, {588, -809}, {-951, 309}, {951, 309}, {-588, -809}}};
  const auto nonzero = fillNonzero(star);
  ASSERT_TRUE(nonzero.ok());
  ASSERT_EQ(nonzero->size(), 1U);
  EXPECT_TRUE((*nonzero)[0].holes.empty());
  EXPECT_EQ((*nonzero)[0].outer.size(), 10U);
}

}  // namespace
}  // namespace wend
