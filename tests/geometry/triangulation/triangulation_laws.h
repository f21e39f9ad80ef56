#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "geometry/area.h"
#include "geometry/predicates.h"
#include "geometry/triangulation/triangulation.h"

// What every triangulation must fulfil, in the slow and obvious form.
namespace wend {

using Corners = std::array<Point, 3>;

// Corners instead of ids, the smallest first, sorted: equal for equal sets of triangles.
inline std::vector<Corners> cornersOf(std::span<const Point> points,
                                      std::span<const Triangulation::Triangle> triangles) {
  std::vector<Corners> result;
  for (const auto& t : triangles) {
    Corners c{points[t.v[0]], points[t.v[1]], points[t.v[2]]};
    std::rotate(c.begin(), std::min_element(c.begin(), c.end()), c.end());
    result.push_back(c);
  }
  std::sort(result.begin(), result.end());
  return result;
}

// Points on the boundary of the convex hull, collinear ones included, counter-clockwise (Andrew's scan). All collinear:
// the points there and back.
inline std::vector<Point> hullOf(std::vector<Point> points) {
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() < 3) return points;
  std::vector<Point> hull;
  const auto scan = [&](auto begin, auto end) {
    const size_t base = hull.size();
    for (auto p = begin; p != end; ++p) {
      while (hull.size() >= base + 2 && orient(hull[hull.size() - 2], hull.back(), *p) < 0) hull.pop_back();
      hull.push_back(*p);
    }
    hull.pop_back();
  };
  scan(points.begin(), points.end());
  scan(points.rbegin(), points.rend());
  return hull;
}

// Corners, neighbours, flags, the empty-circle law and the canonical fans. Empty when right.
inline std::string findTriangleFault(std::span<const Point> points,
                                     std::span<const Triangulation::Triangle> triangles) {
  for (uint32_t t = 0; t < triangles.size(); ++t) {
    const auto& triangle = triangles[t];
    for (const uint32_t v : triangle.v) {
      if (v >= points.size()) return fmt::format("triangle {} has no corner {}", t, v);
    }
    if (triangle.v[0] > triangle.v[1] || triangle.v[0] > triangle.v[2]) return fmt::format("triangle {} is turned", t);
    if (t > 0 && !(triangles[t - 1].v < triangle.v)) return fmt::format("triangle {} is out of order", t);
    const Point p[3] = {points[triangle.v[0]], points[triangle.v[1]], points[triangle.v[2]]};
    if (orient(p[0], p[1], p[2]) <= 0) return fmt::format("triangle {} is not counter-clockwise", t);
    for (int i = 0; i < 3; ++i) {
      if (triangle.n[i] == kNone) continue;
      if (triangle.n[i] >= triangles.size()) return fmt::format("triangle {} has no neighbour {}", t, triangle.n[i]);
      const auto& other = triangles[triangle.n[i]];
      int j = 0;
      while (j < 3 && !(other.n[j] == t && other.v[(j + 1) % 3] == triangle.v[(i + 2) % 3] &&
                        other.v[(j + 2) % 3] == triangle.v[(i + 1) % 3])) {
        ++j;
      }
      if (j == 3) return fmt::format("triangles {} and {} disagree", t, triangle.n[i]);
      if (other.isFixed(j) != triangle.isFixed(i)) return fmt::format("flags of {} and {} differ", t, triangle.n[i]);
      if (triangle.isFixed(i)) continue;
      const Point d = points[other.v[j]];
      const int inside = inCircle(p[0], p[1], p[2], d);
      if (inside > 0) return fmt::format("the circle of triangle {} holds a corner of {}", t, triangle.n[i]);
      if (inside == 0) {
        const Point end = std::min(p[(i + 1) % 3], p[(i + 2) % 3]);
        if (d < end || p[i] < end) return fmt::format("triangles {} and {} are not a fan", t, triangle.n[i]);
      }
    }
  }
  return {};
}

