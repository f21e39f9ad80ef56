#include "generators/ecm/connection_paths.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"

namespace wend::ecm {
namespace {

constexpr double kSliver = 1e-6;

double areaOf(std::span<const PieceCorner> loop) {
  double sum = 0;
  for (size_t i = 0; i < loop.size(); ++i) {
    const Vec2 p = loop[i].p;
    const Vec2 q = loop[i + 1 == loop.size() ? 0 : i + 1].p;
    sum += p.x * q.y - p.y * q.x;
  }
  return sum / 2;
}

std::vector<ConnectionSegment> segmentsAlong(std::span<const Vec2> line) {
  std::vector<ConnectionSegment> segments;
  for (uint32_t i = 0; i + 1 < line.size(); ++i) segments.push_back({line[i], line[i + 1], 1, i});
  return segments;
}

const std::vector<PieceCorner> kSquare{{{0, 0}, 1, 0}, {{10, 0}, 0, 0}, {{10, 10}, 1, 0}, {{0, 10}, 0, 0}};
constexpr Vec2 kLeft{1, 9};  // of the segments below

TEST(EcmConnectionPaths, NoConnection) {
  std::vector<PieceCorner> loop = kSquare;
  enterConnections(loop, {}, kSliver);
  EXPECT_EQ(loop.size(), 4U);
  EXPECT_FALSE(findPath(loop, kSquare, kLeft, {}, kSliver));
}

// Along a side, and touching a corner: nothing to cut.
TEST(EcmConnectionPaths, ConnectionsOnTheOutline) {
  for (const std::vector<Vec2>& line : {std::vector<Vec2>{{-5, 0}, {4, 0}, {20, 0}}, {{-5, 5}, {0, 0}, {5, -5}}}) {
    std::vector<PieceCorner> loop = kSquare;
    const std::vector<ConnectionSegment> segments = segmentsAlong(line);
    enterConnections(loop, segments, kSliver);
    EXPECT_FALSE(findPath(loop, kSquare, kLeft, segments, kSliver));
    EXPECT_EQ(areaOf(loop), 100);
  }
}

// From outside through a wall's side, two bends inside, and out through a corner.
TEST(EcmConnectionPaths, BendsInside) {
  const std::vector<Vec2> line{{5, -3}, {5, 2}, {6, 7}, {10, 10}, {12, 10}};
  const std::vector<ConnectionSegment> segments = segmentsAlong(line);
  std::vector<PieceCorner> loop = kSquare;
  enterConnections(loop, segments, kSliver);
  ASSERT_EQ(loop.size(), 5U);
  const auto path = findPath(loop, kSquare, kLeft, segments, kSliver);
  ASSERT_TRUE(path);
  EXPECT_EQ(loop[path->from].p, (Vec2{5, 0}));
  EXPECT_EQ(loop[path->to].p, (Vec2{10, 10}));
  EXPECT_EQ(path->inner, (std::vector<Vec2>{{5, 2}, {6, 7}}));
  const std::vector<PieceCorner> left = leftOf(loop, *path);
  const std::vector<PieceCorner> right = rightOf(loop, *path);
  EXPECT_EQ(areaOf(left) + areaOf(right), 100);
  EXPECT_GT(areaOf(left), areaOf(right));
  // The wall is on both sides of the path, which is none itself.
  const auto wallAt = [](const std::vector<PieceCorner>& piece, Vec2 p) {
    return std::find_if(piece.begin(), piece.end(), [&](const PieceCorner& corner) { return corner.p == p; })->wall;
  };
  EXPECT_EQ(wallAt(left, {0, 0}), 1);
  EXPECT_EQ(wallAt(left, {5, 0}), 0);
  EXPECT_EQ(wallAt(right, {5, 0}), 1);
  EXPECT_EQ(wallAt(right, {10, 10}), 0);
  EXPECT_FALSE(findPath(left, kSquare, kLeft, segments, kSliver));
  EXPECT_FALSE(findPath(right, kSquare, kLeft, segments, kSliver));
}

// An end of a segment beside a corner and one beside a side, by less than the sliver.
TEST(EcmConnectionPaths, EndsBesideTheOutline) {
  const double d = kSliver / 2;
  const std::vector<Vec2> line{{d, d}, {10 - d, 4}};
  const std::vector<ConnectionSegment> segments = segmentsAlong(line);
  std::vector<PieceCorner> loop = kSquare;
  enterConnections(loop, segments, kSliver);
  ASSERT_EQ(loop.size(), 5U);
  const auto path = findPath(loop, kSquare, kLeft, segments, kSliver);
  ASSERT_TRUE(path);
  EXPECT_EQ(loop[path->from].p, line.front());
  EXPECT_EQ(loop[path->to].p, line.back());
}

// A spiral's next turn begins in top view where this one ends: the layer's other segment runs through the cell, too.
TEST(EcmConnectionPaths, ConnectionsOfTheNextTurn) {
  const std::vector<Vec2> line{{-5, 4}, {15, 4}};
  const std::vector<ConnectionSegment> segments = segmentsAlong(line);
  std::vector<PieceCorner> loop = kSquare;
  enterConnections(loop, segments, kSliver);
  EXPECT_TRUE(findPath(loop, kSquare, kLeft, segments, kSliver));
  EXPECT_TRUE(findPath(loop, kSquare, {5, 4 - kSliver / 2}, segments, kSliver));
  EXPECT_FALSE(findPath(loop, kSquare, {5, 3}, segments, kSliver));
}

// Two cells at a side see it from both ends and the segment from either layer, and must divide it alike, bit by bit.
TEST(EcmConnectionPaths, NeighboursCutTheirSideAlike) {
  size_t cuts = 0;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed);
    const auto somewhere = [&](double low, double high) {
      return Vec2{random.real(-1e7, 1e7), random.real(low, high)};
    };
    const Vec2 p{-1e7 * random.real(1, 2), random.real(-9, 9)};
    const Vec2 q{1e7 * random.real(1, 2), random.real(-9, 9)};
    std::vector<Vec2> line;
    for (uint64_t i = random.between(2, 5); i > 0; --i) line.push_back(somewhere(-20, 20));
    for (Vec2& v : line) v = {std::round(v.x), std::round(v.y)};
    std::vector<Vec2> back(line.rbegin(), line.rend());
    std::vector<PieceCorner> above{{p}, {q}, {somewhere(5e6, 1e7)}};
    std::vector<PieceCorner> below{{q}, {p}, {somewhere(-1e7, -5e6)}};
    enterConnections(above, segmentsAlong(line), 1e-4);
    enterConnections(below, segmentsAlong(back), 1e-4);
    const auto side = [](const std::vector<PieceCorner>& loop, Vec2 from, Vec2 to) {
      std::vector<Vec2> places;
      const auto is = [](Vec2 v) { return [v](const PieceCorner& corner) { return corner.p == v; }; };
      const auto end = std::find_if(loop.begin(), loop.end(), is(to));
      for (auto at = std::find_if(loop.begin(), loop.end(), is(from)); at < end; ++at) places.push_back(at->p);
      places.push_back(to);
      return places;
    };
    std::vector<Vec2> seen = side(below, q, p);
    std::reverse(seen.begin(), seen.end());
    ASSERT_EQ(side(above, p, q), seen) << seed;
    cuts += seen.size() - 2;
  }
  EXPECT_GT(cuts, 500U);
}

}  // namespace
}  // namespace wend::ecm
