#include "environment/extract/exact/free_space/covered_cells.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"

namespace wend::exact {
namespace {

// Rings by radii around a middle, level, at a height in metres.
void addFloor(Facets& facets, Random& random, Point middle, double radius, double z) {
  std::vector<Point> ring;
  const int corners = 3 + static_cast<int>(random.below(6));
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * M_PI * (i + 0.5 * random.real(0, 1)) / corners;
    const double r = radius * random.real(0.4, 1);
    ring.push_back(rounded(middle.x + r * std::cos(angle), middle.y + r * std::sin(angle)));
  }
  Facet facet;
  facet.plane.c = facet.low = facet.high = z * 1e6;
  facet.firstRing = static_cast<uint32_t>(facets.outlines.count());
  facet.ringCount = 1;
  facet.box = boxOf(ring);
  facets.outlines.add(ring);
  facets.list.push_back(facet);
}

bool isInside(std::span<const Point> ring, double x, double y) {
  bool inside = false;
  Point a = ring.back();
  for (const Point b : ring) {
    if ((a.y <= y) != (b.y <= y) && a.x + (y - a.y) * (double(b.x) - a.x) / (double(b.y) - a.y) > x) inside = !inside;
    a = b;
  }
  return inside;
}

// Whatever they hide lies under floors of theirs that cover the facet, wherever one looks.
TEST(CoveredCells, HideOnlyWhatFloorsCover) {
  ExtractSettings settings;
  settings.lattice.unit = 1e-6;
  const Tolerances tolerances(settings);
  size_t hidden = 0;
  size_t covers = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed, 7);
    Facets facets;
    addFloor(facets, random, {0, 0}, 8e6, 0);
    for (int i = 0; i < 12; ++i) {
      const Point middle = rounded(random.real(-5e6, 5e6), random.real(-5e6, 5e6));
      addFloor(facets, random, middle, random.real(2e5, 3e6), random.real(-0.5, 2.5));
    }
    CoveredCells cells(facets, tolerances);
    if (!cells.begin(0)) continue;
    for (uint32_t f = 1; f < facets.list.size(); ++f) {
      if (!cells.isCover(f)) continue;
      ++covers;
      EXPECT_GT(facets.list[f].low, 1000);
      EXPECT_LT(facets.list[f].low, 2e6 - 1000);
    }
    const Box& around = facets.list[0].box;
    for (int i = 0; i < 2000; ++i) {
      const Point at = rounded(random.real(around.min.x, around.max.x), random.real(around.min.y, around.max.y));
      const auto size = static_cast<int32_t>(random.real(0, 1) * random.real(0, 6e5));
      const Box box{{at.x - size, at.y - size}, {at.x + size, at.y + size}};
      if (!cells.hide(box)) continue;
      ++hidden;
      for (const double x : {double(box.min.x), double(at.x), double(box.max.x)}) {
        for (const double y : {double(box.min.y), double(at.y), double(box.max.y)}) {
          if (x < around.min.x || x > around.max.x || y < around.min.y || y > around.max.y) continue;
          bool covered = false;
          for (uint32_t f = 1; f < facets.list.size() && !covered; ++f) {
            covered = cells.isCover(f) && isInside(facets.outlines.ring(f), x, y);
          }
          ASSERT_TRUE(covered) << "seed " << seed << " at " << x << ", " << y;
        }
      }
    }
  }
  EXPECT_GT(covers, 300U);
  EXPECT_GT(hidden, 10000U);
}

// A table top hides what stands on it, and neither itself nor what reaches over its edge.
TEST(CoveredCells, TableTop) {
  ExtractSettings settings;
  settings.lattice.unit = 1e-6;
  const Tolerances tolerances(settings);
  Facets facets;
  const auto add = [&](Box box, double z) {
    Facet facet;
    facet.plane.c = facet.low = facet.high = z * 1e6;
    facet.firstRing = static_cast<uint32_t>(facets.outlines.count());
    facet.ringCount = 1;
    facet.box = box;
    const std::array<Point, 4> ring{box.min, {box.max.x, box.min.y}, box.max, {box.min.x, box.max.y}};
    facets.outlines.add(ring);
    facets.list.push_back(facet);
  };
  add({{0, 0}, {10000000, 10000000}}, 0);
  add({{2000000, 2000000}, {4000000, 3000000}}, 0.75);
  add({{6000000, 6000000}, {8000000, 8000000}}, 2.5);  // beyond the head room
  CoveredCells cells(facets, tolerances);
  ASSERT_TRUE(cells.begin(0));
  EXPECT_TRUE(cells.isCover(1));
  EXPECT_FALSE(cells.isCover(2));
  EXPECT_TRUE(cells.hide({{2500000, 2400000}, {3000000, 2600000}}));
  EXPECT_FALSE(cells.hide({{3900000, 2400000}, {4000000, 2600000}}));
  EXPECT_FALSE(cells.hide({{3500000, 2400000}, {4500000, 2600000}}));
  EXPECT_FALSE(cells.hide({{6500000, 6500000}, {7000000, 7000000}}));
  EXPECT_FALSE(cells.begin(1));
}

}  // namespace
}  // namespace wend::exact
