#include "geometry/voronoi/sweep_circle.h"

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace wend {
namespace {

// Holds whole numbers of 64 bits.
using Real = long double;
constexpr Real kUnit = std::numeric_limits<Real>::epsilon() / 2;

// From one point to another. Products and the sums of two of these fit 64 bits; only two diagonals of the whole lattice
// would take one more, and of these there is no more than one.
struct Offset {
  int64_t x;
  int64_t y;
};
Offset between(Point a, Point b) {
  return {int64_t{b.x} - a.x, int64_t{b.y} - a.y};
}
int64_t dot(Offset a, Offset b) {
  return a.x * b.x + a.y * b.y;
}
int64_t cross(Offset a, Offset b) {
  return a.x * b.y - a.y * b.x;
}
Real squaredLength(Offset a) {
  return static_cast<Real>(static_cast<uint64_t>(a.x * a.x) + static_cast<uint64_t>(a.y * a.y));
}
Real toReal(int64_t value) {
  return static_cast<Real>(value);
}

struct RealVector {
  Real x;
  Real y;
};
RealVector operator+(RealVector a, RealVector b) {
  return {a.x + b.x, a.y + b.y};
}
RealVector operator-(RealVector a, RealVector b) {
  return {a.x - b.x, a.y - b.y};
}
RealVector operator*(RealVector a, Real s) {
  return {a.x * s, a.y * s};
}
RealVector left(RealVector a) {
  return {-a.y, a.x};
}
Real dot(RealVector a, RealVector b) {
  return a.x * b.x + a.y * b.y;
}
Real cross(RealVector a, RealVector b) {
  return a.x * b.y - a.y * b.x;
}
Real size(RealVector a) {
  return std::abs(a.x) + std::abs(a.y);
}
RealVector toVector(Offset a) {
  return {toReal(a.x), toReal(a.y)};
}

bool isSure(Real value, Real error) {
  // Half of the bound is left for the sum with the origin and for rounding to double.
  return error <= Real{kSweepCircleError} / 2 * std::abs(value);
}

// `error` bounds that of the centre's coordinates, and of the radius.
SweepCircle circleAt(Point origin, RealVector centre, Real radius, Real error) {
  const Real x = origin.x + centre.x;
  const Real y = origin.y + centre.y;
  const Real lowerX = x + radius;
  return {static_cast<double>(x), static_cast<double>(y), static_cast<double>(lowerX),
          isSure(x, error),       isSure(y, error),       isSure(lowerX, 2 * error + kUnit * std::abs(x))};
}

// A root of square t^2 - 2 half t + rest, whose discriminant is known without cancellation: root^2.
struct Root {
  Real value;
  Real lost;  // what the error of `rest` must be multiplied with; 0 if it has no part in the value
};
Root largerRoot(Real square, Real half, Real rest, Real root) {
  if (root == 0 || half >= 0) return {(half + root) / square, 0};
  return {rest / (half - root), 1 / (root - half)};
}
Root rootOf(Real square, Real half, Real rest, Real root, bool larger) {
  if (larger) return largerRoot(square, half, rest, root);
  const Root mirrored = largerRoot(square, -half, rest, root);
  return {-mirrored.value, mirrored.lost};
}

// Where two lines are known to meet: in a common end.
std::optional<Point> commonEnd(const SweepLine& s, const SweepLine& t) {
  if (s.a == t.a || s.a == t.b) return s.a;
  if (s.b == t.a || s.b == t.b) return s.b;
  return std::nullopt;
}

// Difference of two unit vectors, given cross product and scalar product of vectors in the same directions and the
// product of the lengths of these.
RealVector difference(RealVector from, RealVector to, int64_t cross, int64_t dot, Real lengths) {
  if (dot <= 0) return to - from;
  return left(from + to) * (toReal(cross) / (lengths + toReal(dot)));
}

}  // namespace

SweepLine::SweepLine(Point a, Point b) : a(a), b(b) {
  length = std::sqrt(squaredLength(between(a, b)));
  inverse = 1 / length;
}

SweepLine SweepLine::reversed() const {
  SweepLine line = *this;
  std::swap(line.a, line.b);
  return line;
}

SweepCircle sweepCircle(Point p, Point q, Point r) {
  const RealVector a = toVector(between(p, q));
  const RealVector b = toVector(between(p, r));
  const Real aa = squaredLength(between(p, q));
  const Real bb = squaredLength(between(p, r));
  const Real area = 2 * toReal(cross(between(p, q), between(p, r)));
  const RealVector centre{(aa * b.y - bb * a.y) / area, (bb * a.x - aa * b.x) / area};
  const Real error = 8 * kUnit * (aa * size(b) + bb * size(a)) / std::abs(area);
  return circleAt(p, centre, std::sqrt(dot(centre, centre)), error);
}

// The centre lies on the bisector of p and q, at distance t from their middle. With unit normal n of the line, e along
// p -> q and distances dp, dq from the line: radius = (dp + dq) / 2 + t n.left(e), and its square is that of half the
// way from p to q plus t^2.
SweepCircle sweepCircle(Point p, Point q, const SweepLine& line, bool left) {
  const Offset way = between(p, q);
  const Offset along = between(line.a, line.b);
  const int64_t crossP = cross(along, between(line.a, p));
  const int64_t crossQ = cross(along, between(line.a, q));
  if ((crossP > 0 && crossQ < 0) || (crossP < 0 && crossQ > 0) || (crossP == 0 && crossQ == 0)) return {};
  const Real side = crossP > 0 || crossQ > 0 ? 1 : -1;
  const Real quarter = squaredLength(way) / 4;
  const Real wayLength = 2 * std::sqrt(quarter);
  const Real dp = toReal(std::abs(crossP)) / line.length;
  const Real dq = toReal(std::abs(crossQ)) / line.length;
  const Real a = (dp + dq) / 2;
  const Real sine = side * toReal(cross(along, way)) / (line.length * wayLength);
  const Real cosine = side * toReal(dot(along, way)) / (line.length * wayLength);
  const Real half = a * cosine;
  const Real rest = quarter - a * a;
  Root t{rest / (2 * half), 1 / std::abs(2 * half)};
  if (sine != 0) t = rootOf(sine * sine, half, rest, std::sqrt(dp * dq), left);
  const RealVector centre = toVector(way) * Real{0.5} + wend::left(toVector(way)) * (t.value / wayLength);
  const Real error = 32 * kUnit * (wayLength + std::abs(t.value) + t.lost * (quarter + a * a));
  return circleAt(p, centre, std::sqrt(quarter + t.value * t.value), error);
}

// With unit normals n and m of the lines to the circle's side and distances dn, dm of p from them, the centre p + y has
// n.y + dn = m.y + dm, which gives its part across the middle of both directions, and y^2 = (n.y + dn)^2, which gives
// its part along it. The part across is that of the point where the lines meet, too: that is better known where walls
// go on almost straight.
SweepCircle sweepCircle(Point p, const SweepLine& s, const SweepLine& t, bool ahead) {
  const Offset d = between(s.a, s.b);
  const Offset e = between(t.a, t.b);
  const int64_t crossD = cross(d, between(s.a, p));
  const int64_t crossE = cross(e, between(t.a, p));
  const int64_t turn = cross(d, e);
  if (crossD == 0 && crossE == 0) return turn == 0 ? SweepCircle{} : circleAt(p, {0, 0}, 0, 0);
  if ((crossD > 0 && crossE > 0) || (crossD < 0 && crossE < 0)) return {};
  const Real side = crossD > 0 || crossE < 0 ? 1 : -1;
  const RealVector unitD = toVector(d) * s.inverse;
  const RealVector unitE = toVector(e) * t.inverse;
  const Real dn = toReal(std::abs(crossD)) / s.length;
  const Real dm = toReal(std::abs(crossE)) / t.length;
  const Real lengths = s.length * t.length;
  const Real sine = toReal(turn) / lengths;
  const Real cosine = toReal(dot(d, e)) / lengths;
  // The middle of two directions, and the square of half the length of their sum, without cancellation.
  const bool acute = dot(d, e) >= 0;
  const RealVector middle = acute ? unitD + unitE : left(unitD - unitE) * (turn < 0 ? -1 : 1);
  const RealVector axis = middle * (1 / std::sqrt(2 + 2 * std::abs(cosine)));
  const Real square = acute ? (1 + cosine) / 2 : sine * sine / (2 - 2 * cosine);
  const Real sum = 2 * std::sqrt(square);
  const std::optional<Point> meeting = commonEnd(s, t);
  const RealVector away = meeting ? toVector(between(p, *meeting)) : RealVector{0, 0};
  const Real across = meeting ? dot(left(axis), away) : side * (dm - dn) / sum;
  const Real a = (dn + dm) / 2;
  const Root along = rootOf(square, a * side * sine / sum, across * across - a * a, std::sqrt(dn * dm), ahead);
  const RealVector centre = left(axis) * across + axis * along.value;
  const Real scale = meeting ? size(away) : a / sum;
  const Real error = 64 * kUnit * (scale + std::abs(along.value) + 3 * along.lost * scale * scale);
  return circleAt(p, centre, std::sqrt(across * across + along.value * along.value), error);
}

// Relative to a point of line i, the centre y has the same distance from all lines: (n - m).y = d for the unit normals
// m of line i and n of another one, and the distance d of the point from that. The best point is the common end of two
// lines that go on almost straight.
SweepCircle sweepCircle(const SweepLine& s, const SweepLine& t, const SweepLine& u) {
  const std::array<const SweepLine*, 3> lines{&s, &t, &u};
  std::array<Offset, 3> directions{};
  std::array<RealVector, 3> units{};
  for (size_t i = 0; i < 3; ++i) {
    directions[i] = between(lines[i]->a, lines[i]->b);
    units[i] = toVector(directions[i]) * lines[i]->inverse;
  }
  // Between lines i and i + 1.
  std::array<RealVector, 3> differences{};
  size_t i = 0;
  std::optional<Point> meeting;
  for (size_t first = 0; first < 3; ++first) {
    const size_t second = first == 2 ? 0 : first + 1;
    differences[first] =
        difference(units[first], units[second], cross(directions[first], directions[second]),
                   dot(directions[first], directions[second]), lines[first]->length * lines[second]->length);
    const std::optional<Point> end = commonEnd(*lines[first], *lines[second]);
    if (!end || (meeting && size(differences[i]) <= size(differences[first]))) continue;
    meeting = end;
    i = first;
  }
  const size_t j = i == 2 ? 0 : i + 1;
  const size_t k = 3 - i - j;
  const RealVector a = left(differences[i]);
  const RealVector b = left(differences[k]) * -1;
  const RealVector c = differences[j];
  const Real rough = cross(a, b);
  if (!(std::abs(rough) > 64 * kUnit * size(a) * size(b))) return {};
  // The three normals end on the unit circle; a triangle in it has the product of its sides as four times its area.
  const Real area = std::sqrt(dot(a, a) * dot(b, b) * dot(c, c)) / 2;
  const Real determinant = rough < 0 ? -area : area;
  const Point origin = meeting.value_or(lines[i]->a);
  const auto off = [&](size_t line) {
    return toReal(-cross(directions[line], between(lines[line]->a, origin))) / lines[line]->length;
  };
  const Real offA = meeting ? 0 : off(j);
  const Real offB = off(k);
  const RealVector centre{(offA * b.y - offB * a.y) / determinant, (a.x * offB - b.x * offA) / determinant};
  const Real error = kUnit * (16 * (std::abs(offA) * size(b) + std::abs(offB) * size(a)) / area + 48 * size(centre));
  return circleAt(origin, centre, std::abs(cross(units[i], centre)), error);
}

}  // namespace wend
