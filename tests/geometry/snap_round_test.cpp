#include "geometry/snap_round.h"

#include <cmath>

#include <gtest/gtest.h>

#include "geometry/index/segment_pairs.h"
#include "geometry/predicates.h"
#include "tests/geometry/segment_soup.h"

namespace wend {
namespace {

using soup::distinctEdges;
using soup::randomReach;
using soup::randomSegments;

std::vector<Piece> rounded(const std::vector<Segment>& segments, int roundingPasses = 6) {
  auto pieces = snapRound(segments, {}, roundingPasses);
  EXPECT_TRUE(pieces.ok()) << (pieces.ok() ? "" : pieces.error().message);
  return pieces.ok() ? *pieces : std::vector<Piece>{};
}

bool same(const std::vector<Piece>& pieces, const std::vector<Piece>& expected) {
  return std::equal(pieces.begin(), pieces.end(), expected.begin(), expected.end(),
                    [](const Piece& p, const Piece& q) { return p.a == q.a && p.b == q.b && p.source == q.source; });
}

double distance(const Segment& s, Point p) {
  const double dx = static_cast<double>(s.b.x) - s.a.x;
  const double dy = static_cast<double>(s.b.y) - s.a.y;
  const double px = static_cast<double>(p.x) - s.a.x;
  const double py = static_cast<double>(p.y) - s.a.y;
  const double length2 = dx * dx + dy * dy;
  const double t = length2 == 0 ? 0 : std::clamp((px * dx + py * dy) / length2, 0.0, 1.0);
  return std::hypot(px - t * dx, py - t * dy);
}

// Everything the header promises, by brute force.
void expectRounded(const std::vector<Segment>& segments, const std::vector<Piece>& pieces) {
  const std::vector<Segment> edges = distinctEdges(pieces);
  for (size_t i = 0; i < edges.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      ASSERT_TRUE(meetInEndsOnly(edges[i], edges[j]))
          << "(" << edges[i].a.x << "," << edges[i].a.y << ")-(" << edges[i].b.x << "," << edges[i].b.y << ") and ("
          << edges[j].a.x << "," << edges[j].a.y << ")-(" << edges[j].b.x << "," << edges[j].b.y << ")";
    }
  }
  size_t next = 0;
  for (uint32_t s = 0; s < segments.size(); ++s) {
    Point at = segments[s].a;
    for (; next < pieces.size() && pieces[next].source == s; ++next) {
      ASSERT_EQ(pieces[next].a, at);
      ASSERT_NE(pieces[next].a, pieces[next].b);
      at = pieces[next].b;
      ASSERT_LT(distance(segments[s], at), 5.0);
    }
    ASSERT_EQ(at, segments[s].b) << "the chain of segment " << s << " does not reach its end";
  }
  ASSERT_EQ(next, pieces.size());
}

TEST(SnapRound, NothingAndPoints) {
  EXPECT_TRUE(rounded({}).empty());
  EXPECT_TRUE(rounded({{{3, 4}, {3, 4}}}).empty());
  // A point on a segment does not split it: it has vanished.
  EXPECT_TRUE(same(rounded({{{0, 0}, {4, 0}}, {{2, 0}, {2, 0}}}), {{{0, 0}, {4, 0}, 0}}));
}

TEST(SnapRound, CrossAtLatticePoint) {
  EXPECT_TRUE(same(rounded({{{0, 0}, {4, 4}}, {{4, 0}, {0, 4}}}),
                   {{{0, 0}, {2, 2}, 0}, {{2, 2}, {4, 4}, 0}, {{4, 0}, {2, 2}, 1}, {{2, 2}, {0, 4}, 1}}));
}

TEST(SnapRound, CrossIsRoundedUpwards) {
  // The crossing (1/2, 1/2) rounds to (1, 1), an end of the first segment.
  EXPECT_TRUE(same(rounded({{{0, 0}, {1, 1}}, {{1, 0}, {0, 1}}}),
                   {{{0, 0}, {1, 1}, 0}, {{1, 0}, {1, 1}, 1}, {{1, 1}, {0, 1}, 1}}));
}

TEST(SnapRound, TouchOverlapAndCopies) {
  EXPECT_TRUE(same(rounded({{{0, 0}, {4, 0}}, {{2, 5}, {2, 0}}}),
                   {{{0, 0}, {2, 0}, 0}, {{2, 0}, {4, 0}, 0}, {{2, 5}, {2, 0}, 1}}));
  EXPECT_TRUE(same(rounded({{{0, 0}, {4, 0}}, {{6, 0}, {2, 0}}}),
                   {{{0, 0}, {2, 0}, 0}, {{2, 0}, {4, 0}, 0}, {{6, 0}, {4, 0}, 1}, {{4, 0}, {2, 0}, 1}}));
  EXPECT_TRUE(same(rounded({{{0, 0}, {4, 1}}, {{4, 1}, {0, 0}}, {{0, 0}, {4, 1}}}),
                   {{{0, 0}, {4, 1}, 0}, {{4, 1}, {0, 0}, 1}, {{0, 0}, {4, 1}, 2}}));
}

TEST(SnapRound, CornersOfTheLattice) {
  constexpr int32_t m = kMaxCoordinate;
  const std::vector<Segment> segments = {{{-m, -m}, {m, m}}, {{-m, m}, {m, -m}}, {{-m, 0}, {m, 1}}, {{1, -m}, {0, m}}};
  expectRounded(segments, rounded(segments));
  const auto beyond = snapRound(std::vector<Segment>{{{0, 0}, {m + 1, 0}}});
  ASSERT_FALSE(beyond.ok());
  EXPECT_EQ(beyond.error().code, ErrorCode::kOutsideLattice);
}

TEST(SnapRound, FineInputComesBackUnchanged) {
  // A fan of edges that pass within a fraction of a unit of each other's ends.
  std::vector<Segment> segments;
  for (int32_t i = 0; i < 50; ++i) segments.push_back({{0, 0}, {100, 1000 + i}});
  for (int32_t i = 0; i < 50; ++i) segments.push_back({{100, 1000 + i}, {200, 1000 + 40 * i}});
  const std::vector<Piece> pieces = rounded(segments);
  ASSERT_EQ(pieces.size(), segments.size());
  for (uint32_t i = 0; i < pieces.size(); ++i) {
    EXPECT_EQ(pieces[i].a, segments[i].a);
    EXPECT_EQ(pieces[i].b, segments[i].b);
  }
}

TEST(SnapRound, RandomSoups) {
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    Random random(seed);
    const int32_t reach = randomReach(random);
    const std::vector<Segment> segments = randomSegments(random, 1 + random.below(24), reach);
    const std::vector<Piece> pieces = rounded(segments);
    expectRounded(segments, pieces);
    if (HasFatalFailure()) FAIL() << "seed " << seed << " reach " << reach;
    // A fixed point.
    std::vector<Segment> again;
    for (const Piece& piece : pieces) again.push_back({piece.a, piece.b});
    ASSERT_EQ(rounded(again).size(), again.size()) << "seed " << seed;
  }
}

