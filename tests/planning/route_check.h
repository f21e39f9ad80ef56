#pragma once

#include <cmath>
#include <string>

#include <wend/route.h>

// Whether a route hangs together.
namespace wend {

namespace route_check {

// Lattice units; a route's points are metres, so that they come back with rounding errors.
inline constexpr double kTolerance = 1e-4;

inline double crossOf(Vec2 a, Vec2 b, Vec2 c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}
inline double lengthOf(Vec2 a, Vec2 b) {
  return std::hypot(b.x - a.x, b.y - a.y);
}

inline bool contains(const NavMesh& mesh, CellId cell, Vec2 p) {
  for (SideId s = mesh.firstSide(cell); s != mesh.endSide(cell); ++s) {
    const Vec2 a = mesh.vertex(mesh.startVertex(s));
    const Vec2 b = mesh.vertex(mesh.endVertex(s));
    if (crossOf(a, b, p) < -kTolerance * lengthOf(a, b)) return false;
  }
  return true;
}

// The first place on segment pq, from fraction `from` on, that lies on segment ab; above 1 if there is none.
inline double firstMeeting(Vec2 p, Vec2 q, double from, Vec2 a, Vec2 b) {
  const double length = lengthOf(p, q);
  const auto near = [&](double t) {
    const Vec2 x{p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)};
    const double side = lengthOf(a, b);
    const double along = ((x.x - a.x) * (b.x - a.x) + (x.y - a.y) * (b.y - a.y)) / side;
    return std::abs(crossOf(a, b, x)) / side <= kTolerance && along >= -kTolerance && along <= side + kTolerance;
  };
  if (near(from)) return from;
  double best = 2;
  const auto consider = [&](double t) {
    if (t > from && t <= 1 && t < best && near(t)) best = t;
  };
  consider(1);
  const double cp = crossOf(a, b, p);
  const double cq = crossOf(a, b, q);
  if (cp != cq) consider(cp / (cp - cq));
  if (length > 0) {
    for (const Vec2 end : {a, b}) {
      consider(((end.x - p.x) * (q.x - p.x) + (end.y - p.y) * (q.y - p.y)) / (length * length));
    }
  }
  return best;
}

}  // namespace route_check

// Empty when the cells are joined by the portals and the polyline runs through them in order; else one sentence.
inline std::string findRouteFault(const NavMesh& mesh, const Route& route) {
  using namespace route_check;
  if (route.points.size() < 2) return "fewer than two points";
  if (route.cells.empty() || route.portals.size() + 1 != route.cells.size()) return "cells and portals do not fit";
  for (size_t i = 0; i < route.portals.size(); ++i) {
    if (mesh.cellOf(route.portals[i]) != route.cells[i]) return "portal of another cell";
    if (mesh.neighbour(route.portals[i]) != route.cells[i + 1]) return "portal to another cell";
  }
  double length = 0;
  std::vector<Vec2> points;
  for (const Vec3& p : route.points) {
    points.push_back(mesh.lattice().toUnits({p.x, p.y}));
    if (points.size() > 1) length += lengthOf(points[points.size() - 2], points.back());
  }
  if (std::abs(length * mesh.lattice().unit - route.length) > 1e-9 * (1 + route.length)) return "length is wrong";

  size_t segment = 0;
  double t = 0;
  for (size_t i = 0; i < route.cells.size(); ++i) {
    if (i > 0) {
      const Vec2 a = mesh.vertex(mesh.startVertex(route.portals[i - 1]));
      const Vec2 b = mesh.vertex(mesh.endVertex(route.portals[i - 1]));
      while (true) {
        const double at = firstMeeting(points[segment], points[segment + 1], t, a, b);
        if (at <= 1) {
          t = at;
          break;
        }
        ++segment;
        t = 0;
        if (segment + 1 == points.size()) return "portal " + std::to_string(i - 1) + " is never crossed";
        if (!contains(mesh, route.cells[i - 1], points[segment])) return "leaves cell " + std::to_string(i - 1);
      }
    }
    const Vec2 p = points[segment];
    const Vec2 q = points[segment + 1];
    const Vec2 here{p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)};
    if (!contains(mesh, route.cells[i], here)) return "is not in cell " + std::to_string(i);
  }
  for (++segment; segment < points.size(); ++segment) {
    if (!contains(mesh, route.cells.back(), points[segment])) return "leaves the last cell";
  }
  return {};
}

}  // namespace wend
