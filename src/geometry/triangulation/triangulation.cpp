#include "geometry/triangulation/triangulation.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "geometry/index/hilbert_order.h"
#include "geometry/predicates.h"
#include "geometry/triangulation/triangulation_steps.h"

namespace wend {

Status checkPoints(std::span<const Point> points) {
  // Side ids take two bits more than triangle ids, and there are two triangles per point, ghosts included.
  constexpr size_t kMaxPoints = (size_t{1} << 29) - 8;
  if (points.size() > kMaxPoints) {
    return Error{ErrorCode::kLimit, fmt::format("{} points are more than the {} that one triangulation can hold; "
                                                "divide the world into parts",
                                                points.size(), kMaxPoints)};
  }
  for (const Point p : points) {
    if (p.x < -kMaxCoordinate || p.x > kMaxCoordinate || p.y < -kMaxCoordinate || p.y > kMaxCoordinate) {
      return Error{ErrorCode::kOutsideLattice,
                   fmt::format("point ({}, {}) lies beyond the lattice of +-{} units; choose a coarser unit", p.x, p.y,
                               kMaxCoordinate)};
    }
  }
  return Done{};
}

Error cancelledError() {
  return {ErrorCode::kCancelled, "the triangulation was cancelled"};
}

Error crossingError(const std::string& name, Point a, Point b, const std::string& otherName, Point c, Point d) {
  const double before = static_cast<double>(cross(c, d, a));
  const double after = static_cast<double>(cross(c, d, b));
  const double part = before / (before - after);
  const double x = a.x + part * (static_cast<double>(b.x) - a.x);
  const double y = a.y + part * (static_cast<double>(b.y) - a.y);
  return {ErrorCode::kInvalidGeometry,
          fmt::format("{} from ({}, {}) to ({}, {}) crosses {} from ({}, {}) to ({}, {}) near ({:.1f}, {:.1f}) lattice "
                      "units; split both there first (snapRound)",
                      name, a.x, a.y, b.x, b.y, otherName, c.x, c.y, d.x, d.y, x, y)};
}

std::vector<Triangulation::Triangle> canonicalTriangles(const DelaunayMesh& mesh,
                                                        const std::function<bool(uint32_t)>& keep,
                                                        const std::function<bool(DelaunayMesh::Side)>& closed) {
  const std::vector<DelaunayMesh::Triangle>& source = mesh.triangles();
  // Corner 0 becomes the one with the smallest id; then a counting sort by it, and the few of one vertex by the rest.
  struct Rotated {
    uint32_t triangle;
    unsigned first;
  };
  const auto smallest = [](const DelaunayMesh::Triangle& t) {
    return t.v[0] < t.v[1] ? (t.v[0] < t.v[2] ? 0U : 2U) : (t.v[1] < t.v[2] ? 1U : 2U);
  };
  std::vector<uint32_t> begin(mesh.points().size() + 1, 0);
  std::vector<uint8_t> kept(source.size(), 0);
  for (uint32_t t = 0; t < source.size(); ++t) {
    if (mesh.isGhost(t) || !keep(t)) continue;
    kept[t] = 1;
    ++begin[source[t].v[smallest(source[t])] + 1];
  }
  for (size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  std::vector<Rotated> order(begin.back());
  std::vector<uint32_t> fill(begin.begin(), begin.end() - 1);
  for (uint32_t t = 0; t < source.size(); ++t) {
    if (kept[t] == 0) continue;
    const unsigned first = smallest(source[t]);
    order[fill[source[t].v[first]]++] = {t, first};
  }
  for (size_t i = 0; i + 1 < begin.size(); ++i) {
    std::sort(order.begin() + begin[i], order.begin() + begin[i + 1], [&](const Rotated& a, const Rotated& b) {
      return source[a.triangle].v[(a.first + 1) % 3] < source[b.triangle].v[(b.first + 1) % 3];
    });
  }

  std::vector<uint32_t> newId(source.size(), kNone);
  for (uint32_t i = 0; i < order.size(); ++i) newId[order[i].triangle] = i;
  std::vector<Triangulation::Triangle> result(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    for (unsigned k = 0; k < 3; ++k) {
      const DelaunayMesh::Side s = DelaunayMesh::side(order[i].triangle, (order[i].first + k) % 3);
      const bool isClosed = closed(s);
      result[i].v[k] = mesh.corner(s);
      result[i].n[k] = isClosed ? kNone : newId[DelaunayMesh::triangleOf(mesh.twin(s))];
      if (isClosed || mesh.isFixed(s)) result[i].fixed |= static_cast<uint8_t>(1U << k);
    }
  }
  return result;
}

namespace {

// The input edge that put the constraint (c, d) there: the first one that covers it.
size_t sourceOf(const Triangulation& result, std::span<const Edge> edges, Edge piece) {
  for (size_t i = 0; i < edges.size(); ++i) {
    const Point a = result.points[result.pointOf[edges[i].a]];
    const Point b = result.points[result.pointOf[edges[i].b]];
    if (onSegment(a, b, result.points[piece.a]) && onSegment(a, b, result.points[piece.b])) return i;
  }
  return edges.size();
}

}  // namespace

Result<Triangulation> triangulate(std::span<const Point> points, std::span<const Edge> edges, const Context& context) {
  if (const Status status = checkPoints(points); !status.ok()) return status.error();
  for (size_t i = 0; i < edges.size(); ++i) {
    if (edges[i].a >= points.size() || edges[i].b >= points.size()) {
      return Error{ErrorCode::kInvalidGeometry, fmt::format("edge {} joins points {} and {}, but there are {} points",
                                                            i, edges[i].a, edges[i].b, points.size())};
    }
  }
  DistinctPoints distinct = distinctInHilbertOrder(points);
  Triangulation result;
  result.points = std::move(distinct.points);
  result.pointOf = std::move(distinct.idOf);
  DelaunayMesh mesh(result.points);
  if (!mesh.insertPoints(context)) return cancelledError();
  for (size_t i = 0; i < edges.size(); ++i) {
    if ((i & 0xfff) == 0 && context.cancelled()) return cancelledError();
    const uint32_t a = result.pointOf[edges[i].a];
    const uint32_t b = result.pointOf[edges[i].b];
    if (const auto crossing = mesh.insertConstraint(a, b)) {
      const size_t other = sourceOf(result, edges.first(i), crossing->crossed);
      const Point c = result.points[result.pointOf[edges[other].a]];
      const Point d = result.points[result.pointOf[edges[other].b]];
      return crossingError(fmt::format("edge {}", i), result.points[a], result.points[b], fmt::format("edge {}", other),
                           c, d);
    }
  }
  mesh.makeCanonical();
  result.triangles = canonicalTriangles(
      mesh, [](uint32_t) { return true; }, [](DelaunayMesh::Side) { return false; });
  return result;
}

}  // namespace wend
