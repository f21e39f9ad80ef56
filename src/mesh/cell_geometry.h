#pragma once

#include <algorithm>
#include <cmath>

#include <wend/navmesh.h>

#include "geometry/predicates.h"

// Geometry of one cell.
namespace wend {

inline bool isWhole(Vec2 p) {
  return p.x == std::trunc(p.x) && p.y == std::trunc(p.y);
}

// By x, then y: the order in which a sweep meets points.
inline bool before(Vec2 a, Vec2 b) {
  return a.x != b.x ? a.x < b.x : a.y < b.y;
}

inline Vec2 startPoint(const NavMesh& mesh, SideId side) {
  return mesh.vertex(mesh.startVertex(side));
}
inline Vec2 endPoint(const NavMesh& mesh, SideId side) {
  return mesh.vertex(mesh.endVertex(side));
}

// Whether the closed cell contains the point. Exact for every simple loop, convex or not: counts the sides that a ray
// to the right crosses. A promise of convexity would not make it faster, since only sides that straddle the ray cost an
// orientation test.
inline bool contains(const NavMesh& mesh, CellId cell, Vec2 p) {
  const NavMesh::Views& views = mesh.views();
  const SideId begin = views.cellBegin[cell];
  const SideId end = views.cellBegin[cell + 1];
  if (begin == end) return false;
  bool inside = false;
  Vec2 a = views.vertices[views.sideVertex[end - 1]];
  for (SideId s = begin; s < end; ++s) {
    const Vec2 b = views.vertices[views.sideVertex[s]];
    if (b == p) return true;
    if ((a.y <= p.y) != (b.y <= p.y)) {
      const int turn = orient(a, b, p);
      if (turn == 0) return true;
      if ((turn > 0) == (b.y > a.y)) inside = !inside;
    } else if (a.y == p.y && b.y == p.y && std::min(a.x, b.x) < p.x && p.x < std::max(a.x, b.x)) {
      return true;
    }
    a = b;
  }
  return inside;
}

}  // namespace wend
