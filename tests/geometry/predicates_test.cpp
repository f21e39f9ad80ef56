#include "geometry/predicates.h"

#include <cmath>
#include <limits>

#include <boost/multiprecision/cpp_int.hpp>
#include <gtest/gtest.h>

#include "base/random.h"

namespace wend {
namespace {

using Whole = boost::multiprecision::cpp_int;
using Ratio = boost::multiprecision::cpp_rational;

template <typename T>
int signOf(const T& value) {
  return (value > 0) - (value < 0);
}

int slowOrient(Point a, Point b, Point c) {
  return signOf(Whole(Whole(Whole(b.x) - a.x) * (Whole(c.y) - a.y) - Whole(Whole(b.y) - a.y) * (Whole(c.x) - a.x)));
}

int slowOrient(Vec2 a, Vec2 b, Vec2 c) {
  const Ratio ax(a.x), ay(a.y), bx(b.x), by(b.y), cx(c.x), cy(c.y);
  return signOf(Ratio((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)));
}

int slowInCircle(Point a, Point b, Point c, Point d) {
  const auto row = [&](Point p) {
    const Whole x = Whole(p.x) - d.x;
    const Whole y = Whole(p.y) - d.y;
    return std::array<Whole, 3>{x, y, Whole(x * x + y * y)};
  };
  const auto [ax, ay, a2] = row(a);
  const auto [bx, by, b2] = row(b);
  const auto [cx, cy, c2] = row(c);
  return signOf(Whole(a2 * (bx * cy - by * cx) + b2 * (cx * ay - cy * ax) + c2 * (ax * by - ay * bx)));
}

// By the parameters of the common point, in rational arithmetic.
Meeting slowMeet(Point a, Point b, Point c, Point d) {
  const auto within = [](Point p, Point q, Point r) { return onSegment(p, q, r); };
  if (a == b || c == d) {
    const bool touch = a == b ? within(c, d, a) : within(a, b, c);
    return touch ? Meeting::kTouch : Meeting::kNone;
  }
  const Whole ux = Whole(b.x) - a.x, uy = Whole(b.y) - a.y, vx = Whole(d.x) - c.x, vy = Whole(d.y) - c.y;
  const Whole wx = Whole(c.x) - a.x, wy = Whole(c.y) - a.y;
  const Whole det = ux * vy - uy * vx;
  if (det != 0) {
    const Ratio s = Ratio(Whole(wx * vy - wy * vx)) / Ratio(det);
    const Ratio t = Ratio(Whole(wx * uy - wy * ux)) / Ratio(det);
    if (s < 0 || s > 1 || t < 0 || t > 1) return Meeting::kNone;
    return s == 0 || s == 1 || t == 0 || t == 1 ? Meeting::kTouch : Meeting::kCross;
  }
  if (ux * wy - uy * wx != 0) return Meeting::kNone;
  // On one line: the interval of cd in the parameter of ab.
  const Whole length = ux * ux + uy * uy;
  Ratio from = Ratio(Whole(wx * ux + wy * uy)) / Ratio(length);
  Ratio to = Ratio(Whole((wx + vx) * ux + (wy + vy) * uy)) / Ratio(length);
  if (from > to) std::swap(from, to);
  from = std::max<Ratio>(from, 0);
  to = std::min<Ratio>(to, 1);
  return from > to ? Meeting::kNone : from == to ? Meeting::kTouch : Meeting::kOverlap;
}

// Points on every scale, from a lattice of 3 x 3, where all is degenerate, to the corners of the whole one; half of the
// time all points of a case share one scale.
class Points {
 public:
  explicit Points(Random& random) : random_(random), scale_(random.below(8)) {}
  Point operator()() { return {coordinate(), coordinate()}; }

