#include "generators/lct/triangle_net.h"

#include <cmath>

#include "geometry/predicates.h"

namespace wend::lct {
namespace {

// Relative error up to which the in-circle test in long double is not trusted.
constexpr long double kCircleError = 1e-15L;

Point toPoint(Vec2 p) {
  return {static_cast<int32_t>(p.x), static_cast<int32_t>(p.y)};
}

}  // namespace

TriangleNet::TriangleNet(const FreeTriangulation& layer) : originals_(static_cast<uint32_t>(layer.points.size())) {
  points_.reserve(layer.points.size());
  for (const Point p : layer.points) points_.push_back(toVec2(p));
  triangles_.reserve(layer.triangles.size());
  for (const Triangulation::Triangle& t : layer.triangles) triangles_.push_back({t.v, t.n});
}

TriangleNet::TriangleNet(std::vector<Vec2> points, std::vector<NetTriangle> triangles)
    : points_(std::move(points)), triangles_(std::move(triangles)), originals_(static_cast<uint32_t>(points_.size())) {}

uint32_t TriangleNet::mirror(uint32_t t, uint32_t i) const {
  const NetTriangle& other = triangles_[triangles_[t].n[i]];
  const uint32_t end = triangles_[t].v[(i + 2) % 3];
  uint32_t j = 0;
  while (j < 2 && !(other.n[j] == t && other.v[(j + 1) % 3] == end)) ++j;
  return j;
}

bool TriangleNet::isOnLine(const Line& line, uint32_t p) const {
  if (p < originals_) return orient(line.first, line.second, toPoint(points_[p])) == 0;
  const Line& own = lineOf_[p - originals_];
  return orient(line.first, line.second, own.first) == 0 && orient(line.first, line.second, own.second) == 0;
}

int TriangleNet::turn(uint32_t a, uint32_t b, uint32_t c) const {
  for (const uint32_t p : {a, b, c}) {
    if (p < originals_) continue;
    const Line& line = lineOf_[p - originals_];
    if (isOnLine(line, a) && isOnLine(line, b) && isOnLine(line, c)) return 0;
    break;
  }
  return orient(points_[a], points_[b], points_[c]);
}

bool TriangleNet::isInsideCircle(uint32_t a, uint32_t b, uint32_t c, uint32_t d) const {
  if (a < originals_ && b < originals_ && c < originals_ && d < originals_) {
    return inCircle(toPoint(points_[a]), toPoint(points_[b]), toPoint(points_[c]), toPoint(points_[d])) > 0;
  }
  const Vec2 o = points_[d];
  const auto x = [&](uint32_t p) { return static_cast<long double>(points_[p].x) - o.x; };
  const auto y = [&](uint32_t p) { return static_cast<long double>(points_[p].y) - o.y; };
  const auto lift = [&](uint32_t p) { return x(p) * x(p) + y(p) * y(p); };
  const auto minor = [&](uint32_t p, uint32_t q) { return x(p) * y(q) - x(q) * y(p); };
  const auto size = [&](uint32_t p, uint32_t q) { return std::abs(x(p) * y(q)) + std::abs(x(q) * y(p)); };
  const long double determinant = lift(a) * minor(b, c) + lift(b) * minor(c, a) + lift(c) * minor(a, b);
  return determinant > kCircleError * (lift(a) * size(b, c) + lift(b) * size(c, a) + lift(c) * size(a, b));
}

void TriangleNet::replaceNeighbour(uint32_t t, uint32_t from, uint32_t to) {
  if (t == kNone) return;
  for (uint32_t& n : triangles_[t].n) {
    if (n == from) {
      n = to;
      return;
    }
  }
}

void TriangleNet::flip(uint32_t t, uint32_t i, std::vector<NetEdge>& todo) {
  const uint32_t u = triangles_[t].n[i];
  if (u == kNone) return;
  const uint32_t j = mirror(t, i);
  const NetTriangle one = triangles_[t];
  const NetTriangle two = triangles_[u];
  const uint32_t apex = one.v[i];
  const uint32_t right = one.v[(i + 1) % 3];
  const uint32_t left = one.v[(i + 2) % 3];
  const uint32_t far = two.v[j];
  if (turn(apex, right, far) <= 0 || turn(far, left, apex) <= 0 || !isInsideCircle(apex, right, left, far)) return;
  // t becomes (apex, right, far), u becomes (far, left, apex).
  const uint32_t acrossRightFar = two.n[(j + 1) % 3];
  const uint32_t acrossLeftFar = two.n[(j + 2) % 3];
  const uint32_t acrossApexRight = one.n[(i + 2) % 3];
  const uint32_t acrossLeftApex = one.n[(i + 1) % 3];
  triangles_[t] = {{apex, right, far}, {acrossRightFar, u, acrossApexRight}};
  triangles_[u] = {{far, left, apex}, {acrossLeftApex, t, acrossLeftFar}};
  replaceNeighbour(acrossRightFar, u, t);
  replaceNeighbour(acrossLeftApex, t, u);
  for (const NetEdge edge : {NetEdge{t, 0}, {t, 2}, {u, 0}, {u, 2}}) todo.push_back(edge);
}

void TriangleNet::split(NetEdge wall, Vec2 place) {
  const auto p = static_cast<uint32_t>(points_.size());
  const uint32_t t = wall.triangle;
  const auto u = static_cast<uint32_t>(triangles_.size());
  const NetTriangle old = triangles_[t];
  const uint32_t apex = old.v[wall.edge];
  const uint32_t a = old.v[(wall.edge + 1) % 3];
  const uint32_t b = old.v[(wall.edge + 2) % 3];
  const uint32_t acrossBApex = old.n[(wall.edge + 1) % 3];
  const uint32_t acrossApexA = old.n[(wall.edge + 2) % 3];
  points_.push_back(place);
  // A piece of a split wall keeps the line of the whole.
  const uint32_t witness = a >= originals_ ? a : b;
  lineOf_.push_back(witness >= originals_ ? lineOf_[witness - originals_]
                                          : Line{toPoint(points_[a]), toPoint(points_[b])});
  triangles_[t] = {{apex, a, p}, {kNone, u, acrossApexA}};
  triangles_.push_back({{apex, p, b}, {kNone, acrossBApex, t}});
  replaceNeighbour(acrossBApex, t, u);

  std::vector<NetEdge> todo{{t, 1}, {t, 2}, {u, 1}, {u, 2}};
  // Delaunay flips around one new point end by themselves; the limit is for ties that rounding decides both ways.
  size_t left = 64 + 4 * triangles_.size();
  while (!todo.empty() && left-- > 0) {
    const NetEdge edge = todo.back();
    todo.pop_back();
    flip(edge.triangle, edge.edge, todo);
  }
}

}  // namespace wend::lct
