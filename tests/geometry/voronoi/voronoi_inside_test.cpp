#include <algorithm>

#include <gtest/gtest.h>

#include "geometry/voronoi/voronoi.h"
#include "tests/geometry/voronoi/inside_laws.h"
#include "tests/geometry/voronoi/voronoi_laws.h"

// The part of the Voronoi diagram inside loops, against the whole one.
namespace wend {
namespace {

TEST(VoronoiInside, SquareRoom) {
  const std::vector<Segment> room = wallsOf(std::vector<Polygon>{{{{0, 0}, {8, 0}, {8, 8}, {0, 8}}, {}}});
  const auto d = voronoiInside(room);
  ASSERT_TRUE(d.ok());
  EXPECT_TRUE(d->inside);
  EXPECT_EQ(d->vertices.size(), 5U) << "corners and middle";
  EXPECT_EQ(d->edges.size(), 2 * (4 + 8U)) << "diagonals, and two in each corner that lead out";
  EXPECT_EQ(findVoronoiFault(*d), "");
}

TEST(VoronoiInside, RoomWithABlock) {
  const std::vector<Segment> room =
      wallsOf(std::vector<Polygon>{{{{0, 0}, {90, 0}, {90, 90}, {0, 90}}, {{{30, 30}, {30, 60}, {60, 60}, {60, 30}}}}});
  const auto d = voronoiInside(room);
  ASSERT_TRUE(d.ok());
  EXPECT_TRUE(d->inside);
  EXPECT_EQ(findVoronoiFault(*d, 0), "");
  EXPECT_NE(findVoronoiFault(*d), "") << "two loops";
  EXPECT_EQ(findDifferenceInside(*d, room), "");
}

// Nothing inside to the left of all: the whole diagram serves.
TEST(VoronoiInside, WhatIsNoInsideGivesTheWhole) {
  const Ring outer{{0, 0}, {90, 0}, {90, 90}, {0, 90}};
  const Ring inner{{30, 30}, {60, 30}, {60, 60}, {30, 60}};
  Ring turned = outer;
  std::reverse(turned.begin(), turned.end());
  const std::vector<std::vector<Segment>> worlds{
      wallsOf(std::vector<Polygon>{{turned, {}}}),             // inside out
      wallsOf(std::vector<Polygon>{{outer, {inner}}}),         // both around an inside
      wallsOf(std::vector<Polygon>{{turned, {inner}}}),        // the wrong one around
      {{{0, 0}, {9, 0}}, {{9, 0}, {9, 9}}},                    // not closed
      {{{0, 0}, {9, 0}}, {{9, 0}, {9, 9}}, {{0, 0}, {9, 9}}},  // not in one direction
      {{{0, 0}, {9, 0}}, {{9, 0}, {0, 0}}},                    // there and back
      wallsOf(std::vector<Polygon>{{{{0, 0}, {9, 0}, {5, 5}}, {}}, {{{5, 5}, {9, 9}, {0, 9}}, {}}}),  // touching
      {}};
  for (const std::vector<Segment>& segments : worlds) {
    const auto d = voronoiInside(segments);
    const auto whole = voronoi(segments, {});
    ASSERT_TRUE(d.ok() && whole.ok());
    EXPECT_FALSE(d->inside);
    EXPECT_EQ(d->edges, whole->edges);
    EXPECT_EQ(d->vertices, whole->vertices);
  }
  EXPECT_FALSE(voronoiInside(std::vector<Segment>{{{0, 0}, {9, 9}}, {{0, 9}, {9, 0}}}).ok()) << "they cross";
}

TEST(VoronoiInside, ValidatorCatchesDamage) {
  const std::vector<Segment> room =
      wallsOf(std::vector<Polygon>{{{{0, 0}, {90, 0}, {90, 90}, {0, 90}}, {{{30, 30}, {30, 60}, {60, 60}, {60, 30}}}}});
  const auto good = voronoiInside(room);
  ASSERT_TRUE(good.ok() && good->inside);
  for (uint32_t e = 0; e < good->edges.size(); ++e) {
    VoronoiDiagram d = *good;
    d.edges[e].next = d.edges[d.edges[e].next].next;
    EXPECT_NE(findVoronoiFault(d, 0), "") << "a short cut at " << e;
    d = *good;
    std::swap(d.edges[e].site, d.edges[e ^ 1].site);
    EXPECT_NE(findVoronoiFault(d, 0), "") << "sites swapped at " << e;
  }
  for (uint32_t v = 0; v < good->vertices.size(); ++v) {
    VoronoiDiagram d = *good;
    d.vertices[v].x += 1e-3;
    EXPECT_NE(findVoronoiFault(d, 0), "") << "a vertex moved";
  }
}

TEST(VoronoiInsideProperty, LikeTheWhole) {
  EXPECT_GT(testing::expectPartsLikeTheWhole(0, 2000), 1000U);
}

}  // namespace
}  // namespace wend