 private:
  int32_t coordinate() {
    switch (scale_ < 4 ? scale_ : random_.below(4)) {
      case 0:
        return static_cast<int32_t>(random_.between(-1, 1));
      case 1:
        return static_cast<int32_t>(random_.between(-6, 6));
      case 2:
        return static_cast<int32_t>(random_.between(-kMaxCoordinate, kMaxCoordinate));
      default:
        return static_cast<int32_t>((random_.chance(0.5) ? 1 : -1) * (kMaxCoordinate - random_.between(0, 2)));
    }
  }
  Random& random_;
  uint64_t scale_;
};

// The nearest lattice point of the line through a and b at a random place: an orientation of nearly 0, often 0.
Point nearLine(Random& random, Point a, Point b) {
  const double t = random.real(-0.5, 1.5);
  const double x = std::round(a.x + t * (static_cast<double>(b.x) - a.x));
  const double y = std::round(a.y + t * (static_cast<double>(b.y) - a.y));
  return {static_cast<int32_t>(std::clamp<double>(x, -kMaxCoordinate, kMaxCoordinate)),
          static_cast<int32_t>(std::clamp<double>(y, -kMaxCoordinate, kMaxCoordinate))};
}

TEST(Predicates, OrientOfLatticePoints) {
  Random random(1);
  size_t zeros = 0;
  for (int i = 0; i < 20000; ++i) {
    Points point(random);
    const Point a = point();
    const Point b = point();
    const Point c = random.chance(0.5) ? nearLine(random, a, b) : point();
    const int turn = orient(a, b, c);
    ASSERT_EQ(turn, slowOrient(a, b, c));
    ASSERT_EQ(turn, orient(b, c, a));
    ASSERT_EQ(turn, -orient(b, a, c));
    ASSERT_EQ(orient(a, a, b), 0);
    ASSERT_EQ(turn, orient(toVec2(a), toVec2(b), toVec2(c)));
    const auto mirrored = [](Point p) { return Point{p.y, p.x}; };
    ASSERT_EQ(turn, -orient(mirrored(a), mirrored(b), mirrored(c)));
    const auto halved = [](Point p) { return Point{p.x / 2, p.y / 2}; };
    const Point by = halved(point());
    const auto moved = [&](Point p) { return Point{p.x + by.x, p.y + by.y}; };
    ASSERT_EQ(orient(halved(a), halved(b), halved(c)), orient(moved(halved(a)), moved(halved(b)), moved(halved(c))));
    zeros += turn == 0;
  }
  EXPECT_GT(zeros, 1000U);
}

TEST(Predicates, CrossIsTwiceTheArea) {
  constexpr int32_t m = kMaxCoordinate;
  EXPECT_TRUE(cross({-m, -m}, {m, -m}, {m, m}) == Int128{1} << 62);
  EXPECT_TRUE(cross({-m, -m}, {m, m}, {m, -m}) == -(Int128{1} << 62));
  EXPECT_TRUE(cross({0, 0}, {3, 0}, {0, 5}) == 15);
}

TEST(Predicates, OrientOfDoublesNextToALine) {
  // Kettner et al., "Classroom examples of robustness problems": points one bit apart near a line.
  size_t naiveErrors = 0;
  const Vec2 b{12, 12};
  const Vec2 c{24, 24};
  for (int i = 0; i < 100; ++i) {
    for (int j = 0; j < 100; ++j) {
      const Vec2 a{0.5 + i * 0x1p-53, 0.5 + j * 0x1p-53};
      const int turn = orient(a, b, c);
      ASSERT_EQ(turn, slowOrient(a, b, c));
      ASSERT_EQ(turn, signOf(j - i) == 0 ? 0 : signOf(a.y - a.x));
      naiveErrors += turn != signOf((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
    }
  }
  EXPECT_GT(naiveErrors, 100U);  // so the cases are hard
}

TEST(Predicates, OrientOfDoubles) {
  Random random(2);
  for (int i = 0; i < 20000; ++i) {
    const double scale = std::ldexp(1.0, static_cast<int>(random.between(-20, 31)));
    const auto point = [&] { return Vec2{random.real(-scale, scale), random.real(-1e9, 1e9)}; };
    const Vec2 a = point();
    const Vec2 b = point();
    const double t = random.real(-1, 2);
    Vec2 c = random.chance(0.7) ? Vec2{a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)} : point();
    if (random.chance(0.3)) c.x = std::nextafter(c.x, std::numeric_limits<double>::infinity());
    if (random.chance(0.05)) c = a;
    const int turn = orient(a, b, c);
    ASSERT_EQ(turn, slowOrient(a, b, c));
    ASSERT_EQ(turn, orient(b, c, a));
    ASSERT_EQ(turn, -orient(b, a, c));
    ASSERT_EQ(orient(a, a, b), 0);
  }
}

TEST(Predicates, InCircleOfTheWholeLattice) {
  constexpr int32_t m = kMaxCoordinate;
  const Point corners[4] = {{-m, -m}, {m, -m}, {m, m}, {-m, m}};
  EXPECT_EQ(inCircle(corners[0], corners[1], corners[2], corners[3]), 0);
  EXPECT_EQ(inCircle(corners[0], corners[1], corners[2], {-m, m - 1}), 1);
  EXPECT_EQ(inCircle(corners[0], corners[1], {m, m - 1}, {-m, m}), -1);
  // Within one unit of a circle of nearly the lattice's size.
  Random random(3);
  for (int i = 0; i < 5000; ++i) {
    Point p[4];
    for (Point& q : p) {
      const double angle = random.real(0, 6.2831853);
      q = {static_cast<int32_t>(std::round(std::cos(angle) * (m - 1))),
           static_cast<int32_t>(std::round(std::sin(angle) * (m - 1)))};
    }
    ASSERT_EQ(inCircle(p[0], p[1], p[2], p[3]), slowInCircle(p[0], p[1], p[2], p[3]));
  }
}

TEST(Predicates, InCircle) {
  Random random(4);
  size_t zeros = 0;
  for (int i = 0; i < 20000; ++i) {
    Points point(random);
    const Point a = point();
    const Point b = point();
    const Point c = point();
    // The fourth corner of a rectangle or kite is often cocircular.
    Point d = point();
    if (random.chance(0.4)) {
      const int64_t x = static_cast<int64_t>(a.x) + c.x - b.x;
      const int64_t y = static_cast<int64_t>(a.y) + c.y - b.y;
      if (std::abs(x) <= kMaxCoordinate && std::abs(y) <= kMaxCoordinate) {
        d = {static_cast<int32_t>(x), static_cast<int32_t>(y)};
      }
    }
    const int inside = inCircle(a, b, c, d);
    ASSERT_EQ(inside, slowInCircle(a, b, c, d));
    ASSERT_EQ(inside, inCircle(b, c, a, d));
    ASSERT_EQ(inside, -inCircle(b, a, c, d));
    ASSERT_EQ(inside, -inCircle(a, b, d, c));
    ASSERT_EQ(inCircle(a, b, c, a), 0);
    zeros += inside == 0;
  }
  EXPECT_GT(zeros, 1000U);
}

TEST(Predicates, OnSegment) {
  Random random(5);
  size_t hits = 0;
  for (int i = 0; i < 15000; ++i) {
    Points point(random);
    const Point a = point();
    const Point b = point();
    const Point p = random.chance(0.5) ? nearLine(random, a, b) : point();
    // On the line, and the dot product from both ends is not negative.
    const Whole dotA = (Whole(p.x) - a.x) * (Whole(b.x) - a.x) + (Whole(p.y) - a.y) * (Whole(b.y) - a.y);
    const Whole dotB = (Whole(p.x) - b.x) * (Whole(a.x) - b.x) + (Whole(p.y) - b.y) * (Whole(a.y) - b.y);
    const bool expected = a == b ? p == a : slowOrient(a, b, p) == 0 && dotA >= 0 && dotB >= 0;
    ASSERT_EQ(onSegment(a, b, p), expected);
    ASSERT_EQ(onSegment(b, a, p), expected);
    ASSERT_TRUE(onSegment(a, b, a) && onSegment(a, b, b));
    hits += expected;
  }
  EXPECT_GT(hits, 500U);
}

TEST(Predicates, Meet) {
  Random random(6);
  std::array<size_t, 4> seen{};
  for (int i = 0; i < 20000; ++i) {
    Points point(random);
    const Point a = point();
    const Point b = point();
    const Point c = random.chance(0.4) ? nearLine(random, a, b) : point();
    const Point d = random.chance(0.2) ? nearLine(random, a, b) : random.chance(0.1) ? a : point();
    const Meeting meeting = meet(a, b, c, d);
    ASSERT_EQ(meeting, slowMeet(a, b, c, d));
    ASSERT_EQ(meeting, meet(b, a, c, d));
    ASSERT_EQ(meeting, meet(a, b, d, c));
    ASSERT_EQ(meeting, meet(c, d, a, b));
    ++seen[static_cast<size_t>(meeting)];
  }
  for (const size_t count : seen) EXPECT_GT(count, 100U);
}

}  // namespace
}  // namespace wend
