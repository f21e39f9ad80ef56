#include "environment/extract/polygons/cut.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/area.h"
#include "geometry/overlay.h"

namespace wend::extraction {
namespace {

Point randomPoint(Random& random, int32_t reach) {
  return {static_cast<int32_t>(random.between(-reach, reach)), static_cast<int32_t>(random.between(-reach, reach))};
}

void addTriangle(Point a, Point b, Point c, std::vector<Convex>& pieces) {
  Convex piece;
  for (const Point p : {a, b, c}) piece.add(p);
  if (tidy(piece)) pieces.push_back(piece);
}

// A mesh of n x n bent squares: most sides are shared, and some triangles are there twice.
void addMesh(Random& random, int32_t reach, int32_t n, std::vector<Convex>& pieces) {
  const Point corner = randomPoint(random, reach);
  const auto step = static_cast<int32_t>(random.between(4, std::max(5, reach / n)));
  std::vector<Point> points;
  for (int32_t y = 0; y <= n; ++y) {
    for (int32_t x = 0; x <= n; ++x) {
      const Point jitter = randomPoint(random, step / 4);
      points.push_back({corner.x + x * step + jitter.x, corner.y + y * step + jitter.y});
    }
  }
  const auto at = [&](int32_t x, int32_t y) { return points[static_cast<size_t>(y * (n + 1) + x)]; };
  for (int32_t y = 0; y < n; ++y) {
    for (int32_t x = 0; x < n; ++x) {
      for (int copies = random.chance(0.1) ? 2 : 1; copies > 0; --copies) {
        addTriangle(at(x, y), at(x + 1, y), at(x + 1, y + 1), pieces);
        addTriangle(at(x, y), at(x + 1, y + 1), at(x, y + 1), pieces);
      }
    }
  }
}

// What overlay() makes of the same, which is exact but for rounding.
TEST(Cutter, AgreesWithOverlay) {
  uint32_t fallbacks = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    const int32_t reach = seed % 2 == 0 ? 300 : 100000;
    std::vector<Convex> outlines;
    while (outlines.empty()) {
      addTriangle(randomPoint(random, reach), randomPoint(random, reach), randomPoint(random, reach), outlines);
    }
    std::vector<Convex> pieces;
    addMesh(random, reach, static_cast<int32_t>(random.between(1, seed % 5 == 0 ? 8 : 3)), pieces);
    for (size_t i = random.below(4); i > 0; --i) {
      addTriangle(randomPoint(random, reach), randomPoint(random, reach), randomPoint(random, reach), pieces);
    }
    Rings outline;
    outline.add(outlines[0].ring());
    std::vector<Shape> shapes(1);
    shapes[0].loops.emplace_back(outlines[0].ring().begin(), outlines[0].ring().end());
    double length = lengthAround(outlines[0].ring());
    for (const Convex& piece : pieces) {
      shapes.push_back({1, {Ring(piece.ring().begin(), piece.ring().end())}});
      length += lengthAround(piece.ring());
    }
    for (const CutPart part : {CutPart::kOutside, CutPart::kInside}) {
      Cutter cutter;
      Rings cut;
      ASSERT_TRUE(cutter.cut(outline, pieces, part, cut).ok());
      fallbacks += cutter.fallbacks();
      double area = 0;
      for (size_t i = 0; i < cut.count(); ++i) area += doubledAreaOf(cut.ring(i));
      const auto expected =
          overlay(shapes, [&](uint32_t groups) { return groups == (part == CutPart::kInside ? 3U : 1U); });
      ASSERT_TRUE(expected.ok());
      EXPECT_NEAR(area, static_cast<double>(doubledArea(*expected)), 2 * length) << "seed " << seed;
    }
  }
  EXPECT_LT(fallbacks, 60U);
}

// A wall that ends a unit beside a corner: the walk comes back a unit from where it left.
TEST(Cutter, ClosesTearsOfRounding) {
  struct Case {
    std::vector<Point> outline;
    std::vector<std::vector<Point>> pieces;
    double area;
  };
  const std::vector<Case> cases{
      {{{500310, 3145505}, {524817, 3132590}, {573776, 3221784}},
       {{{534949, 3291830}, {573776, 3221783}, {573863, 3221832}, {535037, 3291878}}},
       2818191399},
      {{{-213483, 900344}, {-114553, 900171}, {-118574, 946635}},
       {{{-141770, 946675}, {-132282, 852940}, {-13516, 946451}},
        {{-141770, 946675}, {-267501, 946895}, {-256965, 836747}, {-132282, 852940}},
        {{-267501, 946895}, {-13510, 946451}, {-13511, 946551}, {-267500, 946995}}},
       0},
      // Narrower than a unit, with two parts shorter than one beside each other.
      {{{-7654774, 3217847}, {-6889727, 3451745}, {-6794098, 3480982}},
       {{{-7559137, 3247086}, {-7470825, 3300230}, {-7485445, 3348048}, {-7581066, 3318813}},
        {{-7676703, 3289574}, {-7662083, 3241756}, {-7559137, 3247086}, {-7581066, 3318813}}},
       0},
  };
  for (const Case& c : cases) {
    Rings outline;
    outline.add(c.outline);
    std::vector<Convex> pieces;
    for (const std::vector<Point>& points : c.pieces) {
      Convex& piece = pieces.emplace_back();
      for (const Point p : points) piece.add(p);
    }
    Cutter cutter;
    Rings cut;
    ASSERT_TRUE(cutter.cut(outline, pieces, CutPart::kOutside, cut).ok());
    EXPECT_EQ(cutter.fallbacks(), 0U);
    double area = 0;
    for (size_t i = 0; i < cut.count(); ++i) area += doubledAreaOf(cut.ring(i));
    EXPECT_NEAR(area, c.area, lengthAround(c.outline));
  }
}

// A ground with many things on it has many tears: how many there are says nothing about each of them.
TEST(Cutter, ClosesAnyNumberOfTears) {
  constexpr int32_t kRows = 10;
  constexpr int32_t kApart = 1'000'000;
  constexpr double kArea = 2818191399;  // of one
  Rings outline;
  std::vector<Convex> pieces;
  for (int32_t i = 0; i < kRows * kRows; ++i) {
    const Point by{i % kRows * kApart, i / kRows * kApart};
    std::vector<Point> ring;
    for (const Point p : {Point{500310, 3145505}, {524817, 3132590}, {573776, 3221784}}) {
      ring.push_back({p.x + by.x, p.y + by.y});
    }
    outline.add(ring);
    Convex& piece = pieces.emplace_back();
    for (const Point p : {Point{534949, 3291830}, {573776, 3221783}, {573863, 3221832}, {535037, 3291878}}) {
      piece.add({p.x + by.x, p.y + by.y});
    }
  }
  Cutter cutter;
  Rings cut;
  ASSERT_TRUE(cutter.cut(outline, pieces, CutPart::kOutside, cut).ok());
  EXPECT_EQ(cutter.fallbacks(), 0U);
  double area = 0;
  for (size_t i = 0; i < cut.count(); ++i) area += doubledAreaOf(cut.ring(i));
  EXPECT_NEAR(area, kRows * kRows * kArea, 1e-4 * kRows * kRows * kArea);
}

// Triangles that share no whole side leave a slit in their outline, whose end lies on its other side: exactly so as it
// is drawn, and up to a unit across when it is turned.
TEST(Cutter, TakesOutlinesThatRoundingMadeCross) {
  for (int degrees = 0; degrees < 90; ++degrees) {
    const double c = std::cos(degrees * std::numbers::pi / 180);
    const double s = std::sin(degrees * std::numbers::pi / 180);
    const auto turned = [&](double x, double y) { return rounded(1e6 * (c * x - s * y), 1e6 * (s * x + c * y)); };
    Rings outline;
    outline.add(std::vector<Point>{turned(-1, 0), turned(0, 0), turned(0, 1), turned(0, 0.513), turned(1, 0.513),
                                   turned(1, 2), turned(-1, 2)});
    std::vector<Convex> pieces(1);
    for (const Point p : {turned(0, 1), turned(0, 0), turned(0.7, 0), turned(0.7, 1)}) pieces[0].add(p);
    Cutter cutter;
    Rings cut;
    ASSERT_TRUE(cutter.cut(outline, pieces, CutPart::kOutside, cut).ok());
    EXPECT_EQ(cutter.fallbacks(), 0U) << degrees;
    double area = 0;
    for (size_t i = 0; i < cut.count(); ++i) area += doubledAreaOf(cut.ring(i));
    EXPECT_NEAR(area, 2e12 * (2 + 1.487 - 0.7 * 0.487), 1e8) << degrees;
  }
}

}  // namespace
}  // namespace wend::extraction
