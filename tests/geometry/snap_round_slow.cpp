#include <chrono>
#include <cstdio>

#include <gtest/gtest.h>

#include "geometry/index/segment_pairs.h"
#include "geometry/snap_round.h"
#include "tests/geometry/segment_soup.h"

namespace wend {
namespace {

using soup::distinctEdges;

// Rounds, checks, and prints the time.
void expectRounded(const char* name, const std::vector<Segment>& segments) {
  const auto start = std::chrono::steady_clock::now();
  const auto pieces = snapRound(segments);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  ASSERT_TRUE(pieces.ok()) << pieces.error().message;
  std::printf("%-24s %9zu segments %9zu pieces %7.2f s\n", name, segments.size(), pieces->size(), seconds);
  const std::vector<Segment> edges = distinctEdges(*pieces);
  EXPECT_EQ(forEachClosePair(edges, {}, pairBudget(edges.size()),
                             [&](uint32_t i, uint32_t j) { return meetInEndsOnly(edges[i], edges[j]); }),
            PairSearch::kDone);
}

// Square rooms side by side, every wall drawn twice.
std::vector<Segment> rooms(int32_t side, int32_t size) {
  std::vector<Segment> segments;
  for (int32_t x = 0; x < side; ++x) {
    for (int32_t y = 0; y < side; ++y) {
      const Point p{x * size, y * size};
      const Point q{p.x + size, p.y + size};
      for (const Segment s : {Segment{p, {q.x, p.y}}, {{q.x, p.y}, q}, {q, {p.x, q.y}}, {{p.x, q.y}, p}}) {
        segments.push_back(s);
      }
    }
  }
  return segments;
}

TEST(SnapRoundSlow, MillionWalls) {
  expectRounded("rooms", rooms(500, 30'000));
}

TEST(SnapRoundSlow, LongSegmentsAcrossManyShortOnes) {
  Random random(1);
  std::vector<Segment> segments = rooms(350, 40'000);
  for (int i = 0; i < 300; ++i) {
    segments.push_back({{0, static_cast<int32_t>(random.below(14'000'000))},
                        {14'000'000, static_cast<int32_t>(random.below(14'000'000))}});
  }
  expectRounded("rooms and long lines", segments);
}

TEST(SnapRoundSlow, CrowdAndOneFarAway) {
  std::vector<Segment> segments = rooms(300, 20);
  segments.push_back({{kMaxCoordinate, kMaxCoordinate}, {kMaxCoordinate, 0}});
  expectRounded("crowd and one far away", segments);
}

TEST(SnapRoundSlow, Star) {
  Random random(2);
  std::vector<Segment> segments;
  for (int i = 0; i < 200'000; ++i) segments.push_back({{0, 0}, soup::randomPoint(random, kMaxCoordinate)});
  expectRounded("star", segments);
}

TEST(SnapRoundSlow, Stripes) {
  std::vector<Segment> segments;
  for (int32_t i = 0; i < 200'000; ++i) segments.push_back({{0, 100 * i}, {100'000'000, 100 * i}});
  expectRounded("level stripes", segments);
  for (int32_t i = 0; i < 200'000; ++i) segments[i] = {{0, 100 * i}, {100'000'000, 100 * i + 70'000'000}};
  expectRounded("slanted stripes", segments);
}

TEST(SnapRoundSlow, MillionCrossings) {
  Random random(3);
  std::vector<Segment> segments;
  for (int i = 0; i < 2000; ++i) {
    segments.push_back({soup::randomPoint(random, kMaxCoordinate), soup::randomPoint(random, kMaxCoordinate)});
  }
  expectRounded("long, large lattice", segments);
  for (Segment& s : segments) s = {soup::randomPoint(random, 500), soup::randomPoint(random, 500)};
  expectRounded("long, small lattice", segments);
  for (Segment& s : segments) s = {soup::randomPoint(random, 5000), soup::randomPoint(random, 5000)};
  expectRounded("long, middle lattice", segments);
}

TEST(SnapRoundSlow, TooManyPiecesIsAnError) {
  // 7,000 nested collinear segments would need 49 million pieces.
  std::vector<Segment> segments;
  for (int32_t i = 1; i <= 7000; ++i) segments.push_back({{-i, 0}, {i, 0}});
  const auto pieces = snapRound(segments);
  ASSERT_FALSE(pieces.ok());
  EXPECT_EQ(pieces.error().code, ErrorCode::kLimit);
}

TEST(SnapRoundSlow, TooManyCrossingsIsAnError) {
  Random random(4);
  std::vector<Segment> segments;
  for (int i = 0; i < 30'000; ++i) {
    segments.push_back({soup::randomPoint(random, kMaxCoordinate), soup::randomPoint(random, kMaxCoordinate)});
  }
  const auto pieces = snapRound(segments);
  ASSERT_FALSE(pieces.ok());
  EXPECT_EQ(pieces.error().code, ErrorCode::kLimit);
}

}  // namespace
}  // namespace wend
