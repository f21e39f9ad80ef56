#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <wend/corridor_map.h>
#include <wend/environment.h>

#include <gtest/gtest.h>

#include "generators/ecm/arc.h"
#include "generators/ecm/diagram.h"
#include "generators/ecm/medial_axis.h"
#include "geometry/predicates.h"
#include "geometry/vec2.h"
#include "geometry/voronoi/voronoi.h"

// What holds on every Explicit Corridor Map.
namespace wend::ecm {

struct MapCounts {
  size_t vertices = 0;
  size_t edges = 0;
  size_t bendingPoints = 0;
  bool operator==(const MapCounts&) const = default;
};
inline MapCounts countsOf(const CorridorMap& map) {
  return {map.vertices.size(), map.edges.size(), map.bendingPoints.size()};
}
inline void PrintTo(const MapCounts& counts, std::ostream* out) {
  *out << "V " << counts.vertices << ", E " << counts.edges << ", BP " << counts.bendingPoints;
}

inline int64_t componentsOf(const CorridorMap& map) {
  std::vector<uint32_t> parent(map.vertices.size());
  std::iota(parent.begin(), parent.end(), 0U);
  const auto root = [&](uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  auto components = static_cast<int64_t>(map.vertices.size());
  for (const auto& edge : map.edges) {
    const uint32_t a = root(edge.from);
    const uint32_t b = root(edge.to);
    if (a == b) continue;
    parent[a] = b;
    --components;
  }
  return components;
}

// Twice the area of the cell of arc i, a loop [p, r, r', p', l', l].
inline double doubledCellArea(const CorridorMap& map, uint32_t i) {
  const auto& a = map.bendingPoints[i];
  const auto& b = map.bendingPoints[i + 1];
  const Vec2 loop[]{a.p, a.r, b.r, b.p, b.l, a.l};
  double sum = 0;
  for (int k = 0; k < 6; ++k) {
    const Vec2 p{loop[k].x - a.p.x, loop[k].y - a.p.y};
    const Vec2 q{loop[(k + 1) % 6].x - a.p.x, loop[(k + 1) % 6].y - a.p.y};
    sum += p.x * q.y - p.y * q.x;
  }
  return sum;
}

// Links, order around vertices, annotations and their clearance, sums. `tolerance` in lattice units.
inline void expectConsistent(const CorridorMap& map, double tolerance) {
  ASSERT_EQ(map.arcs.size(), map.bendingPoints.size());
  ASSERT_EQ(map.out.size(), 2 * map.edges.size());
  uint32_t next = 0;
  for (const auto& edge : map.edges) {
    ASSERT_EQ(edge.first, next);
    ASSERT_GE(edge.count, 2U);
    next += edge.count;
    ASSERT_LT(edge.from, map.vertices.size());
    ASSERT_LT(edge.to, map.vertices.size());
    EXPECT_EQ(map.bendingPoints[edge.first].p, map.vertices[edge.from].p);
    EXPECT_EQ(map.bendingPoints[edge.first + edge.count - 1].p, map.vertices[edge.to].p);
    double length = 0;
    double smallest = map.vertices[edge.from].clearance;
    for (uint32_t i = edge.first; i + 1 < edge.first + edge.count; ++i) {
      ASSERT_LT(map.arcs[i].left, map.sites.size());
      ASSERT_LT(map.arcs[i].right, map.sites.size());
      EXPECT_GE(map.arcs[i].length, distance(map.bendingPoints[i].p, map.bendingPoints[i + 1].p) - tolerance);
      length += map.arcs[i].length;
      smallest = std::min(smallest, map.arcs[i].minClearance);
      if (i > edge.first) {
        EXPECT_FALSE(map.arcs[i].left == map.arcs[i - 1].left && map.arcs[i].right == map.arcs[i - 1].right);
      }
      // Either end of the arc may be off by the tolerance, across a cell twice as wide as the clearance.
      EXPECT_GE(doubledCellArea(map, i), -4 * tolerance * (map.arcs[i].length + map.bendingPoints[i].clearance));
    }
    EXPECT_EQ(length, edge.length);
    EXPECT_EQ(smallest, edge.minClearance);
    const auto& last = map.arcs[edge.first + edge.count - 1];
    EXPECT_TRUE(last.left == kNone && last.right == kNone);
  }
  ASSERT_EQ(next, map.bendingPoints.size());
  for (const auto& bp : map.bendingPoints) {
    EXPECT_NEAR(distance(bp.p, bp.l), bp.clearance, tolerance);
    EXPECT_NEAR(distance(bp.p, bp.r), bp.clearance, tolerance);
    if (bp.clearance == 0) {
      EXPECT_EQ(bp.l, bp.p);
      EXPECT_EQ(bp.r, bp.p);
    }
  }
  uint32_t firstOut = 0;
  for (uint32_t v = 0; v < map.vertices.size(); ++v) {
    const auto& vertex = map.vertices[v];
    ASSERT_EQ(vertex.firstOut, firstOut);
    firstOut += vertex.degree;
    EXPECT_EQ(vertex.degree == 1, vertex.clearance == 0);
    for (uint32_t k = 0; k < vertex.degree; ++k) {
      const uint32_t half = map.out[vertex.firstOut + k];
      const auto& edge = map.edges[half / 2];
      EXPECT_EQ(half % 2 == 0 ? edge.from : edge.to, v);
      // Left of a half-edge is right of the next one, counter-clockwise.
      if (vertex.degree < 2) continue;
      const uint32_t other = map.out[vertex.firstOut + (k + 1) % vertex.degree];
      const auto& otherEdge = map.edges[other / 2];
      const auto& mine = map.bendingPoints[half % 2 == 0 ? edge.first : edge.first + edge.count - 1];
      const auto& theirs = map.bendingPoints[other % 2 == 0 ? otherEdge.first : otherEdge.first + otherEdge.count - 1];
      EXPECT_LE(distance(half % 2 == 0 ? mine.l : mine.r, other % 2 == 0 ? theirs.r : theirs.l), 2 * tolerance);
    }
  }
  ASSERT_EQ(firstOut, map.out.size());
}

// Sum of the cells' areas over the free area, minus 1.
inline double areaError(const CorridorMap& map, const Environment& environment) {
  double sum = 0;
  for (uint32_t i = 0; i < map.arcs.size(); ++i) {
    if (map.arcs[i].left != kNone) sum += doubledCellArea(map, i);
  }
  const auto wanted = static_cast<double>(toInt128(topology(environment).doubledArea));
  return wanted == 0 ? sum : sum / wanted - 1;
}

// Positions along arc i, ends included.
inline std::vector<std::pair<Vec2, double>> samples(const CorridorMap& map, uint32_t i, int count) {
  const auto& a = map.bendingPoints[i];
  const auto& b = map.bendingPoints[i + 1];
  const ArcCurve curve(map.sites[map.arcs[i].left], map.sites[map.arcs[i].right], a.p, b.p, a.clearance, b.clearance);
  std::vector<std::pair<Vec2, double>> out;
  for (int k = 0; k < count; ++k) {
    const double t = static_cast<double>(k) / (count - 1);
    const double u = curve.begin() * (1 - t) + curve.end() * t;
    out.emplace_back(curve.position(u), curve.clearance(u));
  }
  return out;
}

// By brute force on one layer: each sampled point of the axis has its clearance as distance to the nearest obstacle,
// and both its annotations are that near.
inline void expectEquidistant(const CorridorMap& map, const Environment& environment, double tolerance) {
  std::vector<CorridorMap::Site> walls;
  for (const Polygon& polygon : environment.layers.front().free) {
    std::vector<Ring> rings{polygon.outer};
    rings.insert(rings.end(), polygon.holes.begin(), polygon.holes.end());
    for (const Ring& ring : rings) {
      for (size_t i = 0; i < ring.size(); ++i) {
        walls.push_back({ring[i], ring[(i + 1) % ring.size()], CorridorMap::SiteKind::kSegment, 0});
      }
    }
  }
  for (uint32_t i = 0; i < map.arcs.size(); ++i) {
    if (map.arcs[i].left == kNone) continue;
    double smallest = std::min(map.bendingPoints[i].clearance, map.bendingPoints[i + 1].clearance);
    for (const auto& [p, clearance] : samples(map, i, 4)) {
      double nearest = 1e300;
      for (const auto& wall : walls) nearest = std::min(nearest, distance(p, nearestOn(wall, p)));
      ASSERT_NEAR(nearest, clearance, tolerance) << "arc " << i << " at " << p.x << ", " << p.y;
      ASSERT_NEAR(distance(p, nearestOn(map.sites[map.arcs[i].left], p)), clearance, tolerance) << "arc " << i;
      ASSERT_NEAR(distance(p, nearestOn(map.sites[map.arcs[i].right], p)), clearance, tolerance) << "arc " << i;
      smallest = std::min(smallest, clearance);
    }
    ASSERT_LE(map.arcs[i].minClearance, smallest + tolerance);
  }
}

// Vertices of the diagram with two arcs that differ in a site. Collinear walls are one site.
inline size_t semiVertices(const Diagram& diagram) {
  std::vector<std::vector<uint32_t>> leaving(diagram.vertices.size());
  for (uint32_t e = 0; e < diagram.edges.size(); ++e) {
    if (!diagram.edges[e].removed && !diagram.edges[e].secondary) leaving[diagram.edges[e].start].push_back(e);
  }
  const auto same = [&](uint32_t s, uint32_t t) {
    const Diagram::Site& u = diagram.sites[s];
    const Diagram::Site& v = diagram.sites[t];
    if (s == t) return true;
    if (u.isPoint() || v.isPoint()) return false;
    return orient(u.a, u.b, v.a) == 0 && orient(u.a, u.b, v.b) == 0 && (u.b == v.a || v.b == u.a || u.layer == v.layer);
  };
  size_t count = 0;
  for (const std::vector<uint32_t>& edges : leaving) {
    if (edges.size() != 2) continue;
    // One arc arrives with the left site of the reversed half-edge on its right.
    const bool left = same(diagram.across(edges[0]), diagram.edges[edges[1]].site);
    const bool right = same(diagram.edges[edges[0]].site, diagram.across(edges[1]));
    count += left && right ? 0 : 1;
  }
  return count;
}

// #BP = 2 #E + #semi-vertices, but for the artificial vertices of loops, which are semi-vertices themselves.
inline std::string semiVertexFault(const CorridorMap& map, const Diagram& diagram) {
  const auto artificial = std::count_if(map.vertices.begin(), map.vertices.end(),
                                        [](const CorridorMap::Vertex& vertex) { return vertex.degree == 2; });
  const size_t semi = semiVertices(diagram) - static_cast<size_t>(artificial);
  if (map.bendingPoints.size() == 2 * map.edges.size() + semi) return "";
  return "BP " + std::to_string(map.bendingPoints.size()) + ", E " + std::to_string(map.edges.size()) +
         ", semi-vertices " + std::to_string(semi);
}

// Everything above, on a world of one layer.
inline void expectLaws(const Environment& world, uint64_t seed) {
  SCOPED_TRACE(seed);
  const auto map = buildCorridorMap(world);
  ASSERT_TRUE(map.ok()) << map.error().message;
  // The stated error of vertices, where coordinates are large.
  const Box box = boundingBox(world);
  const double reach = box.empty() ? 0 : std::max(std::abs(box.max.x), std::abs(box.max.y));
  const double tolerance = std::max(1e-6, 2 * kVoronoiError * reach);
  expectConsistent(*map, tolerance);
  expectEquidistant(*map, world, tolerance);
  EXPECT_NEAR(areaError(*map, world), 0, 1e-9);
  const auto diagram = buildDiagram(world);
  ASSERT_TRUE(diagram.ok());
  EXPECT_EQ(semiVertexFault(*map, *diagram), "");
  int64_t holes = 0;
  for (const Polygon& polygon : world.layers.front().free) holes += static_cast<int64_t>(polygon.holes.size());
  EXPECT_EQ(static_cast<int64_t>(map->edges.size()) - static_cast<int64_t>(map->vertices.size()) + componentsOf(*map),
            holes);
  EXPECT_EQ(componentsOf(*map), static_cast<int64_t>(world.layers.front().free.size()));
}

}  // namespace wend::ecm
