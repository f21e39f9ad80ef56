#include "generators/ecm/arc.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/vec2.h"

namespace wend::ecm {
namespace {

using Site = CorridorMap::Site;

Site point(int32_t x, int32_t y) {
  return {{x, y}, {x, y}, CorridorMap::SiteKind::kPoint, 0};
}
Site segment(Point a, Point b) {
  return {a, b, CorridorMap::SiteKind::kSegment, 0};
}
double distanceToLine(const Site& site, Vec2 p) {
  const double x = static_cast<double>(site.b.x) - site.a.x;
  const double y = static_cast<double>(site.b.y) - site.a.y;
  return std::abs(x * (p.y - site.a.y) - y * (p.x - site.a.x)) / std::hypot(x, y);
}
double distanceTo(const Site& site, Vec2 p) {
  return site.kind == CorridorMap::SiteKind::kPoint ? distance(toVec2(site.a), p) : distanceToLine(site, p);
}

// Simpson's rule on the speed, refined until it no longer changes.
double integratedLength(const ArcCurve& curve) {
  double last = 0;
  for (int steps = 64; steps <= 1 << 16; steps *= 4) {
    const double width = (curve.end() - curve.begin()) / steps;
    double sum = 0;
    for (int i = 0; i <= steps; ++i) {
      const double u = curve.begin() + width * i;
      const double h = std::max(1e-3, std::abs(width)) * 1e-3;
      const Vec2 a = curve.position(u - h);
      const Vec2 b = curve.position(u + h);
      const double weight = i == 0 || i == steps ? 1 : (i % 2 == 0 ? 2 : 4);
      sum += weight * distance(a, b) / (2 * h);
    }
    sum *= width / 3;
    if (std::abs(sum - last) < 1e-10 * sum) return sum;
    last = sum;
  }
  return last;
}

// A random arc, made from a known parameter range of a known curve, turned and moved.
struct Sample {
  Site left, right;
  Vec2 from, to;
};

// Points of the bisector by bisection along a line from the left site: knows nothing of closed forms.
Vec2 onBisector(const Site& left, const Site& right, Vec2 start, Vec2 direction, double reach) {
  double low = 0;
  double high = reach;
  for (int i = 0; i < 200; ++i) {
    const double t = 0.5 * (low + high);
    const Vec2 p{start.x + direction.x * t, start.y + direction.y * t};
    (distanceTo(left, p) < distanceTo(right, p) ? low : high) = t;
  }
  return {start.x + direction.x * low, start.y + direction.y * low};
}

ArcCurve curveOf(const Sample& s) {
  return {s.left, s.right, s.from, s.to, distanceTo(s.left, s.from), distanceTo(s.left, s.to)};
}

void expectBisector(const Sample& s) {
  const ArcCurve curve = curveOf(s);
  EXPECT_LE(distance(curve.position(curve.begin()), s.from), 1e-7);
  EXPECT_LE(distance(curve.position(curve.end()), s.to), 1e-7);
  double smallest = 1e300;
  for (int i = 0; i <= 100; ++i) {
    const double u = curve.begin() + (curve.end() - curve.begin()) * i / 100;
    const Vec2 p = curve.position(u);
    const double c = curve.clearance(u);
    smallest = std::min(smallest, c);
    ASSERT_NEAR(distanceTo(s.left, p), c, 1e-7);
    ASSERT_NEAR(distanceTo(s.right, p), c, 1e-7);
    ASSERT_NEAR(curve.parameter(p), u, 1e-7);
    const double length = curve.lengthBetween(curve.begin(), u);
    ASSERT_NEAR(curve.parameterAtLength(length), u, 1e-7 * (1 + std::abs(u)));
    const ArcCurve::Crossings crossings = curve.parametersOf(c);
    double nearest = 1e300;
    for (int k = 0; k < crossings.count; ++k) {
      nearest = std::min(nearest, std::abs(crossings.at[static_cast<size_t>(k)] - u));
      ASSERT_NEAR(curve.clearance(crossings.at[static_cast<size_t>(k)]), c, 1e-9 * (1 + c));
    }
    if (i > 0 && i < 100 && curve.kind() != ArcCurve::Kind::kSegments && std::abs(u) > 1) {
      ASSERT_LE(nearest, 1e-5 * (1 + std::abs(u)));
    }
  }
  EXPECT_LE(curve.minClearance(), smallest + 1e-9);
  EXPECT_GE(curve.minClearance(), smallest - (curve.end() - curve.begin()) / 50 - 1e-9);
  EXPECT_NEAR(curve.clearance(curve.narrowest()), curve.minClearance(), 1e-7);
  EXPECT_NEAR(curve.length(), integratedLength(curve), 1e-6 * curve.length() + 1e-7);
}

TEST(EcmArc, BetweenTwoPointsItIsNarrowestInTheMiddle) {
  const ArcCurve curve(point(0, 4), point(0, -4), {3, 0}, {-3, 0}, 5, 5);
  EXPECT_EQ(curve.kind(), ArcCurve::Kind::kPoints);
  EXPECT_EQ(curve.length(), 6);
  EXPECT_EQ(curve.minClearance(), 4);
  const auto crossings = curve.parametersOf(std::sqrt(20.0));
  ASSERT_EQ(crossings.count, 2);
  EXPECT_NEAR(crossings.at[0], -2, 1e-12);
  EXPECT_NEAR(crossings.at[1], 2, 1e-12);
  EXPECT_EQ(curve.parametersOf(3.9).count, 0);
  EXPECT_EQ(curve.parametersOf(5.1).count, 0);
  EXPECT_EQ(curve.parametersOf(4).count, 1);
}

TEST(EcmArc, ParabolaHasTheClosedForms) {
  // Focus (0, 2) above the x axis, h = 2: y = x^2 / 4 + 1.
  const ArcCurve curve(segment({-10, 0}, {10, 0}), point(0, 2), {-4, 5}, {2, 2}, 5, 2);
  EXPECT_EQ(curve.kind(), ArcCurve::Kind::kParabola);
  EXPECT_EQ(curve.begin(), -4);
  EXPECT_EQ(curve.end(), 2);
  EXPECT_EQ(curve.minClearance(), 1);
  EXPECT_EQ(curve.narrowest(), 0);
  EXPECT_EQ(curve.position(1), (Vec2{1, 1.25}));
  const auto half = [](double v) { return v * std::sqrt(1 + v * v) + std::asinh(v); };
  EXPECT_NEAR(curve.length(), half(1) + half(2), 1e-13);
}

TEST(EcmArc, BetweenSegmentsTheClearanceIsLinear) {
  const ArcCurve curve(segment({10, 10}, {0, 0}), segment({0, 0}, {10, 0}), {0, 0}, {8, 8 * std::tan(M_PI / 8)}, 0,
                       8 * std::tan(M_PI / 8));
  EXPECT_EQ(curve.kind(), ArcCurve::Kind::kSegments);
  EXPECT_EQ(curve.minClearance(), 0);
  EXPECT_NEAR(curve.clearance(0.5 * curve.end()), 4 * std::tan(M_PI / 8), 1e-12);
  EXPECT_EQ(curve.parametersOf(0).count, 1);
  EXPECT_EQ(curve.parametersOf(100).count, 0);
}

TEST(EcmArc, AnyValuesAreSafe) {
  const ArcCurve none(point(1, 1), point(1, 1), {1, 1}, {1, 1}, 0, 0);
  EXPECT_EQ(none.length(), 0);
  EXPECT_EQ(none.minClearance(), 0);
  const ArcCurve onLine(point(20, 0), segment({0, 0}, {10, 0}), {3, 4}, {3, 8}, 4, 8);
  EXPECT_EQ(onLine.length(), 4);
}

TEST(EcmArc, RandomArcsLieOnTheBisector) {
  Random random(1);
  const auto coordinate = [&] { return static_cast<int32_t>(random.between(-10000, 10000)); };
  for (int round = 0; round < 300; ++round) {
    Sample s;
    if (round % 3 == 0) {
      s.left = point(coordinate(), coordinate());
      s.right = point(coordinate(), coordinate());
      if (s.left == s.right) continue;
      const Vec2 middle{0.5 * (s.left.a.x + s.right.a.x), 0.5 * (s.left.a.y + s.right.a.y)};
      const Vec2 along{static_cast<double>(s.left.a.y) - s.right.a.y, static_cast<double>(s.right.a.x) - s.left.a.x};
      const double t = random.real(-1, 1);
      const double u = random.real(-1, 1);
      s.from = {middle.x + along.x * t, middle.y + along.y * t};
      s.to = {middle.x + along.x * u, middle.y + along.y * u};
    } else if (round % 3 == 1) {
      s.left = segment({coordinate(), coordinate()}, {coordinate(), coordinate()});
      s.right = point(coordinate(), coordinate());
      if (s.left.a == s.left.b || distanceToLine(s.left, toVec2(s.right.a)) < 10) continue;
      const Vec2 u{static_cast<double>(s.left.b.x) - s.left.a.x, static_cast<double>(s.left.b.y) - s.left.a.y};
      const double length = std::hypot(u.x, u.y);
      const double side = u.x * (s.right.a.y - s.left.a.y) - u.y * (s.right.a.x - s.left.a.x) > 0 ? 1 : -1;
      const Vec2 normal{-u.y / length * side, u.x / length * side};
      for (Vec2* end : {&s.from, &s.to}) {
        const double t = random.real(-0.5, 1.5);
        *end = onBisector(s.left, s.right, {s.left.a.x + u.x * t, s.left.a.y + u.y * t}, normal, 1e9);
        if (distance(*end, toVec2(s.left.a)) > 1e6) *end = {0, 0};
      }
      if (s.from == Vec2{} || s.to == Vec2{}) continue;
    } else {
      const Point corner{coordinate(), coordinate()};
      s.left = segment({coordinate(), coordinate()}, corner);
      s.right = segment(corner, {coordinate(), coordinate()});
      if (s.left.a == corner || s.right.b == corner) continue;
      const auto unit = [&](Point p) {
        const double l = std::hypot(static_cast<double>(p.x) - corner.x, static_cast<double>(p.y) - corner.y);
        return Vec2{(static_cast<double>(p.x) - corner.x) / l, (static_cast<double>(p.y) - corner.y) / l};
      };
      const Vec2 a = unit(s.left.a);
      const Vec2 b = unit(s.right.b);
      const double t = random.real(0, 5000);
      const double u = random.real(0, 5000);
      s.from = {corner.x + (a.x + b.x) * t, corner.y + (a.y + b.y) * t};
      s.to = {corner.x + (a.x + b.x) * u, corner.y + (a.y + b.y) * u};
    }
    SCOPED_TRACE(round);
    expectBisector(s);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(EcmArc, ShortPiecesOfSteepParabolasKeepTheirDigits) {
  // The exact length of a piece is the sum of its halves, far below the digits that the closed form loses here.
  const ArcCurve curve(segment({-1000000, 0}, {1000000, 0}), point(0, 2), {90000, 90000.0 * 90000 / 4 + 1},
                       {100000, 100000.0 * 100000 / 4 + 1}, 0, 0);
  const double width = 0x1p-10;
  double sum = 0;
  const double step = width / 1024;
  for (int i = 0; i < 1024; ++i) sum += curve.lengthBetween(95000 + step * i, 95000 + step * (i + 1));
  EXPECT_NEAR(curve.lengthBetween(95000, 95000 + width) / sum, 1, 1e-12);
  EXPECT_NEAR(curve.lengthBetween(95000, 95000 + width), width * std::hypot(1, (95000 + width / 2) / 2), 1e-12);
}

}  // namespace
}  // namespace wend::ecm