TEST(SnapRound, CrowdedSmallLattices) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed, 1);
    const int32_t reach = static_cast<int32_t>(random.between(3, 60));
    const std::vector<Segment> segments = randomSegments(random, 150, reach);
    expectRounded(segments, rounded(segments));
    if (HasFatalFailure()) FAIL() << "seed " << seed << " reach " << reach;
  }
}

TEST(SnapRound, HotPixels) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed, 3);
    const int32_t reach = randomReach(random);
    const std::vector<Segment> segments = randomSegments(random, 1 + random.below(40), reach);
    const std::vector<Piece> pieces = rounded(segments, static_cast<int>(seed % 2));
    expectRounded(segments, pieces);
    if (HasFatalFailure()) FAIL() << "seed " << seed << " reach " << reach;
    // Classic snap rounding moves nothing by more than half a unit in either coordinate.
    for (const Piece& piece : pieces) {
      if (seed % 2 == 0) {
        ASSERT_LE(distance(segments[piece.source], piece.b), std::sqrt(0.5) + 1e-6) << "seed " << seed;
      }
    }
  }
}

TEST(SnapRound, PairsAgreeWithBruteForce) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed, 2);
    std::vector<Segment> segments = randomSegments(random, 2 + random.below(300), randomReach(random));
    if (seed % 3 == 0) {
      // A crowd far away from a lonely segment, and a star.
      for (Segment& s : segments) {
        s.a = {static_cast<int32_t>(s.a.x % 100), static_cast<int32_t>(s.a.y % 100)};
        if (seed % 2 == 0) s.a = {0, 0};
        s.b = {static_cast<int32_t>(s.b.x % 100), static_cast<int32_t>(s.b.y % 100)};
      }
      segments.push_back({{kMaxCoordinate, kMaxCoordinate}, {kMaxCoordinate - 1, kMaxCoordinate}});
    }
    std::vector<uint8_t> marked(segments.size());
    for (uint8_t& mark : marked) mark = random.chance(0.3) ? 1 : 0;
    if (seed % 2 == 0) marked.clear();
    const size_t n = segments.size();
    std::vector<uint8_t> seen(n * n, 0);
    ASSERT_EQ(forEachClosePair(segments, marked, pairBudget(n),
                               [&](uint32_t i, uint32_t j) {
                                 seen[i * n + j] = seen[j * n + i] = 1;
                                 return true;
                               }),
              PairSearch::kDone);
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (!marked.empty() && marked[i] == 0 && marked[j] == 0) {
          ASSERT_EQ(seen[i * n + j], 0);
        } else if (!meetInEndsOnly(segments[i], segments[j])) {
          ASSERT_EQ(seen[i * n + j], 1) << "seed " << seed;
        }
      }
    }
  }
}

TEST(SnapRound, ManyLongSegments) {
  Random random(7);
  std::vector<Segment> segments;
  for (int i = 0; i < 600; ++i) {
    segments.push_back({soup::randomPoint(random, kMaxCoordinate), soup::randomPoint(random, kMaxCoordinate)});
  }
  const std::vector<Piece> pieces = rounded(segments);
  EXPECT_GT(pieces.size(), 50'000U);
  const std::vector<Segment> edges = distinctEdges(pieces);
  EXPECT_EQ(forEachClosePair(edges, {}, pairBudget(edges.size()),
                             [&](uint32_t i, uint32_t j) { return meetInEndsOnly(edges[i], edges[j]); }),
            PairSearch::kDone);
}

TEST(SnapRound, CancelStops) {
  Random random(3);
  Context context;
  context.cancel();
  const auto pieces = snapRound(randomSegments(random, 2000, 1000), context);
  ASSERT_FALSE(pieces.ok());
  EXPECT_EQ(pieces.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace wend
