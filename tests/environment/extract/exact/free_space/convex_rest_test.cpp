#include "environment/extract/exact/free_space/convex_rest.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace wend::exact {
namespace {

Rings ringsOf(const Convex& floor) {
  Rings rings;
  rings.add(floor.ring());
  return rings;
}

// With corners on a coarse raster, so that pieces share sides and corners.
Convex triangleOf(Random& random, int32_t most, int32_t raster) {
  Convex piece;
  do {
    piece.count = 0;
    for (int i = 0; i < 3; ++i) {
      const auto at = [&] {
        return raster * static_cast<int32_t>(random.below(static_cast<uint64_t>(most / raster) + 1));
      };
      const int32_t x = at();
      piece.add({x, at()});
    }
  } while (!tidy(piece));
  return piece;
}

bool looksCovered(const Convex& floor, const std::vector<Convex>& pieces) {
  ConvexRest rest;
  rest.begin(ringsOf(floor));
  for (const Convex& piece : pieces) rest.add(piece);
  return rest.mayBeCovered() && rest.isCoveredBy(pieces);
}

// What the cutter leaves, square units.
double areaLeft(const Convex& floor, const std::vector<Convex>& pieces) {
  Cutter cutter;
  Rings left;
  EXPECT_TRUE(cutter.cut(ringsOf(floor), pieces, CutPart::kOutside, left).ok());
  double area = 0;
  for (uint32_t r = 0; r < left.count(); ++r) area += 0.5 * doubledAreaOf(left.ring(r));
  return area;
}

// Beside random pieces, a fan around a point, which covers its floor unless one of it is missing.
TEST(ConvexRest, AgreesWithTheCutter) {
  int covered = 0;
  int open = 0;
  int missed = 0;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    Random random(seed);
    const int32_t raster = seed % 2 == 0 ? 1 : 500;
    const Convex floor = triangleOf(random, 10000, raster);
    std::vector<Convex> pieces;
    for (uint64_t i = random.below(6); i > 0; --i) pieces.push_back(triangleOf(random, 10000, raster));
    const Point middle{(floor.p[0].x + floor.p[1].x + floor.p[2].x) / 3 + static_cast<int32_t>(random.below(7)),
                       (floor.p[0].y + floor.p[1].y + floor.p[2].y) / 3};
    const auto without = static_cast<uint32_t>(random.below(4));
    for (uint32_t i = 0; i < 3; ++i) {
      Convex part;
      for (const Point p : {floor.p[i], floor.p[(i + 1) % 3], middle}) part.add(p);
      if (i != without && tidy(part)) pieces.push_back(part);
    }
    const double left = areaLeft(floor, pieces);
    const bool isCovered = looksCovered(floor, pieces);
    if (isCovered) {
      EXPECT_LE(left, 0.05 * 30000) << "seed " << seed;
      ++covered;
    }
    open += left > 0 ? 1 : 0;
    missed += left == 0 && !isCovered ? 1 : 0;
  }
  EXPECT_GT(covered, 500);
  EXPECT_GT(open, 500);
  EXPECT_LT(missed, covered / 10);
}

TEST(ConvexRest, LeavesOtherFloorsAlone) {
  Convex square;
  for (const Point p : {Point{0, 0}, Point{100, 0}, Point{100, 100}, Point{0, 100}}) square.add(p);
  Rings bent;
  const std::array<Point, 4> arrow{Point{0, 0}, Point{100, 0}, Point{20, 20}, Point{0, 100}};
  bent.add(arrow);
  ConvexRest rest;
  rest.begin(bent);
  rest.add(square);
  EXPECT_FALSE(rest.mayBeCovered());
  EXPECT_TRUE(looksCovered(square, {square}));
  Convex less = square;
  less.p[2] = {100, 99};
  EXPECT_FALSE(looksCovered(square, {less}));
}

}  // namespace
}  // namespace wend::exact
