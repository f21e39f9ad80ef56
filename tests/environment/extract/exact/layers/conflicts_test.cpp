#include "environment/extract/exact/layers/conflicts.h"

#include <cmath>

#include <gtest/gtest.h>

namespace wend::exact {
namespace {

constexpr double kMetre = 10000;

Tolerances tolerances() {
  ExtractSettings settings;
  settings.lattice.unit = 1 / kMetre;
  return Tolerances(settings);
}

// Level squares of 10 m above each other, all of one component.
struct Tower {
  Facets facets;
  Patches patches;
  PatchTriangles patchTriangles;
  Selection selection;

  explicit Tower(const std::vector<double>& heights) {
    constexpr int32_t kSide = 10 * static_cast<int32_t>(kMetre);
    const std::array<Point, 4> square{{{0, 0}, {kSide, 0}, {kSide, kSide}, {0, kSide}}};
    patchTriangles.begin.push_back(0);
    for (const double z : heights) {
      Facet facet;
      facet.plane.c = facet.low = facet.high = z * kMetre;
      facet.box = boxOf(square);
      patches.rings.add(square);
      patches.close(static_cast<uint32_t>(facets.list.size()), true);
      facets.list.push_back(facet);
      patchTriangles.triangles.push_back({square[0], square[1], square[2]});
      patchTriangles.triangles.push_back({square[0], square[2], square[3]});
      patchTriangles.begin.push_back(static_cast<uint32_t>(patchTriangles.triangles.size()));
    }
    selection.component.assign(heights.size(), 0);
    selection.components = 1;
  }

  Conflicts conflicts() const {
    return findConflicts(Soup(), facets, patches, patchTriangles, selection, tolerances(), Context()).value();
  }
};

std::vector<double> storeys(int count) {
  std::vector<double> heights;
  for (int i = 0; i < count; ++i) heights.push_back(3.0 * i);
  return heights;
}

TEST(Conflicts, AreAllListedInLowBuildings) {
  const Conflicts conflicts = Tower(storeys(8)).conflicts();
  EXPECT_EQ(conflicts.pairs.size(), 8U * 7 / 2);
  EXPECT_TRUE(conflicts.all);
}

// Each storey more adds as many as the one before.
TEST(Conflicts, GrowWithTheStoreys) {
  const size_t some = Tower(storeys(100)).conflicts().pairs.size();
  const size_t twice = Tower(storeys(200)).conflicts().pairs.size();
  const size_t thrice = Tower(storeys(300)).conflicts().pairs.size();
  EXPECT_EQ(thrice - twice, twice - some);
  EXPECT_LT(some, 100U * 20);
}

TEST(Conflicts, AreFoundAtAnyDistance) {
  const Conflicts conflicts = Tower({0, 3, 200, 900}).conflicts();
  EXPECT_FALSE(conflicts.all);
  // The third has the first two, and nothing nearer; the fourth all others, none of them twice as far as the nearest.
  const std::vector<std::pair<uint32_t, uint32_t>> expected{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  EXPECT_EQ(conflicts.pairs, expected);
}

TEST(Conflicts, OfOtherComponentsDoNotMatter) {
  Tower tower(storeys(4));
  tower.selection.component = {0, 1, 0, 1};
  tower.selection.components = 2;
  const std::vector<std::pair<uint32_t, uint32_t>> expected{{0, 2}, {1, 3}};
  EXPECT_EQ(tower.conflicts().pairs, expected);
}

}  // namespace
}  // namespace wend::exact
