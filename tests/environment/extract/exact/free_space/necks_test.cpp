#include "environment/extract/exact/free_space/necks.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace wend::exact {
namespace {

Tolerances ofMicrometres() {
  ExtractSettings settings;
  settings.lattice.unit = 1e-6;
  return Tolerances(settings);
}
const Tolerances kTolerances = ofMicrometres();

Rings ringsOf(const std::vector<Ring>& list) {
  Rings rings;
  for (const Ring& ring : list) rings.add(ring);
  return rings;
}

TEST(Hairs, NothingStaysNothing) {
  Rings rings;
  EXPECT_FALSE(dropHairs(rings, kTolerances));
  EXPECT_EQ(rings.count(), 0U);
}

// On the top of a square, with more corners on one side than on the other.
TEST(Hairs, AreTakenOut) {
  const Ring square{{0, 0}, {50000, 0}, {50000, 50000}, {30003, 50004}, {30000, 50000}, {0, 50000}};
  const std::vector<Ring> tips{{{31000, 90000}}, {{30751, 80000}, {31002, 90000}, {31000, 90000}, {30374, 65001}}};
  for (const Ring& tip : tips) {
    Ring hairy = square;
    hairy.insert(hairy.begin() + 4, tip.begin(), tip.end());
    for (size_t first = 0; first < hairy.size(); ++first) {
      Rings rings = ringsOf({hairy});
      EXPECT_TRUE(dropHairs(rings, kTolerances));
      Ring rest(rings.points.begin(), rings.points.end());
      std::rotate(rest.begin(), std::min_element(rest.begin(), rest.end()), rest.end());
      EXPECT_EQ(rest, square);
      std::rotate(hairy.begin(), hairy.begin() + 1, hairy.end());
    }
  }
}

TEST(Hairs, WiderOnesAreSlots) {
  Rings rings =
      ringsOf({{{0, 0}, {50000, 0}, {50000, 50000}, {30040, 50000}, {31000, 90000}, {30000, 50000}, {0, 50000}}});
  EXPECT_FALSE(dropHairs(rings, kTolerances));
  EXPECT_EQ(rings.points.size(), 7U);
}

// What is narrow and not free is a wall.
TEST(Hairs, CutsStay) {
  Rings rings =
      ringsOf({{{0, 0}, {50000, 0}, {50000, 50000}, {30003, 50000}, {31000, 10000}, {30000, 50000}, {0, 50000}}});
  EXPECT_FALSE(dropHairs(rings, kTolerances));
  EXPECT_EQ(rings.points.size(), 7U);
}

}  // namespace
}  // namespace wend::exact
