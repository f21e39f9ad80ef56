#include "generators/lct/triangle_net.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "geometry/predicates.h"

namespace wend::lct {
namespace {

// Relative error up to which the in-circle test in long double is not trusted.
constexpr long double kCircleError = 1e-15L;

Point toPoint(Vec2 p) {
  return {static_cast<int32_t>(p.x), static_cast<int32_t>(p.y)};
}

}  // namespace

TriangleNet::TriangleNet(std::span<const FreeTriangulation> layers, std::span<const Connection> connections) {
  for (uint32_t layer = 0; layer < layers.size(); ++layer) {
    const auto firstPoint = static_cast<uint32_t>(points_.size());
    const auto firstTriangle = static_cast<uint32_t>(triangles_.size());
    for (const Point p : layers[layer].points) points_.push_back(toVec2(p));
    for (const Triangulation::Triangle& t : layers[layer].triangles) {
      NetTriangle& added = triangles_.emplace_back(NetTriangle{t.v, t.n});
      for (uint32_t& v : added.v) v += firstPoint;
      for (uint32_t& n : added.n) n += n == kNone ? 0 : firstTriangle;
    }
    layerOf_.resize(triangles_.size(), layer);
  }
  originals_ = static_cast<uint32_t>(points_.size());
  lastChange_.assign(triangles_.size(), 0);
  join(connections);
}

// Opens the edges of connections, and gives both layers the same points there.
void TriangleNet::join(std::span<const Connection> connections) {
  if (connections.empty()) return;
  std::map<std::tuple<uint32_t, Point, Point>, NetEdge> open;
  for (const Connection& connection : connections) {
    for (size_t i = 0; i + 1 < connection.line.size(); ++i) {
      open[{connection.layerA, connection.line[i], connection.line[i + 1]}] = {};
      open[{connection.layerB, connection.line[i + 1], connection.line[i]}] = {};
    }
  }
  for (uint32_t t = 0; t < triangles_.size(); ++t) {
    for (uint32_t i = 0; i < 3; ++i) {
      if (triangles_[t].n[i] != kNone) continue;
      const Point a = toPoint(points_[triangles_[t].v[after(i)]]);
      const Point b = toPoint(points_[triangles_[t].v[before(i)]]);
      if (const auto found = open.find({layerOf_[t], a, b}); found != open.end()) found->second = {t, i};
    }
  }
  // Points that become one, by the smallest of them.
  std::vector<uint32_t> same(points_.size());
  for (uint32_t p = 0; p < same.size(); ++p) same[p] = p;
  const auto root = [&](uint32_t p) {
    while (same[p] != p) p = same[p] = same[same[p]];
    return p;
  };
  const auto unite = [&](uint32_t p, uint32_t q) {
    p = root(p);
    q = root(q);
    same[std::max(p, q)] = std::min(p, q);
  };
  for (const Connection& connection : connections) {
    for (size_t i = 0; i + 1 < connection.line.size(); ++i) {
      const NetEdge a = open[{connection.layerA, connection.line[i], connection.line[i + 1]}];
      const NetEdge b = open[{connection.layerB, connection.line[i + 1], connection.line[i]}];
      if (a.triangle == kNone || b.triangle == kNone) continue;
      NetTriangle& one = triangles_[a.triangle];
      NetTriangle& two = triangles_[b.triangle];
      one.n[a.edge] = b.triangle;
      two.n[b.edge] = a.triangle;
      unite(one.v[after(a.edge)], two.v[before(b.edge)]);
      unite(one.v[before(a.edge)], two.v[after(b.edge)]);
    }
  }
  for (NetTriangle& t : triangles_) {
    for (uint32_t& v : t.v) v = root(v);
  }
}

TriangleNet::TriangleNet(std::vector<Vec2> points, std::vector<NetTriangle> triangles)
    : points_(std::move(points)), triangles_(std::move(triangles)), originals_(static_cast<uint32_t>(points_.size())) {}

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
  if (u == kNone || layerOf_[u] != layerOf_[t]) return;
  const uint32_t j = mirror(t, i);
  const NetTriangle one = triangles_[t];
  const NetTriangle two = triangles_[u];
  const uint32_t apex = one.v[i];
  const uint32_t right = one.v[after(i)];
  const uint32_t left = one.v[before(i)];
  const uint32_t far = two.v[j];
  if (turn(apex, right, far) <= 0 || turn(far, left, apex) <= 0 || !isInsideCircle(apex, right, left, far)) return;
  // t becomes (apex, right, far), u becomes (far, left, apex).
  const uint32_t acrossRightFar = two.n[after(j)];
  const uint32_t acrossLeftFar = two.n[before(j)];
  const uint32_t acrossApexRight = one.n[before(i)];
  const uint32_t acrossLeftApex = one.n[after(i)];
  triangles_[t] = {{apex, right, far}, {acrossRightFar, u, acrossApexRight}};
  triangles_[u] = {{far, left, apex}, {acrossLeftApex, t, acrossLeftFar}};
  lastChange_[t] = lastChange_[u] = splits_;
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
  const uint32_t a = old.v[after(wall.edge)];
  const uint32_t b = old.v[before(wall.edge)];
  const uint32_t acrossBApex = old.n[after(wall.edge)];
  const uint32_t acrossApexA = old.n[before(wall.edge)];
  points_.push_back(place);
  // A piece of a split wall keeps the line of the whole.
  const uint32_t witness = a >= originals_ ? a : b;
  lineOf_.push_back(witness >= originals_ ? lineOf_[witness - originals_]
                                          : Line{toPoint(points_[a]), toPoint(points_[b])});
  triangles_[t] = {{apex, a, p}, {kNone, u, acrossApexA}};
  triangles_.push_back({{apex, p, b}, {kNone, acrossBApex, t}});
  layerOf_.push_back(layerOf_[t]);
  lastChange_[t] = ++splits_;
  lastChange_.push_back(splits_);
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
