#include "geometry/voronoi/sweep_circle.h"

#include <cmath>
#include <utility>

#include <boost/polygon/voronoi_builder.hpp>
#include <gtest/gtest.h>

#include "base/random.h"

// Circle events against Boost's exact ones.
namespace wend {
namespace {

namespace bp = boost::polygon;
using Site = bp::detail::site_event<int32_t>;
using Circle = bp::detail::circle_event<double>;
using Exact =
    bp::detail::voronoi_predicates<bp::detail::voronoi_ctype_traits<int32_t>>::mp_circle_formation_functor<Site,
                                                                                                           Circle>;

Site site(Point p) {
  return {p.x, p.y};
}
Site site(const SweepLine& line) {
  return {line.a.x, line.a.y, line.b.x, line.b.y};
}

// A cluster of sites anywhere on the lattice: what makes absolute coordinates lose their digits.
class Cluster {
 public:
  explicit Cluster(Random& random) : random_(random) {
    extent_ = int64_t{1} << random.between(2, 29);
    const int64_t room = (int64_t{1} << 30) - extent_;
    centre_ = {random.between(-room, room), random.between(-room, room)};
  }
  Point point() {
    return {static_cast<int32_t>(centre_.first + random_.between(-extent_, extent_)),
            static_cast<int32_t>(centre_.second + random_.between(-extent_, extent_))};
  }
  // Often level, upright, or from a given point.
  SweepLine line(Point from) {
    while (true) {
      const Point a = random_.chance(0.3) ? from : point();
      Point b = point();
      if (random_.chance(0.2)) b.x = a.x;
      if (random_.chance(0.2)) b.y = a.y;
      if (a != b) return random_.chance(0.5) ? SweepLine(a, b) : SweepLine(b, a);
    }
  }

