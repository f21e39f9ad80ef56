#include "planning/clearance/distances.h"

#include <initializer_list>

#include "geometry/predicates.h"

namespace wend {
namespace {

// Whether ab has c and d on different sides, and cd a and b. Of segments on almost one line only exact signs tell.
bool liesAcross(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
  return orient(a, b, c) * orient(a, b, d) <= 0 && orient(c, d, a) * orient(c, d, b) <= 0;
}

bool crossing(Vec2 a, Vec2 b, Vec2 c, Vec2 d, Vec2& where) {
  const Vec2 ab = b - a;
  const Vec2 cd = d - c;
  const double denominator = cross(ab, cd);
  if (denominator == 0) return false;
  const double t = cross(c - a, cd) / denominator;
  const double s = cross(c - a, ab) / denominator;
  if (!(t >= 0 && t <= 1 && s >= 0 && s <= 1) || !liesAcross(a, b, c, d)) return false;
  where = a + t * ab;
  return true;
}

// Narrows `range` to the t with low < at + t * step < high.
void narrow(double at, double step, double low, double high, Interval& range) {
  if (std::abs(step) < 1e-15) {
    if (!(at > low && at < high)) range = {};
    return;
  }
  double first = (low - at) / step;
  double second = (high - at) / step;
  if (first > second) std::swap(first, second);
  range = {std::max(range.low, first), std::min(range.high, second)};
}

}  // namespace

Closest closestBetween(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
  Vec2 where;
  if (crossing(a, b, c, d, where)) return {0, where, where};
  Closest best{length(a - closestOnSegment(a, c, d)), a, closestOnSegment(a, c, d)};
  const auto consider = [&](Vec2 first, Vec2 second) {
    const double distance = length(first - second);
    if (distance < best.distance) best = {distance, first, second};
  };
  consider(b, closestOnSegment(b, c, d));
  consider(closestOnSegment(c, a, b), c);
  consider(closestOnSegment(d, a, b), d);
  return best;
}

bool isNearer(Vec2 a, Vec2 b, Vec2 c, Vec2 d, double r) {
  const Vec2 first = b - a;
  const Vec2 second = d - c;
  const double ofC = cross(first, c - a);
  const double ofD = cross(first, d - a);
  const double ofA = cross(second, a - c);
  const double ofB = cross(second, b - c);
  if (((ofC > 0 && ofD < 0) || (ofC < 0 && ofD > 0)) && ((ofA > 0 && ofB < 0) || (ofA < 0 && ofB > 0)) &&
      liesAcross(a, b, c, d)) {
    return true;
  }
  const auto isNear = [&](Vec2 p, Vec2 from, Vec2 to, Vec2 way, double across) {
    const double square = dot(way, way);
    const double along = dot(p - from, way);
    if (along > 0 && along < square) return across * across < r * r * square;
    const Vec2 off = p - (along > 0 ? to : from);
    return dot(off, off) < r * r;
  };
  return isNear(c, a, b, first, ofC) || isNear(d, a, b, first, ofD) || isNear(a, c, d, second, ofA) ||
         isNear(b, c, d, second, ofB);
}

Interval blockedInterval(Vec2 o, Vec2 u, Vec2 a, Vec2 b, double r) {
  const Vec2 oa = a - o;
  const Vec2 ob = b - o;
  const double acrossA = cross(u, oa);
  const double acrossB = cross(u, ob);
  // Both ends farther than r on one side of the line: the common case.
  if ((acrossA >= r && acrossB >= r) || (acrossA <= -r && acrossB <= -r)) return {};
  Interval hull{HUGE_VAL, -HUGE_VAL};
  const auto add = [&](double low, double high) { hull = {std::min(hull.low, low), std::max(hull.high, high)}; };
  if (std::abs(acrossA) < r) {
    const double half = std::sqrt((r - acrossA) * (r + acrossA));
    add(dot(u, oa) - half, dot(u, oa) + half);
  }
  if (std::abs(acrossB) < r) {
    const double half = std::sqrt((r - acrossB) * (r + acrossB));
    add(dot(u, ob) - half, dot(u, ob) + half);
  }
  const double size = length(b - a);
  if (size > 0) {
    const Vec2 e = (1 / size) * (b - a);
    Interval slab{-HUGE_VAL, HUGE_VAL};
    narrow(-dot(oa, e), dot(u, e), 0, size, slab);
    if (!slab.empty()) narrow(-cross(e, oa), cross(e, u), -r, r, slab);
    // A line along the wall lies in the slab without end only if the first condition did not hold it.
    if (!slab.empty() && std::isfinite(slab.low) && std::isfinite(slab.high)) add(slab.low, slab.high);
  }
  if (!(hull.low < hull.high)) return {};
  return hull;
}

bool containsConvex(std::span<const Vec2> polygon, Vec2 p) {
  for (size_t i = 0; i < polygon.size(); ++i) {
    const Vec2 a = polygon[i];
    const Vec2 b = polygon[i + 1 == polygon.size() ? 0 : i + 1];
    if (cross(b - a, p - a) < 0) return false;
  }
  return true;
}

Interval clipToConvex(std::span<const Vec2> polygon, Vec2 a, Vec2 b) {
  Interval part{0, 1};
  for (size_t i = 0; i < polygon.size() && !part.empty(); ++i) {
    const Vec2 c = polygon[i];
    const Vec2 d = polygon[i + 1 == polygon.size() ? 0 : i + 1];
    const double first = cross(d - c, a - c);
    const double second = cross(d - c, b - c);
    if (first < 0 && second < 0) return {};
    if (first < 0) part.low = std::max(part.low, first / (first - second));
    if (second < 0) part.high = std::min(part.high, first / (first - second));
  }
  return part;
}

}  // namespace wend
