#include <clocale>
#include <cstdlib>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/text_cursor.h"
#include "environment/io/coordinate_text.h"
#include "geometry/area.h"

namespace wend {
namespace {

TEST(NumberText, TheLocaleDoesNotMatter) {
  const char* const before = std::setlocale(LC_ALL, nullptr);
  const std::string old = before != nullptr ? before : "C";
  // Few machines have a locale with a decimal comma, so one is made in a folder that the C library is told to look in.
  const std::string folder = testing::TempDir() + "wend_locales";
  ::setenv("LOCPATH", folder.c_str(), 1);
  const bool made = std::system(("mkdir -p '" + folder + "' && localedef -i de_DE -f UTF-8 '" + folder +
                                 "/de_DE.UTF-8' >/dev/null 2>&1 || test -d '" + folder + "/de_DE.UTF-8'")
                                    .c_str()) == 0;
  const bool set = made && std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr;
  ::unsetenv("LOCPATH");
  if (!set) GTEST_SKIP() << "skipped: no German locale (the package locales brings localedef)";
  ASSERT_EQ(std::localeconv()->decimal_point, std::string(","));
  EXPECT_EQ(wholeNumber("1.5"), 1.5);
  EXPECT_EQ(shortest(1.5), "1.5");
  std::setlocale(LC_ALL, old.c_str());
}

std::string coordinate(double unit, int32_t units) {
  std::string out;
  CoordinateText(Lattice{unit}).append(out, units);
  return out;
}

TEST(CoordinateText, Examples) {
  EXPECT_EQ(coordinate(1e-4, 0), "0");
  EXPECT_EQ(coordinate(1e-4, 12345), "1.2345");
  EXPECT_EQ(coordinate(1e-4, -5), "-0.0005");
  EXPECT_EQ(coordinate(1e-4, 30000), "3");
  EXPECT_EQ(coordinate(1e-4, kMaxCoordinate), "107374.1824");
  EXPECT_EQ(coordinate(1, -kMaxCoordinate), "-1073741824");
  EXPECT_EQ(coordinate(0.25, 3), "0.75");
}

TEST(CoordinateText, SnappingTheTextFindsTheLatticePoint) {
  Random random(2);
  for (int round = 0; round < 200'000; ++round) {
    const double unit = random.chance(0.5) ? std::pow(10.0, -static_cast<double>(random.below(7)))
                                           : std::exp(random.real(std::log(1e-6), 0.0));
    const int64_t reach = int64_t{1} << random.below(31);
    const auto units = static_cast<int32_t>(random.between(-reach, reach));
    const std::optional<double> read = wholeNumber(coordinate(unit, units));
    ASSERT_TRUE(read);
    const Result<Point> snapped = Lattice{unit}.snap({*read, 0});
    ASSERT_TRUE(snapped.ok());
    ASSERT_EQ(snapped->x, units) << unit << " " << coordinate(unit, units);
  }
}

TEST(Int128Text, RoundTrip) {
  EXPECT_EQ(toText(0), "0");
  EXPECT_EQ(toText(-7), "-7");
  const Int128 large = static_cast<Int128>(std::numeric_limits<int64_t>::max()) * 1000;
  EXPECT_EQ(toText(large), "9223372036854775807000");
  EXPECT_TRUE(int128FromText(toText(-large)) == -large);
  for (const char* const bad : {"", "-", "1.5", " 1", "999999999999999999999999999999999999999"}) {
    EXPECT_FALSE(int128FromText(bad).has_value()) << bad;
  }
}

TEST(SimpleRings, AWalkWithoutRepetitionStaysAsItIs) {
  const Polygon square{{{0, 0}, {4, 0}, {4, 4}, {0, 4}}, {{{1, 1}, {1, 2}, {2, 2}, {2, 1}}}};
  const SimpleRings rings = simpleRings(square);
  EXPECT_EQ(rings.outer, square.outer);
  EXPECT_EQ(rings.holes, square.holes);
}

TEST(SimpleRings, AnOuterWalkThatMeetsItselfBecomesARingWithAHole) {
  // A square with a notch whose tip touches the lower wall from inside.
  const Polygon pinched{{{0, 0}, {4, 0}, {8, 0}, {8, 8}, {0, 8}}, {{{4, 0}, {2, 4}, {6, 4}}}};
  Polygon walk;
  walk.outer = {{0, 0}, {4, 0}, {2, 4}, {6, 4}, {4, 0}, {8, 0}, {8, 8}, {0, 8}};
  const SimpleRings rings = simpleRings(walk);
  EXPECT_EQ(rings.outer, pinched.outer);
  EXPECT_EQ(rings.holes, pinched.holes);
}

TEST(SimpleRings, AHoleWalkThatMeetsItselfBecomesTwoHoles) {
  Polygon walk;
  walk.outer = {{0, 0}, {9, 0}, {9, 9}, {0, 9}};
  walk.holes = {{{1, 1}, {1, 3}, {3, 3}, {3, 5}, {5, 5}, {5, 3}, {3, 3}, {3, 1}}};
  const SimpleRings rings = simpleRings(walk);
  ASSERT_EQ(rings.holes.size(), 2U);
  EXPECT_EQ(doubledArea(rings.holes[0]), -8);
  EXPECT_EQ(doubledArea(rings.holes[1]), -8);
}

}  // namespace
}  // namespace wend
