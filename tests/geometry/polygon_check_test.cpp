#include "geometry/polygon_check.h"

#include <gtest/gtest.h>

namespace wend {
namespace {

using Kind = PolygonFaultKind;

Ring squareOf(int32_t x, int32_t y, int32_t side) {
  return {{x, y}, {x + side, y}, {x + side, y + side}, {x, y + side}};
}

Ring reversed(Ring ring) {
  return {ring.rbegin(), ring.rend()};
}

std::vector<Kind> kinds(const std::vector<Polygon>& polygons) {
  std::vector<Kind> result;
  for (const PolygonFault& fault : findPolygonFaults(polygons)) result.push_back(fault.kind);
  return result;
}

TEST(PolygonCheck, NothingIsFine) {
  EXPECT_TRUE(findPolygonFaults({}).empty());
}

TEST(PolygonCheck, SingleRings) {
  EXPECT_EQ(kinds({{{}, {}}}), std::vector{Kind::kRingTooShort});
  EXPECT_EQ(kinds({{{{0, 0}, {1, 0}}, {}}}), std::vector{Kind::kRingTooShort});
  EXPECT_EQ(kinds({{{{0, 0}, {1, 0}, {1, 0}, {0, 1}}, {}}}), std::vector{Kind::kRepeatedPoint});
  EXPECT_EQ(kinds({{{{0, 0}, {1, 0}, {0, 1}, {0, 0}}, {}}}), std::vector{Kind::kRepeatedPoint});
  EXPECT_EQ(kinds({{{{0, 0}, {kMaxCoordinate + 1, 0}, {0, 1}}, {}}}), std::vector{Kind::kOutsideLattice});
  EXPECT_TRUE(kinds({{{{-kMaxCoordinate, -kMaxCoordinate}, {kMaxCoordinate, 0}, {0, kMaxCoordinate}}, {}}}).empty());
}

TEST(PolygonCheck, Segments) {
  // A bow tie: the two slanted sides cross.
  const auto bowTie = findPolygonFaults(std::vector<Polygon>{{{{0, 0}, {4, 4}, {4, 0}, {0, 4}}, {}}});
  ASSERT_EQ(bowTie.size(), 1U);
  EXPECT_EQ(bowTie[0].kind, Kind::kCrossing);
  EXPECT_EQ(bowTie[0].place, (Point{2, 2}));
  // A spike overlaps itself.
  EXPECT_EQ(kinds({{{{0, 0}, {4, 0}, {4, 4}, {8, 4}, {4, 4}, {0, 4}}, {}}}).front(), Kind::kCrossing);
  // No area at all.
  EXPECT_EQ(kinds({{{{0, 0}, {2, 0}, {4, 0}}, {}}}).front(), Kind::kCrossing);
  // A vertex on a side.
  EXPECT_EQ(kinds({{{{0, 0}, {4, 0}, {4, 4}, {2, 0}}, {}}}).front(), Kind::kVertexOnEdge);
  EXPECT_EQ(kinds({{squareOf(0, 0, 4), {}}, {{{2, 4}, {3, 6}, {1, 6}}, {}}}),
            (std::vector{Kind::kVertexOnEdge, Kind::kVertexOnEdge}));
  // Two polygons that share a side.
  EXPECT_EQ(kinds({{squareOf(0, 0, 4), {}}, {squareOf(4, 0, 4), {}}}), std::vector{Kind::kCrossing});
}

TEST(PolygonCheck, Orientation) {
  EXPECT_EQ(kinds({{reversed(squareOf(0, 0, 4)), {}}}), std::vector{Kind::kOrientation});
  EXPECT_EQ(kinds({{squareOf(0, 0, 9), {squareOf(2, 2, 2)}}}), std::vector{Kind::kOrientation});
}

TEST(PolygonCheck, Nesting) {
  EXPECT_TRUE(kinds({{squareOf(0, 0, 9), {reversed(squareOf(2, 2, 2)), reversed(squareOf(5, 5, 2))}}}).empty());
  // A hole outside, in another polygon, and in another hole.
  EXPECT_EQ(kinds({{squareOf(0, 0, 9), {reversed(squareOf(20, 2, 2))}}}), std::vector{Kind::kNesting});
  EXPECT_EQ(kinds({{squareOf(0, 0, 9), {}}, {squareOf(20, 0, 9), {reversed(squareOf(2, 2, 2))}}}),
            std::vector{Kind::kNesting});
  EXPECT_EQ(kinds({{squareOf(0, 0, 9), {reversed(squareOf(2, 2, 6)), reversed(squareOf(4, 4, 2))}}}),
            std::vector{Kind::kNesting});
  // A polygon in another's hole is fine, in its interior not.
  EXPECT_TRUE(kinds({{squareOf(0, 0, 9), {reversed(squareOf(2, 2, 6))}}, {squareOf(4, 4, 2), {}}}).empty());
  EXPECT_EQ(kinds({{squareOf(0, 0, 9), {reversed(squareOf(2, 2, 2))}}, {squareOf(5, 5, 2), {}}}),
            std::vector{Kind::kNesting});
  // Also where it touches from inside.
  EXPECT_EQ(kinds({{squareOf(0, 0, 9), {}}, {{{0, 0}, {3, 1}, {1, 3}}, {}}}).front(), Kind::kNesting);
}

TEST(PolygonCheck, BoundaryWalk) {
  // A hole that touches the outer ring in a corner must be part of the one ring.
  const Polygon cut{squareOf(0, 0, 9), {{{0, 0}, {1, 3}, {3, 1}}}};
  EXPECT_EQ(kinds({cut}).front(), Kind::kBoundaryWalk);
  const Polygon right{{{0, 0}, {9, 0}, {9, 9}, {0, 9}, {0, 0}, {1, 3}, {3, 1}}, {}};
  EXPECT_TRUE(kinds({right}).empty());

  // Two squares that touch in a corner are two polygons, not one ring of eight.
  EXPECT_TRUE(kinds({{squareOf(0, 0, 2), {}}, {squareOf(2, 2, 2), {}}}).empty());
  const Polygon eight{{{0, 0}, {2, 0}, {2, 2}, {4, 2}, {4, 4}, {2, 4}, {2, 2}, {0, 2}}, {}};
  EXPECT_EQ(kinds({eight}).front(), Kind::kBoundaryWalk);

  // Two holes that touch are one ring.
  const Ring a = reversed(squareOf(2, 2, 2));
  const Ring b = reversed(squareOf(4, 4, 2));
  EXPECT_EQ(kinds({{squareOf(0, 0, 9), {a, b}}}).front(), Kind::kBoundaryWalk);
  const Ring both = {{4, 4}, {4, 2}, {2, 2}, {2, 4}, {4, 4}, {4, 6}, {6, 6}, {6, 4}};
  EXPECT_TRUE(kinds({{squareOf(0, 0, 9), {both}}}).empty());
}

TEST(PolygonCheck, Limit) {
  std::vector<Polygon> polygons(20, Polygon{reversed(squareOf(0, 0, 4)), {}});
  for (int32_t i = 0; i < 20; ++i) polygons[i].outer = reversed(squareOf(10 * i, 0, 4));
  EXPECT_EQ(findPolygonFaults(polygons, 7).size(), 7U);
  EXPECT_TRUE(findPolygonFaults(polygons, 0).empty());
}

}  // namespace
}  // namespace wend