 private:
  Random& random_;
  int64_t extent_;
  std::pair<int64_t, int64_t> centre_;
};

struct Tally {
  int circles = 0;
  int sure = 0;
};

// Boost's own numbers may be off by 64 units in the last place.
void compare(const SweepCircle& circle, const Circle& exact, Tally& tally) {
  const auto near = [](double value, double expected) {
    return std::abs(value - expected) <= 64 * 0x1.0p-52 * std::abs(expected);
  };
  if (!(exact.lower_x() >= exact.x()) || !std::isfinite(exact.lower_x())) return;  // no circle on this side
  ++tally.circles;
  tally.sure += circle.sure() ? 1 : 0;
  EXPECT_TRUE(!circle.sureX || near(circle.x, exact.x())) << circle.x << " " << exact.x();
  EXPECT_TRUE(!circle.sureY || near(circle.y, exact.y())) << circle.y << " " << exact.y();
  EXPECT_TRUE(!circle.sureLowerX || near(circle.lowerX, exact.lower_x())) << circle.lowerX << " " << exact.lower_x();
}

constexpr int kRounds = 20'000;

TEST(SweepCircle, Points) {
  Tally tally;
  for (uint64_t seed = 0; seed < kRounds && !testing::Test::HasFailure(); ++seed) {
    Random random(seed, 1);
    Cluster cluster(random);
    const Point p = cluster.point();
    const Point q = cluster.point();
    const Point r = cluster.point();
    Circle exact;
    Exact().ppp(site(p), site(q), site(r), exact);
    compare(sweepCircle(p, q, r), exact, tally);
  }
  EXPECT_GT(tally.sure, 0.98 * tally.circles);
  EXPECT_GT(tally.circles, kRounds / 2);
}

TEST(SweepCircle, PointsAndLine) {
  Tally tally;
  for (uint64_t seed = 0; seed < kRounds && !testing::Test::HasFailure(); ++seed) {
    Random random(seed, 2);
    Cluster cluster(random);
    const Point p = cluster.point();
    const Point q = cluster.point();
    const SweepLine line = cluster.line(p);
    if (p == q || sweepCircle(p, q, line, true).x == 0) continue;  // on both sides of the line
    for (const int index : {1, 2, 3}) {
      Circle exact;
      Exact().pps(site(p), site(q), site(line), index, exact);
      compare(sweepCircle(p, q, line, index == 2), exact, tally);
    }
  }
  EXPECT_GT(tally.sure, 0.98 * tally.circles);
  EXPECT_GT(tally.circles, kRounds / 2);
}

TEST(SweepCircle, PointAndLines) {
  Tally tally;
  for (uint64_t seed = 0; seed < kRounds && !testing::Test::HasFailure(); ++seed) {
    Random random(seed, 3);
    Cluster cluster(random);
    const Point p = cluster.point();
    const SweepLine s = cluster.line(p);
    const SweepLine t = cluster.line(random.chance(0.5) ? p : s.b);
    if (sweepCircle(p, s.reversed(), t, true).x == 0) continue;  // between the wrong sides of the lines
    for (const int index : {1, 2, 3}) {
      Circle exact;
      Exact().pss(site(p), site(s), site(t), index, exact);
      compare(sweepCircle(p, s.reversed(), t, index == 2), exact, tally);
    }
  }
  EXPECT_GT(tally.sure, 0.98 * tally.circles);
  EXPECT_GT(tally.circles, kRounds / 2);
}

TEST(SweepCircle, Lines) {
  Tally tally;
  for (uint64_t seed = 0; seed < kRounds && !testing::Test::HasFailure(); ++seed) {
    Random random(seed, 4);
    Cluster cluster(random);
    const SweepLine s = cluster.line(cluster.point());
    const SweepLine t = cluster.line(s.b);
    const SweepLine u = cluster.line(t.b);
    Circle exact;
    Exact().sss(site(s), site(t), site(u), exact);
    compare(sweepCircle(s, t, u), exact, tally);
  }
  EXPECT_GT(tally.sure, 0.9 * tally.circles);
  EXPECT_GT(tally.circles, kRounds / 4);
}

// Where the bisector of two walls is known only from where they meet.
TEST(SweepCircle, WallsThatGoOnAlmostStraight) {
  Tally tally;
  for (uint64_t seed = 0; seed < kRounds && !testing::Test::HasFailure(); ++seed) {
    Random random(seed, 5);
    const auto number = [&](int64_t most) { return static_cast<int32_t>(random.between(-most, most)); };
    const Point middle{number(5'000'000), number(5'000'000)};
    const Point along{number(400'000), number(400'000)};
    const SweepLine s{{middle.x - along.x, middle.y - along.y}, middle};
    const SweepLine t{middle, {middle.x + along.x + number(2), middle.y + along.y + number(2)}};
    if (s.a == s.b || t.a == t.b) continue;
    const Point p{number(6'000'000), number(6'000'000)};
    const SweepLine u{p, {number(6'000'000), number(6'000'000)}};
    Circle exact;
    Exact().sss(site(s), site(t), site(u), exact);
    compare(sweepCircle(s, t, u), exact, tally);
    if (sweepCircle(p, s.reversed(), t, true).x == 0) continue;
    for (const int index : {1, 2, 3}) {
      Exact().pss(site(p), site(s), site(t), index, exact);
      compare(sweepCircle(p, s.reversed(), t, index == 2), exact, tally);
    }
  }
  EXPECT_GT(tally.sure, 0.98 * tally.circles);
  EXPECT_GT(tally.circles, kRounds / 2);
}

TEST(SweepCircle, CommonEndOfTwoLines) {
  const Point p{-7, 1'000'003};
  const SweepCircle circle = sweepCircle(p, SweepLine{{5, 9}, p}, SweepLine{p, {1 << 29, -3}}, true);
  EXPECT_TRUE(circle.sure());
  EXPECT_EQ(circle.x, p.x);
  EXPECT_EQ(circle.y, p.y);
  EXPECT_EQ(circle.lowerX, p.x);
}

TEST(SweepCircle, NothingIsSureWithoutCircle) {
  const SweepLine level{{0, 0}, {10, 0}};
  EXPECT_FALSE(sweepCircle(Point{0, 0}, Point{1, 1}, Point{2, 2}).sure());
  EXPECT_FALSE(sweepCircle(Point{0, 1}, Point{0, -1}, level, true).sure());
  EXPECT_FALSE(sweepCircle(Point{0, 0}, Point{4, 0}, level, true).sure());
  EXPECT_FALSE(sweepCircle(Point{3, 0}, level, SweepLine{{4, 0}, {9, 0}}, true).sure());
  EXPECT_FALSE(sweepCircle(Point{3, 2}, level, SweepLine{{0, 1}, {10, 1}}, true).sure());
  EXPECT_FALSE(sweepCircle(level, SweepLine{{0, 1}, {10, 1}}, SweepLine{{0, 2}, {10, 2}}).sure());
}

}  // namespace
}  // namespace wend
