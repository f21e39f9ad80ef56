#include "generators/ecm/open_circle.h"

#include <cmath>
#include <utility>

#include "geometry/predicates.h"

namespace wend::ecm {
namespace {

// Distance of a lattice point from a line, exact up to one rounding and the rounding of the length.
Wide exactDistance(const TangentSite& line, Point p) {
  const WideVec d = wide(line.b) - wide(line.a);
  return static_cast<Wide>(wend::cross(line.a, line.b, p)) / norm(d) + line.offset;
}

// Lattice units; far beyond the lattice, so that parallel sites have no circle even where rounding finds one.
constexpr Wide kFar = 1e13L;

void add(Circles& circles, WideVec centre, Wide radius) {
  if (!(std::abs(centre.x) < kFar && std::abs(centre.y) < kFar && radius >= 0 && radius < kFar)) return;
  circles.circle[static_cast<size_t>(circles.count++)] = {centre, radius};
}

// Roots of a t^2 - 2 b t + c with discriminant b^2 - a c given, without cancellation.
struct Roots {
  Wide first, second;
  int count;
};
Roots solve(Wide a, Wide b, Wide c, Wide discriminant) {
  if (discriminant < 0) return {0, 0, 0};
  const Wide root = std::sqrt(discriminant);
  const Wide q = b + (b < 0 ? -root : root);
  if (q == 0) return {0, 0, a == 0 ? 0 : 1};
  if (a == 0) return {c / q, 0, 1};
  return {c / q, q / a, root == 0 ? 1 : 2};
}

// The point lies on the line: the centre is on the normal in it.
void alongNormal(Circles& circles, const TangentSite& line, Point p, const TangentSite& third) {
  const WideVec m = line.normal;
  if (onLine(line, third)) return;
  Wide t = 0;
  if (third.isPoint()) {
    const WideVec d = wide(third.a) - wide(p);
    t = dot(d, d) / (2 * dot(m, d));
  } else {
    const WideVec difference = m - third.normal;
    t = 2 * exactDistance(third, p) / dot(difference, difference);
  }
  add(circles, wide(p) + m * t, t);
}

void threeLines(Circles& circles, const TangentSite& u, const TangentSite& v, const TangentSite& w) {
  const WideVec a = v.normal - u.normal;
  const WideVec b = w.normal - u.normal;
  const Wide ca = u.offset - exactDistance(v, u.a);
  const Wide cb = u.offset - exactDistance(w, u.a);
  const Wide determinant = cross(a, b);
  if (determinant == 0) return;
  const WideVec y{(ca * b.y - cb * a.y) / determinant, (a.x * cb - b.x * ca) / determinant};
  add(circles, wide(u.a) + y, dot(u.normal, y) + u.offset);
}

void pointAndLines(Circles& circles, Point p, const TangentSite& v, const TangentSite& w) {
  const Wide dv = exactDistance(v, p);
  const Wide dw = exactDistance(w, p);
  const WideVec difference = v.normal - w.normal;
  const Wide length = norm(difference);
  if (length == 0) return;
  const WideVec k = difference * (1 / length);
  const Wide alpha = (dw - dv) / length;
  const Wide a = (dv + dw) / 2;
  const Wide b = dot(v.normal, left(k));
  const Wide half = length / 2;
  const Roots roots = solve(half * half, a * b, alpha * alpha - a * a, dv * dw);
  for (int i = 0; i < roots.count; ++i) {
    const Wide beta = i == 0 ? roots.first : roots.second;
    add(circles, wide(p) + k * alpha + left(k) * beta, a + beta * b);
  }
}

void pointsAndLine(Circles& circles, Point p, Point q, const TangentSite& w) {
  const WideVec d = wide(q) - wide(p);
  const Wide length = norm(d);
  if (length == 0) return;
  const WideVec e = d * (1 / length);
  const Wide dp = exactDistance(w, p);
  const Wide dq = exactDistance(w, q);
  const Wide k = dot(w.normal, e);
  const Wide a = (dp + dq) / 2;
  const Wide b = dot(w.normal, left(e));
  const Wide half = length / 2;
  const Roots roots = solve(k * k, a * b, half * half - a * a, dp * dq);
  for (int i = 0; i < roots.count; ++i) {
    const Wide beta = i == 0 ? roots.first : roots.second;
    add(circles, wide(p) + e * half + left(e) * beta, a + beta * b);
  }
}

void threePoints(Circles& circles, Point p, Point q, Point r) {
  const WideVec a = wide(q) - wide(p);
  const WideVec b = wide(r) - wide(p);
  const Wide determinant = 2 * static_cast<Wide>(wend::cross(p, q, r));
  if (determinant == 0) return;
  const Wide aa = dot(a, a);
  const Wide bb = dot(b, b);
  const WideVec y{(aa * b.y - bb * a.y) / determinant, (a.x * bb - b.x * aa) / determinant};
  add(circles, wide(p) + y, norm(y));
}

}  // namespace

Wide norm(WideVec a) {
  return std::sqrt(dot(a, a));
}

TangentSite::TangentSite(Point from, Point to, Wide behind) : a(from), b(to), offset(behind) {
  if (from == to) return;
  const WideVec d = wide(to) - wide(from);
  normal = left(d) * (1 / norm(d));
}

Wide distance(const TangentSite& site, WideVec p) {
  const WideVec d = p - wide(site.a);
  return site.isPoint() ? norm(d) : dot(site.normal, d) + site.offset;
}

WideVec nearest(const TangentSite& site, WideVec p) {
  if (site.isPoint()) return wide(site.a);
  return p - site.normal * distance(site, p);
}

bool onLine(const TangentSite& u, const TangentSite& v) {
  if (u.isPoint() == v.isPoint()) return false;
  const TangentSite& line = u.isPoint() ? v : u;
  return line.offset == 0 && orient(line.a, line.b, u.isPoint() ? u.a : v.a) == 0;
}

Circles tangentCircles(const TangentSite& u, const TangentSite& v, const TangentSite& w) {
  Circles circles;
  const std::array<const TangentSite*, 3> all{&u, &v, &w};
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) {
      if (i == j || !all[i]->isPoint() || all[j]->isPoint() || !onLine(*all[i], *all[j])) continue;
      alongNormal(circles, *all[j], all[i]->a, *all[3 - i - j]);
      return circles;
    }
  }
  std::array<const TangentSite*, 3> sorted{};
  size_t points = 0;
  for (const TangentSite* g : all) {
    if (g->isPoint()) sorted[points++] = g;
  }
  size_t next = points;
  for (const TangentSite* g : all) {
    if (!g->isPoint()) sorted[next++] = g;
  }
  if (points == 0) {
    threeLines(circles, u, v, w);
  } else if (points == 1) {
    pointAndLines(circles, sorted[0]->a, *sorted[1], *sorted[2]);
  } else if (points == 2) {
    pointsAndLine(circles, sorted[0]->a, sorted[1]->a, *sorted[2]);
  } else {
    threePoints(circles, u.a, v.a, w.a);
  }
  return circles;
}

WideVec bisectorDirection(const TangentSite& u, const TangentSite& v) {
  WideVec direction;
  if (u.isPoint() && v.isPoint()) {
    direction = left(wide(v.a) - wide(u.a));
  } else if (onLine(u, v)) {
    direction = u.isPoint() ? v.normal : u.normal;
  } else {
    if (!u.isPoint()) direction = direction + left(u.normal);
    if (!v.isPoint()) direction = direction - left(v.normal);
  }
  const Wide length = norm(direction);
  return length == 0 ? WideVec{} : direction * (1 / length);
}

}  // namespace wend::ecm
