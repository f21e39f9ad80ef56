#pragma once

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include <wend/environment.h>
#include <wend/generate.h>
#include <wend/navmesh.h>

#include <gtest/gtest.h>

#include "geometry/predicates.h"

// The counting laws that every exact generator obeys.
namespace wend {

inline NavMesh bake(const Environment& environment, const std::string& generator, const std::string& order = "") {
  GenerateSettings settings;
  settings.generator = generator;
  if (!order.empty()) settings.options.emplace_back("order", order);
  auto mesh = generate(environment, settings);
  EXPECT_TRUE(mesh.ok()) << (mesh.ok() ? "" : mesh.error().message);
  return mesh.ok() ? *mesh : NavMesh();
}

// Those that promise exact cells.
inline std::vector<GeneratorInfo> exactGenerators() {
  std::vector<GeneratorInfo> list;
  for (const GeneratorInfo& info : generators()) {
    if (info.traits.exact) list.push_back(info);
  }
  return list;
}

// Vertices whose cells close a full circle.
inline uint32_t innerVertices(const NavMesh& mesh) {
  std::vector<bool> atWall(mesh.vertexCount(), false);
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    if (!mesh.isWall(s)) continue;
    atWall[mesh.startVertex(s)] = true;
    atWall[mesh.endVertex(s)] = true;
  }
  return static_cast<uint32_t>(std::count(atWall.begin(), atWall.end(), false));
}

inline void expectConvex(const NavMesh& mesh) {
  if (!mesh.info().traits.convex) return;
  for (SideId s = 0; s < mesh.sideCount(); ++s) {
    const Vec2 a = mesh.vertex(mesh.startVertex(s));
    const Vec2 b = mesh.vertex(mesh.endVertex(s));
    const Vec2 c = mesh.vertex(mesh.endVertex(mesh.nextSide(s)));
    ASSERT_GE(orient(a, b, c), 0) << "side " << s;
  }
}

// P = R + I - chi.
inline void expectPortalLaw(const NavMesh& mesh, const Environment& environment) {
  EXPECT_EQ(static_cast<int64_t>(mesh.portalCount()),
            static_cast<int64_t>(mesh.cellCount()) + innerVertices(mesh) - topology(environment).euler());
}

// Areas of cells with corners off the lattice are rounded.
inline void expectSame(const NavMesh& mesh, const Topology& wanted) {
  Topology found = topology(mesh);
  const auto vertices = mesh.views().vertices;
  const bool whole = std::all_of(vertices.begin(), vertices.end(),
                                 [](Vec2 p) { return p.x == std::floor(p.x) && p.y == std::floor(p.y); });
  if (!whole) {
    const auto area = static_cast<double>(toInt128(wanted.doubledArea));
    EXPECT_NEAR(static_cast<double>(toInt128(found.doubledArea)), area, 1e-9 * area);
    found.doubledArea = wanted.doubledArea;
  }
  EXPECT_EQ(found, wanted);
}

inline void expectTruth(const NavMesh& mesh, const Environment& environment) {
  expectSame(mesh, topology(environment));
  EXPECT_EQ(topology(environment), mesh.info().environment);
  EXPECT_EQ(mesh.info().environmentHash, hash(environment));
  for (const MeshFault& fault : checkMesh(mesh, &environment, 3)) {
    ADD_FAILURE() << faultName(fault.kind) << ": " << fault.message;
  }
}

// --- bounds on convex cells, summed over the polygons of all layers -------------------------------------------------

inline int64_t notches(std::span<const Point> ring) {
  int64_t count = 0;
  for (size_t i = 0; i < ring.size(); ++i) {
    count += orient(ring[i], ring[(i + 1) % ring.size()], ring[(i + 2) % ring.size()]) < 0 ? 1 : 0;
  }
  return count;
}

inline int64_t notches(const Polygon& polygon) {
  int64_t count = notches(polygon.outer);
  for (const Ring& ring : polygon.holes) count += notches(ring);
  return count;
}

// Lines that carry edges of the hole on its own convex hull: no convex cell lies along two of them.
inline int64_t hullLines(const Ring& hole) {
  std::set<std::pair<double, double>> lines;
  for (size_t i = 0; i < hole.size(); ++i) {
    const Point a = hole[i];
    const Point b = hole[(i + 1) % hole.size()];
    bool onHull = true;
    for (const Point p : hole) onHull = onHull && orient(a, b, p) <= 0;
    if (!onHull) continue;
    const double dx = static_cast<double>(b.x) - a.x;
    const double dy = static_cast<double>(b.y) - a.y;
    lines.insert({std::atan2(dy, dx), 0});
  }
  return static_cast<int64_t>(lines.size());
}

inline int64_t lowerBound(const Polygon& polygon) {
  const auto holes = static_cast<int64_t>(polygon.holes.size());
  int64_t bound = std::max<int64_t>(1, (notches(polygon) + 1) / 2 + 1 - holes);
  for (const Ring& hole : polygon.holes) bound = std::max(bound, hullLines(hole));
  return bound;
}

inline int64_t upperBound(const Polygon& polygon) {
  return 2 * notches(polygon) + 1 - static_cast<int64_t>(polygon.holes.size());
}

}  // namespace wend