// All laws of triangulate() for this input. Empty when right.
inline std::string findFault(std::span<const Point> input, std::span<const Edge> edges, const Triangulation& result) {
  if (result.pointOf.size() != input.size()) return "pointOf has a wrong size";
  for (size_t i = 0; i < input.size(); ++i) {
    if (result.points.at(result.pointOf[i]) != input[i]) return fmt::format("point {} moved", i);
  }
  if (std::set<Point>(input.begin(), input.end()).size() != result.points.size()) return "points are not distinct";
  if (const std::string fault = findTriangleFault(result.points, result.triangles); !fault.empty()) return fault;

  const std::vector<Point> hull = hullOf(result.points);
  const Int128 area = doubledArea(hull);
  Int128 sum = 0;
  for (const auto& t : result.triangles) {
    sum += cross(result.points[t.v[0]], result.points[t.v[1]], result.points[t.v[2]]);
  }
  if (sum != area) return "the triangles do not fill the hull";
  const size_t expected = area == 0 ? 0 : 2 * result.points.size() - 2 - hull.size();
  if (result.triangles.size() != expected) {
    return fmt::format("{} triangles instead of {}", result.triangles.size(), expected);
  }
  if (area == 0) return {};

  // Each fixed side lies on an input edge; together they cover it.
  std::vector<Int128> covered(edges.size(), 0);
  for (const auto& t : result.triangles) {
    for (int i = 0; i < 3; ++i) {
      if (!t.isFixed(i)) continue;
      const Point a = result.points[t.v[(i + 1) % 3]];
      const Point b = result.points[t.v[(i + 2) % 3]];
      bool found = false;
      for (size_t e = 0; e < edges.size(); ++e) {
        const Point c = input[edges[e].a];
        const Point d = input[edges[e].b];
        if (!onSegment(c, d, a) || !onSegment(c, d, b)) continue;
        found = true;
        // Each piece has two sides, or one on the hull.
        covered[e] += Int128{t.n[i] == kNone ? 2 : 1} *
                      (std::abs(static_cast<int64_t>(a.x) - b.x) + std::abs(static_cast<int64_t>(a.y) - b.y));
      }
      if (!found) return "a fixed side lies on no edge";
    }
  }
  for (size_t e = 0; e < edges.size(); ++e) {
    const Point c = input[edges[e].a];
    const Point d = input[edges[e].b];
    if (covered[e] !=
        2 * Int128{std::abs(static_cast<int64_t>(c.x) - d.x) + std::abs(static_cast<int64_t>(c.y) - d.y)}) {
      return fmt::format("edge {} is not made of triangle sides", e);
    }
  }
  return {};
}

// The definition: no point inside a triangle's circle can be seen from the triangle. Coordinates up to 2^28.
inline std::string findVisiblePoint(const Triangulation& result) {
  std::vector<std::pair<Point, Point>> walls;
  const auto tripled = [](Point p) { return Point{3 * p.x, 3 * p.y}; };
  for (const auto& t : result.triangles) {
    for (int i = 0; i < 3; ++i) {
      if (t.isFixed(i)) {
        walls.emplace_back(tripled(result.points[t.v[(i + 1) % 3]]), tripled(result.points[t.v[(i + 2) % 3]]));
      }
    }
  }
  for (const auto& t : result.triangles) {
    const Point a = result.points[t.v[0]];
    const Point b = result.points[t.v[1]];
    const Point c = result.points[t.v[2]];
    const Point centre{a.x + b.x + c.x, a.y + b.y + c.y};
    for (const Point p : result.points) {
      if (inCircle(a, b, c, p) <= 0) continue;
      const bool hidden = std::any_of(walls.begin(), walls.end(), [&](const auto& wall) {
        return meet(centre, tripled(p), wall.first, wall.second) == Meeting::kCross;
      });
      if (!hidden) return fmt::format("point ({}, {}) lies in the circle of a triangle that sees it", p.x, p.y);
    }
  }
  return {};
}

}  // namespace wend
